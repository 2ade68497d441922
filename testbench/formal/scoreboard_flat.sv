// SPDX-License-Identifier: Apache-2.0
// Properties of scoreboard.vhd, about any register, C register and A register of any warp: no instruction reads one
// before what an earlier instruction of the warp writes is there, nor writes one that a load will write later or that a
// late result has still to reach. Around it stand the stages CHECK and HOLD as issue.vhd has them, CHECK with anything
// in it, and the pipeline as rtl/operands/operand.vhd and execute.vhd move it: ROWS to PASS as one, MEMORY to X3 as
// one, each only when those ahead move; a row in MEMORY may go on in several beats; nothing stops behind RESOLVE. Of
// what is in it only beats of that warp count, and which of the registers they write; what else the scoreboard sees of
// a stage is anything. R and C registers are read at the end of FILES, A registers at the end of ROWS, and what is
// written at the end of the same cycle is not seen. With PIPELINE=0, for what concerns loads alone, it is left out: the
// scoreboard sees anything in the stages.
module scoreboard_flat_proofs #(
    parameter WARPS = 2, parameter SLOT_BITS = 1, parameter LOADS = 2, parameter PIPELINE = 1
) (
    input clk, input rst,
    // the instruction in CHECK
    input check_valid, input [SLOT_BITS-1:0] check_slot, input [1:0] check_src_a_from, input [1:0] check_src_b_from,
        input [1:0] check_src_c_from,
    input [6:0] check_src_a_reg, input [6:0] check_src_b_reg, input [6:0] check_src_c_reg, input check_has_guard,
        input [4:0] check_cond, input check_carry,
    input [1:0] check_creg, input [2:0] check_areg, input [1:0] check_dst, input [6:0] check_dst_reg,
        input [1:0] check_mem,
    input [2:0] check_mem_size, input check_creg_set, input [1:0] check_creg_dst, input check_areg_set,
        input [2:0] check_areg_dst, input check_areg_inc,
    input check_late, input takes,
    // that in HOLD: whether it may issue but for the scoreboard, which word of an access, whether others follow
    input wants, input forgotten, input [1:0] word, input more_any, input looked_at,
    // a beat that starts a warp: not asked, writes anything
    input init, input init_here, input init_writes, input init_sets_c, input init_sets_a,
    // the stages that move
    input resolve_leaves, input execute_moves, input pass_sends, input memory_leaves, input other_whole,
    input load_done, input [SLOT_BITS-1:0] load_slot,
    // the stages ROWS to RESOLVE
    input [1:12] valid, input [0:12*SLOT_BITS-1] slots, input [0:23] rows, input [0:23] dsts, input [0:83] dst_regs,
    input [1:12] creg_sets, input [0:23] creg_dsts, input [1:12] areg_sets, input [0:35] areg_dsts,
    input [1:12] areg_incs, input [0:35] aregs, input [1:12] lates
);
    localparam PASS = 4, MEMORY = 5, FILES = 6, RESOLVE = 12, WRITE = 13, EARLY = 14, LATE = 19;
    localparam INSN_BITS = SLOT_BITS + 62;

    // ---- CHECK and HOLD; beside the pipeline no loads, which the other properties are about
    wire [1:0] check_access = PIPELINE && check_mem != 3 ? 0 : check_mem;
    wire [INSN_BITS-1:0] check_insn = {check_slot, check_src_a_from, check_src_b_from, check_src_c_from,
        check_src_a_reg, check_src_b_reg,
        check_src_c_reg, check_has_guard, check_cond,
                              check_carry, check_creg, check_areg, check_dst, check_dst_reg, check_access,
                                  check_mem_size, check_creg_set, check_creg_dst, check_areg_set,
                              check_areg_dst, check_areg_inc, check_late};
    reg  [INSN_BITS-1:0] hold_insn;
    reg                  hold_valid = 0, hold_clash, hold_busy;
    reg                  issues;
    reg                  begun = 0;                // words of it have issued

    wire [SLOT_BITS-1:0] slot, asked_slot;
    wire [1:0] src_a_from, src_b_from, src_c_from, creg, dst, mem, creg_dst, asked_src_a_from, asked_src_b_from,
        asked_src_c_from, asked_creg,
        asked_dst, asked_mem, asked_creg_dst;
    wire [6:0] src_a_reg, src_b_reg, c_base, dst_base, asked_src_a_reg, asked_src_b_reg, asked_src_c_reg, asked_dst_reg;
    wire [4:0] cond, asked_cond;
    wire [2:0] areg, mem_size, areg_dst, asked_areg, asked_mem_size, asked_areg_dst;
    wire       has_guard, carry, creg_set, areg_set, areg_inc, late, asked_has_guard, asked_carry, asked_creg_set,
        asked_areg_set,
        asked_areg_inc, asked_late;
    assign {slot, src_a_from, src_b_from, src_c_from, src_a_reg, src_b_reg, c_base, has_guard, cond, carry, creg,
        areg, dst, dst_base, mem,
            mem_size, creg_set, creg_dst, areg_set, areg_dst, areg_inc, late} = hold_insn;
    assign {asked_slot, asked_src_a_from, asked_src_b_from, asked_src_c_from, asked_src_a_reg, asked_src_b_reg,
        asked_src_c_reg,
        asked_has_guard, asked_cond, asked_carry, asked_creg,
            asked_areg, asked_dst, asked_dst_reg, asked_mem, asked_mem_size, asked_creg_set, asked_creg_dst,
                asked_areg_set,
                asked_areg_dst, asked_areg_inc, asked_late} = check_insn;

    wire        clash, held, busy, full;
    wire [WARPS-1:0] load_busy;
    wire        front  = execute_moves && memory_leaves && pass_sends;
    scoreboard_flat dut (
        .clk(clk), .rst(rst), .asking_slot_i(asked_slot), .src_a_from_i(asked_src_a_from),
            .src_b_from_i(asked_src_b_from),
            .src_c_from_i(asked_src_c_from),
        .src_a_reg_i(asked_src_a_reg), .src_b_reg_i(asked_src_b_reg), .src_c_reg_i(asked_src_c_reg),
            .has_guard_i(asked_has_guard),
            .cond_i(asked_cond),
        .carry_i(asked_carry), .creg_i(asked_creg), .areg_i(asked_areg), .dst_i(asked_dst), .dst_reg_i(asked_dst_reg),
            .mem_i(asked_mem),
        .mem_size_i(asked_mem_size), .creg_set_i(asked_creg_set), .creg_dst_i(asked_creg_dst), .front_moves_i(front),
            .back_moves_i(execute_moves),
        .clash_o(clash), .held_o(held), .busy_o(busy), .takes_i(hold_free), .slot_i(slot), .hold_mem_i(mem),
            .hold_mem_size_i(mem_size), .hold_dst_reg_i(dst_base), .begun_i(begun),
        .issues_i(issues), .full_o(full), .load_done_i(load_done),
        .load_slot_i(load_slot), .load_busy_o(load_busy), .stage_valid_i(valid), .stage_slot_i(slots),
        .stage_row_i(rows), .stage_dst_i(dsts), .stage_dst_reg_i(dst_regs),
        .stage_creg_set_i(creg_sets), .stage_creg_dst_i(creg_dsts), .stage_areg_set_i(areg_sets),
            .stage_areg_dst_i(areg_dsts),
        .stage_areg_inc_i(areg_incs), .stage_areg_i(aregs), .stage_late_i(lates));

    // ---- any warp, one register of each kind, any width of the machine
    (* anyconst *) reg [SLOT_BITS-1:0] S;
    (* anyconst *) reg [6:0] R;
    (* anyconst *) reg [1:0] C;
    (* anyconst *) reg [2:0] A;
    (* anyconst *) reg [1:0] last_row;
    reg running = 0;
    reg issued = 0;                                // in the cycle before, by this warp: it is not in CHECK yet
    reg [SLOT_BITS-1:0] issued_slot;
    always @* begin
        assume (rst == !running);
        assume (last_row != 2 && A != 0 && S < WARPS);
        assume (check_slot < WARPS && check_mem_size <= 4);
        assume (check_access == 0 || !(check_creg_set || check_areg_set));         // of the decoder
        assume (check_access != 3 || check_dst == 0);
        assume (!(check_valid && hold_valid && check_slot == slot) && !(check_valid && issued
            && check_slot == issued_slot));
        assume (!(init && init_here && ((check_valid && check_slot == S) || (hold_valid && slot == S))));
        assume (!(init && init_here && (in & is_late) != 0)); // results of the warp before it in its slot are there
    end

    // ---- the instruction in HOLD
    wire       is_load = mem == 1 || mem == 2;
    wire [6:0] others  = mem_size == 4 ? 3 : mem_size == 3 ? 1 : 0;   // the words of an access are registers from a
    wire       more    = more_any && others != 0 && mem != 0;         // multiple of their number on
    wire [6:0] this_word = mem != 0 ? word & others : 0;
    wire [6:0] src_c_reg   = mem == 3 ? (c_base & ~others) | this_word : c_base;
    wire [6:0] dst_reg = is_load ? (dst_base & ~others) | this_word : dst_base;
    wire       is_reg_a = src_a_from == 1 || src_a_from == 2;
    wire       is_reg_b = src_b_from == 1 || src_b_from == 2;
    wire       is_reg_c = src_c_from == 1 || src_c_from == 2;
    wire       here    = slot == S;
    wire       reads_r = (is_reg_a && src_a_reg == R) || (is_reg_b && src_b_reg == R) || (is_reg_c && src_c_reg == R);
    wire       stores_r = mem == 3 && others != 0 && (c_base & ~others) == (R & ~others);
    wire       reads_c = creg == C && ((has_guard && cond != 15) || carry || src_a_from == 3);
    wire       reads_a = areg == A;
    wire       writes_r = dst != 0 && dst != 3 && !is_load && dst_reg == R;
    wire       loads_r = is_load && (dst_base & ~others) == (R & ~others);
    wire       writes_c = creg_set && creg_dst == C;
    wire       writes_a = (areg_set && areg_dst == A) || (areg_inc && !more && areg == A);

    // ---- the beats of the warp in ROWS to RESOLVE and behind; one instruction, the reader, is looked at
    reg [1:LATE] in, writes, sets_creg, sets_areg, is_late, is_reader;
    reg [1:0]  row [1:LATE];
    reg        seen, reader_r, reader_c, reader_a;
    wire       whole  = PIPELINE && in[1] ? row[1] == last_row : other_whole;
    wire       enters = front && whole;
    wire       reader = looked_at && !seen && issues && here;
    wire       leaves = hold_valid && ((issues && !more) || (!begun && (hold_busy || forgotten)));
    wire       hold_free = (!hold_valid || leaves) && takes;
    always @* issues = running && hold_valid && wants && !init && enters && !hold_clash && !full
                      && (begun || !(hold_busy || forgotten));
    always @* assume (!execute_moves || resolve_leaves);

    integer s;
    always @(posedge clk) begin
        hold_clash <= held;
        if (leaves) hold_valid <= 0;
        if (hold_free) {hold_insn, hold_valid, hold_clash, hold_busy} <= {check_insn, check_valid, clash, busy};
        {issued, issued_slot} <= {issues, slot};

        for (s = WRITE; s <= LATE; s = s + 1) begin
            {in[s], writes[s], sets_creg[s], sets_areg[s], is_late[s], is_reader[s]} <=
                {in[s-1] && (s > WRITE || resolve_leaves), writes[s-1], sets_creg[s-1], sets_areg[s-1], is_late[s-1],
                    is_reader[s-1]};
            row[s] <= row[s-1];
        end
        if (resolve_leaves) {in[RESOLVE], writes[RESOLVE], sets_creg[RESOLVE], sets_areg[RESOLVE], is_late[RESOLVE],
            is_reader[RESOLVE]} <=
            {in[RESOLVE-1] && execute_moves, writes[RESOLVE-1], sets_creg[RESOLVE-1], sets_areg[RESOLVE-1],
                is_late[RESOLVE-1], is_reader[RESOLVE-1]};
        if (resolve_leaves) row[RESOLVE] <= row[RESOLVE-1];
        if (execute_moves) for (s = MEMORY; s < RESOLVE; s = s + 1) if (s > MEMORY || memory_leaves) begin
            {in[s], writes[s], sets_creg[s], sets_areg[s], is_late[s], is_reader[s]} <=
                {in[s-1] && (s > MEMORY || pass_sends), writes[s-1], sets_creg[s-1], sets_areg[s-1], is_late[s-1],
                    is_reader[s-1]};
            row[s] <= row[s-1];
        end
        if (front) begin
            for (s = 2; s <= PASS; s = s + 1) begin
                {in[s], writes[s], sets_creg[s], sets_areg[s], is_late[s], is_reader[s]} <=
                    {in[s-1], writes[s-1], sets_creg[s-1], sets_areg[s-1], is_late[s-1], is_reader[s-1]};
                row[s] <= row[s-1];
            end
            row[1] <= row[1] + 1;
        end
        if (enters) begin
            {in[1], writes[1], sets_creg[1], sets_areg[1], is_late[1], is_reader[1]} <=
                init ? {init_here, init_writes, init_sets_c, init_sets_a, 2'b0}
                     : {issues && here, writes_r, writes_c, writes_a, late, reader};
            row[1] <= 0;
        end
        if (reader) {seen, reader_r, reader_c, reader_a} <= {1'b1, reads_r, reads_c, reads_a};
        if (rst) {in, seen, hold_valid, issued} <= 0;
    end

    // ---- that is what the scoreboard sees of them
    always @* if (PIPELINE) for (s = 1; s <= RESOLVE; s = s + 1) begin
        assume (in[s] == (valid[s] && slots[SLOT_BITS*(s-1) +: SLOT_BITS] == S));
        if (in[s]) begin
            assume (rows[2*s-2 +: 2] == row[s]);
            assume (lates[s] == is_late[s]);
            assume (!writes[s] || (dsts[2*s-2 +: 2] != 0 && dsts[2*s-2 +: 2] != 3 && dst_regs[7*s-7 +: 7] == R));
            assume (sets_creg[s] == (creg_sets[s] && creg_dsts[2*s-2 +: 2] == C));
            assume (sets_areg[s] == ((areg_sets[s] && areg_dsts[3*s-3 +: 3] == A) || (areg_incs[s]
                && aregs[3*s-3 +: 3] == A)));
        end
    end

    // ---- loads under way, a ring, as they come back in their order; one, that writes R, is looked at
    localparam LOAD_BITS = $clog2(LOADS);
    reg [LOADS-1:0]     under_way = 0, of_warp = 0;
    reg [LOAD_BITS-1:0] oldest = 0, free = 0, place;
    reg                 awaited = 0, own = 0;      // that one, and it is of the instruction in HOLD
    reg                 fresh = 0;                 // the newest began in the cycle before: it comes back later
    reg                 had_loads = 0;             // the warp, in the cycle before
    wire                begins = issues && is_load && !begun;
    wire [LOADS-1:0]    noted  = under_way & ~(fresh << (free - 1'b1));
    always @* assume (!load_done || (noted[oldest] && of_warp[oldest] == (load_slot == S) && load_slot < WARPS));

    // The words of one instruction issue one behind the other.
    reg hits;
    always @* if (begun) assume (!reads_r || hits);
    always @(posedge clk) begin
        running <= 1;
        fresh   <= begins;
        had_loads <= (noted & of_warp) != 0;
        if (issues) begun <= more;
        if (issues && !begun) begin
            hits     <= reads_r || stores_r;
            own      <= 0;
        end
        if (load_done) begin
            under_way[oldest] <= 0;
            oldest            <= oldest + 1;
            if (oldest == place) awaited <= 0;
        end
        if (begins) begin
            under_way[free] <= 1;
            of_warp[free]   <= here;
            free            <= free + 1;
            if (!awaited && here && loads_r && looked_at) {awaited, own, place} <= {2'b11, free};
        end
    end

    wire [1:LATE] pending, ahead_g, ahead_i, behind;
    genvar g;
    generate for (g = 1; g <= LATE; g = g + 1) begin
        assign pending[g] = in[g] && (g <= EARLY || is_late[g]);               // not written yet
        assign ahead_g[g] = g > FILES && pending[g] && !is_reader[g] && row[g] == row[FILES];
        assign ahead_i[g] = g > 1 && g <= WRITE && in[g] && !is_reader[g] && row[g] == row[1];
        assign behind[g]  = g > EARLY && pending[g] && row[g] == row[EARLY];
    end endgenerate
    wire g_reads = in[FILES] && is_reader[FILES] && execute_moves;
    wire i_reads = in[1] && is_reader[1] && front;
    wire early_writes = in[EARLY] && !is_late[EARLY];
    always @* if (running) begin
        register_written: assert (!(g_reads && reader_r) || (ahead_g & writes) == 0);
        flags_written:    assert (!(g_reads && reader_c) || (ahead_g & sets_creg) == 0);
        address_written:  assert (!(i_reads && reader_a) || (ahead_i & sets_areg) == 0);
        in_order:         assert (!early_writes || ((!writes[EARLY] || (behind & writes) == 0)
                                                    && (!sets_creg[EARLY] || (behind & sets_creg) == 0)));
        load_back:        assert (!(issues && here && awaited && (reads_r || (!begun && (stores_r || writes_r))))
                                  || (begun && own));
        none_forgotten:   assert (!begins || !under_way[free]);
        // Nor in the cycle after.
        load_told:        assert (load_busy[S] == ((noted & of_warp) != 0 || had_loads));
    end
endmodule
