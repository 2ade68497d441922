// SPDX-License-Identifier: Apache-2.0
// Properties of sched.vhd, about any one warp: what keeps it from being chosen, told from the ports alone; that
// nothing else does; and how long the others may go first. Of the other stages it is only assumed that no warp starts
// in the cycle of an answer, and that a load is turned away once each time it was chosen.
module sched_proofs #(parameter W = 4) (
    input clk, input rst, input halt, input start, input [4:0] start_slot,
    input redirect, input [4:0] redirect_slot, input [23:0] redirect_pc, input falls_through, input redirect_waits,
    input redirect_finished, input redirect_trapped, input [W-1:0] released, input load_done, input [4:0] load_slot,
    input [W-1:0] ready, input free, input [4:0] fate_slot, input leaves, input blocks, input arrives,
    input ends, input turned_away, input crowded, input [W-1:0] load_busy
);
    wire         choose, finished;
    wire [4:0]   slot, finished_slot;
    wire [W-1:0] running;
    sched dut (
        .clk(clk), .rst(rst), .halt_i(halt), .start_i_valid(start), .start_i_slot(start_slot),
        .redirect_i_valid(redirect), .redirect_i_slot(redirect_slot), .redirect_i_pc(redirect_pc),
        .redirect_i_falls_through(falls_through), .redirect_i_waits(redirect_waits),
        .redirect_i_finished(redirect_finished), .redirect_i_trapped(redirect_trapped), .release_i(released),
        .load_back_i_valid(load_done), .load_back_i_slot(load_slot), .ready_i(ready), .free_i(free),
        .fate_i_slot(fate_slot), .fate_i_leaves(leaves), .fate_i_blocks(blocks), .fate_i_arrives(arrives),
        .fate_i_ends(ends), .fate_i_waits(turned_away), .fate_i_crowded(crowded),
        .fate_i_take(1'b0), .fate_i_take_word(1'b0),
        .load_busy_i(load_busy), .choice_o_valid(choose), .choice_o_slot(slot), .running_o(running),
        .finished_o_valid(finished), .finished_o_slot(finished_slot));

    reg begun = 0;
    always @(posedge clk) begun <= 1;
    always @* if (!begun) assume (rst);
    always @* assume (!(start && redirect));

    (* anyconst *) reg [$clog2(W)-1:0] mine;

    // ---- events of the warp so far
    reg  lives, issuing, awaits_room, unanswered, sent, at_barrier, awaits_load, leaving, was_back, halted;
    wire starts   = start && start_slot == mine;
    wire in_h     = fate_slot == mine;         // the outcome is that of this warp's instruction
    wire chosen   = choose && slot == mine;
    reg [$clog2(W):0] rooms;                  // loads that came back since there was none
    wire answered = redirect && redirect_slot == mine;
    always @(posedge clk) begin
        lives       <= starts || (lives && !(ends && in_h) && !(answered && (redirect_finished || redirect_trapped)));
        issuing     <= chosen || (issuing && !(leaves && in_h));
        unanswered  <= starts || (!(answered && falls_through)
                                  && ((unanswered && !sent) || (blocks && !arrives && in_h)));
        sent        <= starts || (answered && !falls_through);      // to fetch, whose buffer is empty then
        at_barrier  <= !starts && (answered ? redirect_waits
                                            : (at_barrier || (arrives && in_h)) && !released[mine]);
        awaits_load <= !starts && !(load_done && load_slot == mine) && (awaits_load || (turned_away && in_h));
        awaits_room <= !starts && ((crowded && in_h) || (awaits_room && rooms < W));
        rooms       <= crowded && in_h ? 0 : rooms + (load_done && rooms < W);
        leaving     <= (leaving && !(finished && finished_slot == mine)) || (answered && redirect_finished);
        was_back    <= leaving && !load_busy[mine] && !(finished && finished_slot == mine);  // is told one cycle later
        halted      <= halt;
        if (rst) {lives, issuing, unanswered, sent, at_barrier, awaits_load, awaits_room, leaving, was_back} <= 0;
    end

    always @* assume (!(crowded && in_h) || (leaves && issuing));

    // The ports do not tell which warp has the turn when there is room: not before a load is back, before W others had
    // theirs.


    wire might = lives && ready[mine] && !issuing && !unanswered && !at_barrier && !awaits_load && !halted
                 && !(awaits_room && rooms == 0);
    wire may   = might && !awaits_room;

    // ---- cycles in which stage READ was free and another was chosen, or none
    reg [$clog2(W):0] passed = 0;
    always @(posedge clk) passed <= rst || !may || chosen ? 0 : passed + free;

    always @* if (begun) begin
        chosen_may:       assert (!chosen || (might && free));
        chosen_in_w:      assert (passed < W);
        someone_chosen:   assert (!(may && free) || choose);
        running_is_known: assert (running[mine] == lives);
        leaves_once:      assert (!(finished && finished_slot == mine) || was_back);
    end
endmodule
