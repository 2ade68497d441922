// SPDX-License-Identifier: Apache-2.0
// Properties of rtl/sched.vhd, about any one warp: what keeps it from being chosen, told from the ports alone; that
// nothing else does; and how long the others may go first. Nothing is assumed of the other stages.
module sched_proofs #(parameter W = 4) (
    input clk, input rst, input halt, input start, input [4:0] start_slot,
    input redirect, input [4:0] redirect_slot, input [23:0] redirect_pc, input falls_through, input redirect_waits,
    input redirect_finished, input redirect_trapped, input [W-1:0] released, input load_done, input [4:0] load_slot,
    input [W-1:0] ready, input free, input decoding, input [4:0] decode_slot, input again, input blocks, input arrives,
    input ends, input turned_away, input [W-1:0] load_busy
);
    wire         choose, finished;
    wire [4:0]   slot, finished_slot;
    wire [W-1:0] running;
    sched dut (
        .clk(clk), .rst(rst), .halt_i(halt), .start_i(start), .start_slot_i(start_slot),
        .redirect_i_valid(redirect), .redirect_i_slot(redirect_slot), .redirect_i_pc(redirect_pc),
        .redirect_i_falls_through(falls_through), .redirect_i_waits(redirect_waits),
        .redirect_i_finished(redirect_finished), .redirect_i_trapped(redirect_trapped), .release_i(released),
        .load_done_i(load_done), .load_slot_i(load_slot), .ready_i(ready), .free_i(free), .decoding_i(decoding),
        .decode_slot_i(decode_slot), .again_i(again), .blocks_i(blocks), .arrives_i(arrives), .ends_i(ends),
        .waits_i(turned_away), .load_busy_i(load_busy), .choose_o(choose), .slot_o(slot), .running_o(running),
        .finished_o(finished), .finished_slot_o(finished_slot));

    reg begun = 0;
    always @(posedge clk) begun <= 1;
    always @* if (!begun) assume (rst);

    (* anyconst *) reg [$clog2(W)-1:0] who;

    // ---- what has happened to the warp
    reg  lives, unanswered, at_barrier, awaits_load, leaving;
    wire starts   = start && start_slot == who;
    wire in_d     = decode_slot == who;
    wire answered = redirect && redirect_slot == who;
    always @(posedge clk) begin
        lives       <= starts || (lives && !(ends && in_d) && !(answered && (redirect_finished || redirect_trapped)));
        unanswered  <= !starts && !answered && (unanswered || (blocks && !arrives && in_d));
        at_barrier  <= !starts && (answered ? redirect_waits
                                            : (at_barrier || (arrives && in_d)) && !released[who]);
        awaits_load <= !starts && !(load_done && load_slot == who) && (awaits_load || (turned_away && in_d));
        leaving     <= (leaving && !(finished && finished_slot == who)) || (answered && redirect_finished);
        if (rst) {lives, unanswered, at_barrier, awaits_load, leaving} <= 0;
    end

    wire may    = lives && ready[who] && !unanswered && !at_barrier && !awaits_load && !halt
                  && !(decoding && in_d && !again);
    wire chosen = choose && slot == who;

    // ---- cycles in which stage D was free and another was chosen, or nobody
    reg [$clog2(W):0] passed = 0;
    always @(posedge clk) passed <= rst || !may || chosen || (turned_away && in_d) ? 0 : passed + free;

    always @* if (begun) begin
        chosen_may:       assert (!chosen || (may && free && !(turned_away && in_d)));
        chosen_in_w:      assert (passed < W);
        someone_chosen:   assert (!(may && free) || choose || turned_away);
        running_is_known: assert (running[who] == lives);
        leaves_once:      assert (!(finished && finished_slot == who) || (leaving && !load_busy[who]));
    end
endmodule
