// SPDX-License-Identifier: Apache-2.0
// Properties of rtl/scoreboard.vhd, about any register, C register and A register of any warp: no instruction reads one
// before what an earlier instruction of the warp writes is there, nor writes one that a load will write later. Around
// it stands the pipeline as rtl/operand.vhd and rtl/execute.vhd move it: I, A, M as one, O and X as one, each only when
// those ahead move; a row in M may go on in several beats. Of what is in it only beats of that warp count, and which of
// the registers they write; what else the scoreboard sees of a stage is anything. R and C registers are read at the end
// of M, A registers at the end of I; a write in W, behind Y, is seen by reads of the same cycle (rtl/mem/).
// With PIPELINE=0, for what concerns loads alone, it is left out: the scoreboard sees anything in the stages.
module scoreboard_flat_proofs #(
    parameter WARPS = 2, parameter SLOT_BITS = 1, parameter LOADS = 2, parameter PIPELINE = 1
) (
    input clk, input rst,
    // the instruction, or word of one, in D
    input wants, input [SLOT_BITS-1:0] slot, input [1:0] a_from, input [1:0] b_from, input [1:0] c_from,
    input [6:0] a_reg, input [6:0] b_reg, input [6:0] c_reg, input has_guard, input [4:0] cond, input carry,
    input [1:0] creg, input [2:0] areg, input [1:0] dst, input [6:0] dst_reg, input [1:0] mem, input [2:0] mem_size,
    input set_c, input [1:0] c_dst, input set_a, input [2:0] a_dst, input a_inc, input more, input looked_at,
    // a beat that starts a warp: not asked, writes anything
    input init, input init_here, input init_writes, input init_sets_c, input init_sets_a,
    // what moves
    input y_leaves, input x_leaves, input m_sends, input m_leaves, input other_whole,
    input load_done, input [SLOT_BITS-1:0] load_slot,
    // the stages I to X
    input [1:5] valid, input [0:5*SLOT_BITS-1] slots, input [0:9] rows, input [0:9] dsts, input [0:34] dst_regs,
    input [1:5] set_cs, input [0:9] c_dsts, input [1:5] set_as, input [0:14] a_dsts,
    input [1:5] a_incs, input [0:14] aregs
);
    reg         issues;
    reg         begun = 0;                         // words of it have issued
    wire        clash, busy, full;
    wire [WARPS-1:0] load_busy;
    scoreboard_flat dut (
        .clk(clk), .rst(rst), .slot_i(slot), .a_from_i(a_from), .b_from_i(b_from), .c_from_i(c_from), .a_reg_i(a_reg),
        .b_reg_i(b_reg), .c_reg_i(c_reg), .has_guard_i(has_guard), .cond_i(cond), .carry_i(carry), .creg_i(creg),
        .areg_i(areg), .dst_i(dst), .dst_reg_i(dst_reg), .mem_i(mem), .mem_size_i(mem_size), .begun_i(begun),
        .issues_i(issues), .clash_o(clash), .busy_o(busy), .full_o(full), .load_done_i(load_done),
        .load_slot_i(load_slot), .load_busy_o(load_busy), .stage_valid_i(valid), .stage_slot_i(slots),
        .stage_row_i(rows), .stage_dst_i(dsts), .stage_dst_reg_i(dst_regs),
        .stage_set_c_i(set_cs), .stage_c_dst_i(c_dsts), .stage_set_a_i(set_as), .stage_a_dst_i(a_dsts),
        .stage_a_inc_i(a_incs), .stage_areg_i(aregs));

    // ---- any warp, one register of each kind, any width of the machine
    (* anyconst *) reg [SLOT_BITS-1:0] S;
    (* anyconst *) reg [6:0] R;
    (* anyconst *) reg [1:0] C;
    (* anyconst *) reg [2:0] A;
    (* anyconst *) reg [1:0] last_row;
    reg running = 0;
    always @* begin
        assume (rst == !running);
        assume (last_row != 2 && A != 0 && S < WARPS);
        assume (slot < WARPS && mem_size <= 4);
    end

    // ---- the instruction in D
    wire       is_load = mem == 1 || mem == 2;
    wire [6:0] others  = mem_size == 4 ? 3 : mem_size == 3 ? 1 : 0;   // the words of an access are registers from a
    wire       is_reg_a = a_from == 1 || a_from == 2;                 // multiple of their number on
    wire       is_reg_b = b_from == 1 || b_from == 2;
    wire       is_reg_c = c_from == 1 || c_from == 2;
    wire       here    = slot == S;
    wire       reads_r = (is_reg_a && a_reg == R) || (is_reg_b && b_reg == R) || (is_reg_c && c_reg == R);
    wire       stores_r = mem == 3 && others != 0 && (c_reg & ~others) == (R & ~others);
    wire       reads_c = creg == C && ((has_guard && cond != 15) || carry || a_from == 3);
    wire       reads_a = areg == A;
    wire       writes_r = dst != 0 && dst != 3 && !is_load && dst_reg == R;
    wire       loads_r = is_load && (dst_reg & ~others) == (R & ~others);
    wire       writes_c = set_c && c_dst == C;
    wire       writes_a = (set_a && a_dst == A) || (a_inc && areg == A);

    // ---- the beats of the warp in I A M O X Y; one instruction, the reader, is looked at
    reg [1:6] in, writes, sets_c, sets_a, is_reader;
    reg [1:0] row [1:6];
    reg       seen, reader_r, reader_c, reader_a;
    wire      front  = x_leaves && m_leaves;
    wire      whole  = PIPELINE && in[1] ? row[1] == last_row : other_whole;
    wire      enters = front && whole;
    wire      reader = looked_at && !seen && issues && here;
    always @* issues = running && wants && !init && enters && !clash && !full && (begun || !busy);
    always @* assume ((!x_leaves || y_leaves) && (!m_leaves || m_sends));

    integer s;
    always @(posedge clk) begin
        if (y_leaves) {in[6], writes[6], sets_c[6], sets_a[6], is_reader[6]} <=
            {in[5] && x_leaves, writes[5], sets_c[5], sets_a[5], is_reader[5]};
        if (y_leaves) row[6] <= row[5];
        if (x_leaves) begin
            {in[5], writes[5], sets_c[5], sets_a[5], is_reader[5]} <=
                {in[4], writes[4], sets_c[4], sets_a[4], is_reader[4]};
            {in[4], writes[4], sets_c[4], sets_a[4], is_reader[4]} <=
                {in[3] && m_sends, writes[3], sets_c[3], sets_a[3], is_reader[3]};
            row[5] <= row[4];
            row[4] <= row[3];
        end
        if (front) begin
            {in[3], writes[3], sets_c[3], sets_a[3], is_reader[3]} <=
                {in[2], writes[2], sets_c[2], sets_a[2], is_reader[2]};
            {in[2], writes[2], sets_c[2], sets_a[2], is_reader[2]} <=
                {in[1], writes[1], sets_c[1], sets_a[1], is_reader[1]};
            row[3] <= row[2];
            row[2] <= row[1];
            row[1] <= row[1] + 1;
        end
        if (enters) begin
            {in[1], writes[1], sets_c[1], sets_a[1], is_reader[1]} <=
                init ? {init_here, init_writes, init_sets_c, init_sets_a, 1'b0}
                     : {issues && here, writes_r, writes_c, writes_a, reader};
            row[1] <= 0;
        end
        if (reader) {seen, reader_r, reader_c, reader_a} <= {1'b1, reads_r, reads_c, reads_a};
        if (rst) {in, seen} <= 0;
    end

    // ---- that is what the scoreboard sees of them
    always @* if (PIPELINE) for (s = 1; s <= 5; s = s + 1) begin
        assume (in[s] == (valid[s] && slots[SLOT_BITS*(s-1) +: SLOT_BITS] == S));
        if (in[s]) begin
            assume (rows[2*s-2 +: 2] == row[s]);
            assume (!writes[s] || (dsts[2*s-2 +: 2] != 0 && dsts[2*s-2 +: 2] != 3 && dst_regs[7*s-7 +: 7] == R));
            assume (sets_c[s] == (set_cs[s] && c_dsts[2*s-2 +: 2] == C));
            assume (sets_a[s] == ((set_as[s] && a_dsts[3*s-3 +: 3] == A) || (a_incs[s] && aregs[3*s-3 +: 3] == A)));
        end
    end

    // ---- loads under way, a ring, as they come back in their order; one, that writes R, is looked at
    localparam LOAD_BITS = $clog2(LOADS);
    reg [LOADS-1:0]     under_way = 0, of_warp = 0;
    reg [LOAD_BITS-1:0] oldest = 0, free = 0, place;
    reg                 awaited = 0, own = 0;      // that one, and it is of the instruction in D
    wire                begins = issues && is_load && !begun;
    always @* assume (!load_done || (under_way[oldest] && of_warp[oldest] == (load_slot == S) && load_slot < WARPS));

    // The words of one instruction issue one behind the other.
    reg own_warp, hits;
    always @* if (begun) assume (here == own_warp && (!reads_r || hits));
    always @(posedge clk) begin
        running <= 1;
        if (issues) begun <= more;
        if (issues && !begun) begin
            own_warp <= here;
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

    wire [1:6] ahead_m, ahead_i;
    genvar g;
    generate for (g = 1; g <= 6; g = g + 1) begin
        assign ahead_m[g] = g > 3 && in[g] && !is_reader[g] && row[g] == row[3];
        assign ahead_i[g] = g > 1 && in[g] && !is_reader[g] && row[g] == row[1];
    end endgenerate
    wire m_reads = in[3] && is_reader[3] && x_leaves && m_sends;
    wire i_reads = in[1] && is_reader[1] && front;
    always @* if (running) begin
        register_written: assert (!(m_reads && reader_r) || (ahead_m & writes) == 0);
        flags_written:    assert (!(m_reads && reader_c) || (ahead_m & sets_c) == 0);
        address_written:  assert (!(i_reads && reader_a) || (ahead_i & sets_a) == 0);
        load_back:        assert (!(issues && here && awaited && (reads_r || (!begun && (stores_r || writes_r))))
                                  || (begun && own));
        none_forgotten:   assert (!begins || !under_way[free]);
        load_told:        assert (load_busy[S] == ((under_way & of_warp) != 0));
    end
endmodule
