// SPDX-License-Identifier: Apache-2.0
// Properties of rtl/branch/branch_early.vhd beside branch.vhd, for any instruction of a warp in any state that
// branch_flat.sv lets it have, whatever is on top of its stack: an early answer is that of a branch unit to which the
// instruction comes as it was issued, and the one to which it comes answered has it retire the same.
module branch_early_flat_proofs #(parameter LANES = 4, parameter ROWS = 2, parameter DEPTH = 4) (
    input clk, input rst, input slot_any, input [3:0] flow_any, input end_any, input join_any, input more_any,
    input [3:0] trap_any, input [4:0] cond_any, input [23:0] target_any, input long_any, input [23:0] pc_any,
    input [LANES-1:0] exec_any, input [7:0] faults_any, input [LANES-1:0] active_any, input [LANES-1:0] alive_any,
    input [LANES-1:0] call_parked_any, input [LANES-1:0] brk_parked_any, input [2:0] depth_any,
    input [2:0] calls_any, input [2:0] breaks_any, input [LANES+25:0] entry_any, input [LANES+25:0] top,
    input rows_here, input rows_early, input rows_moves, input reads, input x1_valid, input x1_early,
    input x1_moves, input [1:0] guess, input [1:0] other, input [3:0] other_flow, input unit_may,
    input unit_pushes
);
    localparam BRA = 1, RET = 3, BRK = 5, BRX = 7, BREAKPOINT = 10;
    localparam CALL = 2, BREAK = 3;
    localparam W = LANES / ROWS;

    // ---- the instruction and its warp: any
    reg             begun = 0;
    reg             slot, is_end, is_join, more, long;
    reg [3:0]       flow, trap;
    reg [4:0]       cond;
    reg [7:0]       faults;
    reg [23:0]      target, pc;
    reg [LANES-1:0] exec, active, alive, call_parked, brk_parked;
    reg [2:0]       depth, calls, breaks;
    reg [LANES+25:0] entry;

    // of the branch unit alone: reset, X3, RESOLVE, which it leaves at last in 7
    reg [2:0]       cycle = 0;
    reg             told = 0, pushes = 0, pushed = 0, sees = 0;
    reg [LANES+28:0] push;
    wire            ready = cycle == 7 && !told && !pushes; // an entry that is told is pushed in the next cycle
    wire            in_x3 = cycle == 1, in_resolve = cycle > 1 && !pushed;

    // ---- rows in ADDRESS (rows_), behind ROWS, and in X1 (x1_)
    reg [1:0]       rows_row = 0, x1_row = 0;
    reg             was_read, in_address = 0, moved = 0; // something has come to ADDRESS since the reset
    wire            in_rows = ready && in_address, in_x1 = ready && x1_valid;
    wire            rows_last = rows_row == ROWS - 1 && !more, x1_last = x1_row == ROWS - 1 && !more;
    wire [W-1:0]    row_exec = exec[x1_row*W +: W], row_active = active[x1_row*W +: W];
    wire            taken = in_x1 ? row_exec != 0 : guess[1];
    wire            stays = in_x1 ? (row_active & ~row_exec) != 0 : guess[0];

    wire            busy, a_falls, a_waits, a_finished, rows_answered, x1_answered, valid, to, falls, waits, finished,
                    trapped, we, push_valid, push_slot, o_redirects, o_busy, o_we;
    wire [23:0]     a_goes_to, a_next_pc, goes_to, o_next_pc;
    wire [LANES-1:0] a_active, a_alive, a_call_parked, a_brk_parked, ao_active, n_active, n_alive, n_call_parked,
                    n_brk_parked, o_active;
    wire [2:0]      a_depth, a_calls, a_breaks, ao_depth, n_depth, n_calls, n_breaks, push_depth, o_depth;
    wire [1:0]      ao_state, o_state;
    wire [3:0]      a_trap, o_trap;
    wire [LANES+25:0] a_pushed, push_entry;
    branch_early_flat dut (
        .clk(clk), .rst(rst), .slot_i(slot), .flow_i(flow), .is_end_i(is_end), .is_join_i(is_join), .more_i(more),
        .trap_i(trap), .cond_i(cond), .target_i(target), .long_i(long), .pc_i(pc), .exec_i(exec), .faults_i(faults),
        .active_i(active), .alive_i(alive), .call_parked_i(call_parked), .brk_parked_i(brk_parked),
        .depth_i(depth), .calls_i(calls), .breaks_i(breaks), .entry_i(entry),
        .in_x3_i(in_x3), .in_resolve_i(in_resolve), .resolve_moves_i(pushes), .look_i(pushed), .busy_o(busy),
        .alone_o_pc(a_goes_to), .alone_o_falls_through(a_falls), .alone_o_waits(a_waits),
        .alone_o_finished(a_finished), .alone_state_o_active(a_active), .alone_state_o_alive(a_alive),
        .alone_state_o_call_parked(a_call_parked), .alone_state_o_brk_parked(a_brk_parked),
        .alone_state_o_depth(a_depth), .alone_state_o_calls(a_calls), .alone_state_o_breaks(a_breaks),
        .alone_outcome_o_next_pc(a_next_pc), .alone_outcome_o_active(ao_active), .alone_outcome_o_depth(ao_depth),
        .alone_outcome_o_state(ao_state), .alone_outcome_o_trap(a_trap), .pushed_o(a_pushed),
        .rows_valid_i(in_rows), .rows_last_i(rows_last), .rows_row_i(rows_row), .rows_early_i(rows_early),
            .rows_moves_i(rows_moves),
        .rows_here_i(rows_here), .reads_i(reads), .top_i(top), .x1_valid_i(in_x1), .x1_last_i(x1_last),
            .x1_row_i(x1_row),
        .x1_early_i(x1_early), .x1_moves_i(x1_moves), .taken_i(taken), .stays_i(stays),
        .other_i({other[1] && moved, other[0]}), .other_flow_i(other_flow), .unit_may_i(unit_may),
            .unit_pushes_i(unit_pushes),
        .rows_early_o(rows_answered), .x1_early_o(x1_answered), .redirect_o_valid(valid),
        .redirect_o_slot(to), .redirect_o_pc(goes_to), .redirect_o_falls_through(falls), .redirect_o_waits(waits),
        .redirect_o_finished(finished), .redirect_o_trapped(trapped), .state_we_o(we), .state_o_active(n_active),
        .state_o_alive(n_alive), .state_o_call_parked(n_call_parked), .state_o_brk_parked(n_brk_parked),
        .state_o_depth(n_depth), .state_o_calls(n_calls), .state_o_breaks(n_breaks), .push_valid_o(push_valid),
        .push_slot_o(push_slot), .push_depth_o(push_depth), .push_entry_o(push_entry),
        .later_o_valid(o_redirects), .later_busy_o(o_busy), .later_state_we_o(o_we),
        .later_outcome_o_next_pc(o_next_pc), .later_outcome_o_active(o_active), .later_outcome_o_depth(o_depth),
        .later_outcome_o_state(o_state), .later_outcome_o_trap(o_trap));

    always @* begin
        assume (rst == !begun);
        // Of the decoder, see decode_rules.sv.
        assume (flow <= 10 && !(is_end && is_join) && (flow == 0 || !(is_end || is_join)));
        assume (long || ((flow == 0 || flow == BREAKPOINT) && !is_end && !is_join));
        assume (trap == 0 || (flow == 0 && !is_end && !is_join && faults == 0));
        assume (!more || flow == 0);
        assume (flow == 0 || flow == BRX || faults == 0);
        // Of the guard.
        assume ((exec & ~active) == 0);
        assume (exec == active || cond != 15 || !(flow == BRA || flow == RET || flow == BRK));
        // Of the branch unit, see branch_flat.sv.
        assume (depth <= DEPTH && active != 0 && (active & ~alive) == 0 && (active & (call_parked | brk_parked)) == 0);
        assume ((entry[1:0] != CALL || calls != 0) && (entry[1:0] != BREAK || breaks != 0));
        // Of the stack, as far as it was read; rows of an instruction follow each other.
        assume (!was_read || top == entry);
        assume ((rows_row == 0 || in_address) && (x1_row == 0 || !other[0]));
    end

    always @(posedge clk) begin
        begun <= 1;
        cycle <= cycle == 7 ? 7 : cycle + 1;
        if (rows_moves) {in_address, moved} <= {rows_here, 1'b1};
        if (rst) {in_address, moved} <= 0;
        unit_pushed <= unit_pushes;
        told <= ready && rows_now;
        if (rst) begin
            {slot, flow, is_end, is_join, more, trap} <= {slot_any, flow_any, end_any, join_any, more_any, trap_any};
            {cond, target, long, pc, exec, faults}    <= {cond_any, target_any, long_any, pc_any, exec_any, faults_any};
            {active, alive, call_parked, brk_parked}  <= {active_any, alive_any, call_parked_any, brk_parked_any};
            {depth, calls, breaks, entry}             <= {depth_any, calls_any, breaks_any, entry_any};
        end
        was_read <= reads && rows_moves;
        if (in_rows && rows_moves) rows_row <= rows_row == ROWS - 1 ? 0 : rows_row + 1;
        if (in_x1 && x1_moves) x1_row <= x1_row == ROWS - 1 ? 0 : x1_row + 1;
        pushes <= !rst && (pushes || (push_valid && push_slot == slot));
        pushed <= !rst && pushes;
        sees   <= !rst && pushed;
        if (push_valid && told) push <= {push_depth, push_entry};
    end

    reg         unit_pushed = 0;
    wire        rows_now = in_rows && rows_answered && !rows_early, x1_now = in_x1 && x1_answered;
    wire [23:0] follows = pc + (long ? 8 : 4);
    wire        answers = ready && valid && to == slot;
    wire [4*LANES+8:0] state   = we ? {n_active, n_alive, n_call_parked, n_brk_parked, n_depth, n_calls, n_breaks}
                                    : {active, alive, call_parked, brk_parked, depth, calls, breaks};
    wire [4*LANES+8:0] a_state = {a_active, a_alive, a_call_parked, a_brk_parked, a_depth, a_calls, a_breaks};

    always @* if (begun && !rst) begin
        same_answer:  assert (!answers || (!busy && !a_waits && !a_finished && (a_trap == 0 || faults != 0)
                                           && !waits && !finished && !trapped
                                           && (falls ? follows : goes_to) == a_next_pc && state == a_state));
        same_push:    assert (!sees || push == {depth + 3'd1, a_pushed});
        same_outcome: assert (!answers || (!o_busy && !o_we && o_redirects == (o_trap != 0)
                                           && {o_next_pc, o_active, o_depth, o_state, o_trap}
                                              == {a_next_pc, ao_active, ao_depth, ao_state, a_trap}));
        told_once:    assert (!ready || (answers == (rows_now || x1_now) && !(rows_now && (x1_answered || more))
                                         && !(in_rows && rows_early && !rows_answered) && !(x1_now && x1_early)));
        unit_first:   assert ((!unit_may || (!valid && !x1_answered && (rows_answered == rows_early)))
                              && !(push_valid && unit_pushed));
    end
endmodule
