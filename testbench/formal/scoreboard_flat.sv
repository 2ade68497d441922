// SPDX-License-Identifier: Apache-2.0
// Properties of scoreboard.vhd, about any register, C register and A register of any warp: no instruction reads one
// before what an earlier instruction of the warp writes is there, nor writes one that a load will write later or that a
// late result has still to reach. Around it stand the stages K and H as issue.vhd has them, K with anything in it,
// and the pipeline as rtl/operands/operand.vhd and execute.vhd move it: I, A, B, M as one, N to X3 as one, each only when
// those ahead move; a row in N may go on in several beats; nothing stops behind Y. Of what is in it only beats of that
// warp count, and which of the registers they write; what else the scoreboard sees of a stage is anything. R and C
// registers are read at the end of G, A registers at the end of I, and what is written at the end of the same cycle is
// not seen. With PIPELINE=0, for what concerns loads alone, it is left out: the scoreboard sees anything in the stages.
module scoreboard_flat_proofs #(
    parameter WARPS = 2, parameter SLOT_BITS = 1, parameter LOADS = 2, parameter PIPELINE = 1
) (
    input clk, input rst,
    // the instruction in K
    input k_valid, input [SLOT_BITS-1:0] k_slot, input [1:0] k_a_from, input [1:0] k_b_from, input [1:0] k_c_from,
    input [6:0] k_a_reg, input [6:0] k_b_reg, input [6:0] k_c_reg, input k_has_guard, input [4:0] k_cond, input k_carry,
    input [1:0] k_creg, input [2:0] k_areg, input [1:0] k_dst, input [6:0] k_dst_reg, input [1:0] k_mem,
    input [2:0] k_mem_size, input k_set_c, input [1:0] k_c_dst, input k_set_a, input [2:0] k_a_dst, input k_a_inc,
    input k_late, input takes,
    // that in H: whether it may issue but for the scoreboard, which word of an access, whether others follow
    input wants, input forgotten, input [1:0] word, input more_any, input looked_at,
    // a beat that starts a warp: not asked, writes anything
    input init, input init_here, input init_writes, input init_sets_c, input init_sets_a,
    // what moves
    input y_leaves, input x_leaves, input m_sends, input n_leaves, input other_whole,
    input load_done, input [SLOT_BITS-1:0] load_slot,
    // the stages I to Y
    input [1:12] valid, input [0:12*SLOT_BITS-1] slots, input [0:23] rows, input [0:23] dsts, input [0:83] dst_regs,
    input [1:12] set_cs, input [0:23] c_dsts, input [1:12] set_as, input [0:35] a_dsts,
    input [1:12] a_incs, input [0:35] aregs, input [1:12] lates
);
    localparam M = 4, N = 5, G = 6, Y = 12, W = 13, EARLY = 14, LATE = 19;
    localparam INSN_BITS = SLOT_BITS + 62;

    // ---- K and H; beside the pipeline no loads, which the other properties are about
    wire [1:0] k_access = PIPELINE && k_mem != 3 ? 0 : k_mem;
    wire [INSN_BITS-1:0] k = {k_slot, k_a_from, k_b_from, k_c_from, k_a_reg, k_b_reg, k_c_reg, k_has_guard, k_cond,
                              k_carry, k_creg, k_areg, k_dst, k_dst_reg, k_access, k_mem_size, k_set_c, k_c_dst, k_set_a,
                              k_a_dst, k_a_inc, k_late};
    reg  [INSN_BITS-1:0] h;
    reg                  h_valid = 0, h_clash, h_busy;
    reg                  issues;
    reg                  begun = 0;                // words of it have issued

    wire [SLOT_BITS-1:0] slot, q_slot;
    wire [1:0] a_from, b_from, c_from, creg, dst, mem, c_dst, q_a_from, q_b_from, q_c_from, q_creg, q_dst, q_mem, q_c_dst;
    wire [6:0] a_reg, b_reg, c_base, dst_base, q_a_reg, q_b_reg, q_c_reg, q_dst_reg;
    wire [4:0] cond, q_cond;
    wire [2:0] areg, mem_size, a_dst, q_areg, q_mem_size, q_a_dst;
    wire       has_guard, carry, set_c, set_a, a_inc, late, q_has_guard, q_carry, q_set_c, q_set_a, q_a_inc, q_late;
    assign {slot, a_from, b_from, c_from, a_reg, b_reg, c_base, has_guard, cond, carry, creg, areg, dst, dst_base, mem,
            mem_size, set_c, c_dst, set_a, a_dst, a_inc, late} = h;
    assign {q_slot, q_a_from, q_b_from, q_c_from, q_a_reg, q_b_reg, q_c_reg, q_has_guard, q_cond, q_carry, q_creg,
            q_areg, q_dst, q_dst_reg, q_mem, q_mem_size, q_set_c, q_c_dst, q_set_a, q_a_dst, q_a_inc, q_late} = k;

    wire        clash, held, busy, full;
    wire [WARPS-1:0] load_busy;
    wire        front  = x_leaves && n_leaves && m_sends;
    scoreboard_flat dut (
        .clk(clk), .rst(rst), .asking_slot_i(q_slot), .a_from_i(q_a_from), .b_from_i(q_b_from), .c_from_i(q_c_from),
        .a_reg_i(q_a_reg), .b_reg_i(q_b_reg), .c_reg_i(q_c_reg), .has_guard_i(q_has_guard), .cond_i(q_cond),
        .carry_i(q_carry), .creg_i(q_creg), .areg_i(q_areg), .dst_i(q_dst), .dst_reg_i(q_dst_reg), .mem_i(q_mem),
        .mem_size_i(q_mem_size), .set_c_i(q_set_c), .c_dst_i(q_c_dst), .front_moves_i(front), .back_moves_i(x_leaves),
        .clash_o(clash), .held_o(held), .busy_o(busy), .takes_i(h_free), .slot_i(slot), .h_mem_i(mem), .h_mem_size_i(mem_size), .h_dst_reg_i(dst_base), .begun_i(begun),
        .issues_i(issues), .full_o(full), .load_done_i(load_done),
        .load_slot_i(load_slot), .load_busy_o(load_busy), .stage_valid_i(valid), .stage_slot_i(slots),
        .stage_row_i(rows), .stage_dst_i(dsts), .stage_dst_reg_i(dst_regs),
        .stage_set_c_i(set_cs), .stage_c_dst_i(c_dsts), .stage_set_a_i(set_as), .stage_a_dst_i(a_dsts),
        .stage_a_inc_i(a_incs), .stage_areg_i(aregs), .stage_late_i(lates));

    // ---- any warp, one register of each kind, any width of the machine
    (* anyconst *) reg [SLOT_BITS-1:0] S;
    (* anyconst *) reg [6:0] R;
    (* anyconst *) reg [1:0] C;
    (* anyconst *) reg [2:0] A;
    (* anyconst *) reg [1:0] last_row;
    reg running = 0;
    reg issued = 0;                                // in the cycle before, by this warp: it is not in K yet
    reg [SLOT_BITS-1:0] issued_slot;
    always @* begin
        assume (rst == !running);
        assume (last_row != 2 && A != 0 && S < WARPS);
        assume (k_slot < WARPS && k_mem_size <= 4);
        assume (k_access == 0 || !(k_set_c || k_set_a));         // of the decoder
        assume (k_access != 3 || k_dst == 0);
        assume (!(k_valid && h_valid && k_slot == slot) && !(k_valid && issued && k_slot == issued_slot));
        assume (!(init && init_here && ((k_valid && k_slot == S) || (h_valid && slot == S))));
        assume (!(init && init_here && (in & is_late) != 0)); // what the warp before it in its slot wrote is there
    end

    // ---- the instruction in H
    wire       is_load = mem == 1 || mem == 2;
    wire [6:0] others  = mem_size == 4 ? 3 : mem_size == 3 ? 1 : 0;   // the words of an access are registers from a
    wire       more    = more_any && others != 0 && mem != 0;         // multiple of their number on
    wire [6:0] this_word = mem != 0 ? word & others : 0;
    wire [6:0] c_reg   = mem == 3 ? (c_base & ~others) | this_word : c_base;
    wire [6:0] dst_reg = is_load ? (dst_base & ~others) | this_word : dst_base;
    wire       is_reg_a = a_from == 1 || a_from == 2;
    wire       is_reg_b = b_from == 1 || b_from == 2;
    wire       is_reg_c = c_from == 1 || c_from == 2;
    wire       here    = slot == S;
    wire       reads_r = (is_reg_a && a_reg == R) || (is_reg_b && b_reg == R) || (is_reg_c && c_reg == R);
    wire       stores_r = mem == 3 && others != 0 && (c_base & ~others) == (R & ~others);
    wire       reads_c = creg == C && ((has_guard && cond != 15) || carry || a_from == 3);
    wire       reads_a = areg == A;
    wire       writes_r = dst != 0 && dst != 3 && !is_load && dst_reg == R;
    wire       loads_r = is_load && (dst_base & ~others) == (R & ~others);
    wire       writes_c = set_c && c_dst == C;
    wire       writes_a = (set_a && a_dst == A) || (a_inc && !more && areg == A);

    // ---- the beats of the warp in I A B M N G L O X1 X2 X3 Y and behind; one instruction, the reader, is looked at
    reg [1:LATE] in, writes, sets_c, sets_a, is_late, is_reader;
    reg [1:0]  row [1:LATE];
    reg        seen, reader_r, reader_c, reader_a;
    wire       whole  = PIPELINE && in[1] ? row[1] == last_row : other_whole;
    wire       enters = front && whole;
    wire       reader = looked_at && !seen && issues && here;
    wire       leaves = h_valid && ((issues && !more) || (!begun && (h_busy || forgotten)));
    wire       h_free = (!h_valid || leaves) && takes;
    always @* issues = running && h_valid && wants && !init && enters && !h_clash && !full
                      && (begun || !(h_busy || forgotten));
    always @* assume (!x_leaves || y_leaves);

    integer s;
    always @(posedge clk) begin
        h_clash <= held;
        if (leaves) h_valid <= 0;
        if (h_free) {h, h_valid, h_clash, h_busy} <= {k, k_valid, clash, busy};
        {issued, issued_slot} <= {issues, slot};

        for (s = W; s <= LATE; s = s + 1) begin
            {in[s], writes[s], sets_c[s], sets_a[s], is_late[s], is_reader[s]} <=
                {in[s-1] && (s > W || y_leaves), writes[s-1], sets_c[s-1], sets_a[s-1], is_late[s-1], is_reader[s-1]};
            row[s] <= row[s-1];
        end
        if (y_leaves) {in[Y], writes[Y], sets_c[Y], sets_a[Y], is_late[Y], is_reader[Y]} <=
            {in[Y-1] && x_leaves, writes[Y-1], sets_c[Y-1], sets_a[Y-1], is_late[Y-1], is_reader[Y-1]};
        if (y_leaves) row[Y] <= row[Y-1];
        if (x_leaves) for (s = N; s < Y; s = s + 1) if (s > N || n_leaves) begin
            {in[s], writes[s], sets_c[s], sets_a[s], is_late[s], is_reader[s]} <=
                {in[s-1] && (s > N || m_sends), writes[s-1], sets_c[s-1], sets_a[s-1], is_late[s-1], is_reader[s-1]};
            row[s] <= row[s-1];
        end
        if (front) begin
            for (s = 2; s <= M; s = s + 1) begin
                {in[s], writes[s], sets_c[s], sets_a[s], is_late[s], is_reader[s]} <=
                    {in[s-1], writes[s-1], sets_c[s-1], sets_a[s-1], is_late[s-1], is_reader[s-1]};
                row[s] <= row[s-1];
            end
            row[1] <= row[1] + 1;
        end
        if (enters) begin
            {in[1], writes[1], sets_c[1], sets_a[1], is_late[1], is_reader[1]} <=
                init ? {init_here, init_writes, init_sets_c, init_sets_a, 2'b0}
                     : {issues && here, writes_r, writes_c, writes_a, late, reader};
            row[1] <= 0;
        end
        if (reader) {seen, reader_r, reader_c, reader_a} <= {1'b1, reads_r, reads_c, reads_a};
        if (rst) {in, seen, h_valid, issued} <= 0;
    end

    // ---- that is what the scoreboard sees of them
    always @* if (PIPELINE) for (s = 1; s <= Y; s = s + 1) begin
        assume (in[s] == (valid[s] && slots[SLOT_BITS*(s-1) +: SLOT_BITS] == S));
        if (in[s]) begin
            assume (rows[2*s-2 +: 2] == row[s]);
            assume (lates[s] == is_late[s]);
            assume (!writes[s] || (dsts[2*s-2 +: 2] != 0 && dsts[2*s-2 +: 2] != 3 && dst_regs[7*s-7 +: 7] == R));
            assume (sets_c[s] == (set_cs[s] && c_dsts[2*s-2 +: 2] == C));
            assume (sets_a[s] == ((set_as[s] && a_dsts[3*s-3 +: 3] == A) || (a_incs[s] && aregs[3*s-3 +: 3] == A)));
        end
    end

    // ---- loads under way, a ring, as they come back in their order; one, that writes R, is looked at
    localparam LOAD_BITS = $clog2(LOADS);
    reg [LOADS-1:0]     under_way = 0, of_warp = 0;
    reg [LOAD_BITS-1:0] oldest = 0, free = 0, place;
    reg                 awaited = 0, own = 0;      // that one, and it is of the instruction in H
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
        assign ahead_g[g] = g > G && pending[g] && !is_reader[g] && row[g] == row[G];
        assign ahead_i[g] = g > 1 && g <= W && in[g] && !is_reader[g] && row[g] == row[1];
        assign behind[g]  = g > EARLY && pending[g] && row[g] == row[EARLY];
    end endgenerate
    wire g_reads = in[G] && is_reader[G] && x_leaves;
    wire i_reads = in[1] && is_reader[1] && front;
    wire early_writes = in[EARLY] && !is_late[EARLY];
    always @* if (running) begin
        register_written: assert (!(g_reads && reader_r) || (ahead_g & writes) == 0);
        flags_written:    assert (!(g_reads && reader_c) || (ahead_g & sets_c) == 0);
        address_written:  assert (!(i_reads && reader_a) || (ahead_i & sets_a) == 0);
        in_order:         assert (!early_writes || ((!writes[EARLY] || (behind & writes) == 0)
                                                    && (!sets_c[EARLY] || (behind & sets_c) == 0)));
        load_back:        assert (!(issues && here && awaited && (reads_r || (!begun && (stores_r || writes_r))))
                                  || (begun && own));
        none_forgotten:   assert (!begins || !under_way[free]);
        // Nor in the cycle after.
        load_told:        assert (load_busy[S] == ((noted & of_warp) != 0 || had_loads));
    end
endmodule
