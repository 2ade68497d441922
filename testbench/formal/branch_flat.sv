// SPDX-License-Identifier: Apache-2.0
// Properties of branch.vhd and its stack, for one warp that executes any instructions: threads that diverge, call,
// break, join and exit are always somewhere, and nowhere twice. Beside the unit's own stack stands one of what each
// instruction must push (docs/isa.md 6.1); it is cut to the depth that the unit says.
module branch_flat_proofs #(parameter LANES = 4, parameter DEPTH = 4, parameter L = 1) (
    input clk, input rst, input moves, input [3:0] flow_any, input end_any, input join_any, input trap_any,
    input bar_wait, input bar_legal, input [23:0] target_any, input long_any, input [23:0] pc_any,
    input [LANES-1:0] exec_any, input [7:0] faults_any, input [LANES-1:0] born
);
    localparam BRA = 1, CAL = 2, RET = 3, PBK = 4, BRK = 5, SSY = 6, BRX = 7, PRET = 8;
    localparam SYNC = 0, DIVERGE = 1, CALL = 2, BREAK = 3;

    // ---- the instruction: in X in one cycle, in Y until its outcome is known
    reg             begun = 0, stopped = 0, in_resolve = 0;
    reg [3:0]       flow;
    reg             is_end, is_join, trap, waits, legal, long;
    reg [LANES-1:0] exec;
    reg [7:0]       faults;
    reg [23:0]      target, pc;
    wire            in_x3 = begun && !rst && !stopped && !in_resolve;

    // ---- the warp, as the table of warps keeps it
    reg [LANES-1:0] active, alive, call_parked, brk_parked;
    reg [2:0]       depth, calls, breaks;
    wire            busy, trapped, redirect, finished, we;
    wire [LANES-1:0] n_active, n_alive, n_call_parked, n_brk_parked;
    wire [2:0]      n_depth, n_calls, n_breaks;
    branch_flat dut (
        .clk(clk), .rst(rst), .in_x3_i(in_x3), .in_resolve_i(in_resolve), .moves_i(moves),
        .flow_i(in_resolve ? flow : flow_any),
        .is_end_i(in_resolve ? is_end : end_any), .is_join_i(in_resolve ? is_join : join_any),
        .trap_i({3'b0, in_resolve ? trap : trap_any}), .bar_wait_i(waits), .bar_legal_i(legal), .target_i(target),
        .long_i(long), .pc_i(pc), .exec_i(exec), .faults_i(faults), .active_i(active), .alive_i(alive),
        .call_parked_i(call_parked), .brk_parked_i(brk_parked), .depth_i(depth), .calls_i(calls), .breaks_i(breaks),
        .start_i(!begun), .busy_o(busy), .trap_o(trapped), .redirect_o_valid(redirect),
        .redirect_o_finished(finished), .state_we_o(we), .state_o_active(n_active), .state_o_alive(n_alive),
        .state_o_call_parked(n_call_parked), .state_o_brk_parked(n_brk_parked), .state_o_depth(n_depth),
        .state_o_calls(n_calls), .state_o_breaks(n_breaks));
    wire leaves = in_resolve && moves && !busy;

    always @* begin
        assume (rst == !begun);
        // Of the decoder: no flow instruction has a marker (decode_rules.sv proves it), and none has two.
        assume (!(end_any && join_any) && (flow_any == 0 || !(end_any || join_any)));
        assume (flow_any <= 10 && (exec_any & ~active) == 0 && born != 0);
    end

    // ---- the entry that it must push
    wire diverges = (flow == BRA || flow == BRX) && exec != 0 && (active & ~exec) != 0;
    wire pushes   = diverges || flow == SSY || flow == PBK || flow == CAL || flow == PRET;
    reg [1:0]       token [0:DEPTH-1];
    reg [LANES-1:0] mask  [0:DEPTH-1];
    integer i;
    reg [3:0] cycles = 0;                          // in Y, while it moves
    always @(posedge clk) begin
        begun <= 1;
        if (in_x3) begin
            {flow, is_end, is_join, trap} <= {flow_any, end_any, join_any, trap_any};
            {waits, legal, long}          <= {bar_wait, bar_legal, long_any};
            {exec, faults, target, pc}    <= {exec_any, faults_any, target_any, pc_any};
        end
        in_resolve   <= in_x3 || (in_resolve && !leaves);
        cycles <= in_resolve && !leaves ? cycles + moves : 0;
        if (leaves) begin
            if (trapped || finished) stopped <= 1;
            if (pushes && depth < DEPTH) begin
                token[depth] <= diverges ? DIVERGE : flow == SSY ? SYNC : flow == PBK ? BREAK : CALL;
                mask[depth]  <= diverges ? active & ~exec : active;
            end
            if (we) begin
                {active, alive, call_parked, brk_parked} <= {n_active, n_alive, n_call_parked, n_brk_parked};
                {depth, calls, breaks}                   <= {n_depth, n_calls, n_breaks};
            end
        end
        if (rst) begin
            {active, alive}           <= {born, born};
            {call_parked, brk_parked} <= 0;
            {depth, calls, breaks}    <= 0;
        end
    end

    // ---- lane L: on which entries it stands
    reg [DEPTH-1:0] listed, diverged, called, broken;
    reg [2:0]       call_entries, break_entries;
    always @* begin
        {call_entries, break_entries} = 0;
        for (i = 0; i < DEPTH; i = i + 1) begin
            call_entries  = call_entries + (i < depth && token[i] == CALL);
            break_entries = break_entries + (i < depth && token[i] == BREAK);
        end
    end
    always @* for (i = 0; i < DEPTH; i = i + 1) begin
        listed[i]   = i < depth && mask[i][L];
        diverged[i] = listed[i] && token[i] == DIVERGE;
        called[i]   = listed[i] && token[i] == CALL;
        broken[i]   = listed[i] && token[i] == BREAK;
    end

    // A JOIN that finds a DIVERGE entry leaves its threads at the place that an SSY has set: a program without it loses
    // them, here and in the C model.
    wire [1:0] top = token[depth - 3'd1];
    always @* if (in_resolve && is_join && depth != 0 && top == DIVERGE && active[L]) assume (listed != 0);

    wire runs = begun && !stopped && !rst;
    always @* if (runs) begin
        depth_bound:  assert (depth <= DEPTH);
        overflow:     assert (!(leaves && pushes && depth == DEPTH) || trapped);
        within_alive: assert ((active & ~alive) == 0 && active != 0);
        none_lost:    assert (!alive[L] || active[L] || listed != 0);
        parked:       assert ((!call_parked[L] || called != 0) && (!brk_parked[L] || broken != 0));
        counted:      assert (calls == call_entries && breaks == break_entries);
        not_twice:    assert ((diverged & (diverged - 1'b1)) == 0 && !(diverged != 0 && active[L]));
        not_active_parked: assert (!(active[L] && (call_parked[L] || brk_parked[L])));
        gathered:     assert (!(leaves && we && is_join && depth == 0)
                              || n_active == (alive & ~call_parked & ~brk_parked));
        answered:     assert (cycles <= 2 + 3 * DEPTH);
    end
endmodule
