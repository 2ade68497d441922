// SPDX-License-Identifier: Apache-2.0
// An SM of another kind than ours (rtl/), to be checked in lockstep: docs/bring-your-own-rtl.md. It runs one warp after
// the other and one lane after the other: an instruction is a walk through the states FETCH, DECODE, CHECK (of
// addresses), LANE (32 cycles), LEAVE, POP (until a lane is active) and RETIRE. It has fourteen operations in their
// 32-bit long forms, guards, flags and the warp stack without calls; no shared memory, no barriers, no constants. What
// it lacks is an undefined instruction.
//
// While rst is high, load_* writes code and global memory and the launch inputs are taken. In the cycle in which
// `retire` is high the trace outputs t_* say what one instruction changed; they are those of docs/trace.md.
module serial_sm #(
    parameter CODE_WORDS = 4096, GLOBAL_WORDS = 16384, STACK = 32
) (
    input              clk, rst,
    input              load_code, load_global,
    input       [31:0] load_word,                  // number of the word that is written
    input       [31:0] load_data,
    input       [31:0] code_words,
    input       [15:0] grid_x, grid_y,
    input       [10:0] block_x, block_y, block_z,  // threads
    input        [7:0] regs,                       // of a thread, at most 64
    input       [31:0] peek_word,
    output      [31:0] peek_data,                  // that word of global memory
    output reg         done,
    output reg         retire,
    output reg  [15:0] t_block_x, t_block_y,
    output reg   [7:0] t_warp,
    output reg  [23:0] t_pc,
    output reg  [31:0] t_word_lo, t_word_hi, t_active, t_exec,
    output reg   [1:0] t_dst_kind,
    output reg   [7:0] t_dst_reg,
    output reg  [31:0] t_dst_mask,
    output reg [1023:0] t_dst,                     // lane 0 in the lowest bits
    output reg   [1:0] t_c_reg,
    output reg  [31:0] t_c_mask,
    output reg [127:0] t_c,
    output reg   [2:0] t_mem_kind,
    output reg  [31:0] t_mem_mask,
    output reg [1023:0] t_addr, t_data,
    output reg  [23:0] t_next_pc,
    output reg  [31:0] t_next_active,
    output reg   [7:0] t_depth,
    output reg   [1:0] t_state,
    output reg   [3:0] t_trap
);
    localparam BEGIN = 0, FETCH = 1, DECODE = 2, CHECK = 3, LANE = 4, LEAVE = 5, POP = 6, RETIRE = 7, STOP = 8;
    localparam SYNC = 0, DIVERGE = 1;
    localparam UNDEFINED = 1, BEYOND_CODE = 3, MISALIGNED = 8, OUT_OF_RANGE = 9, OVERFLOW = 12;

    reg [31:0] code [0:CODE_WORDS-1];
    reg [31:0] global [0:GLOBAL_WORDS-1];
    reg [31:0] r [0:2047];                         // {register, lane}
    reg  [3:0] c [0:127];                          // {C register, lane}: O C S Z
    reg [57:0] stack [0:STACK-1];                  // token, pc, mask

    reg  [3:0] state;
    reg  [5:0] lane;
    reg [10:0] x, y, z;                            // of the next thread of the block
    reg [31:0] lo, hi, active, alive, exec;
    reg [23:0] pc, next;
    reg  [7:0] depth, warp;
    reg [15:0] block_at_x, block_at_y;
    reg  [3:0] trap;
    reg        ended;                              // the warp has no thread left

    assign peek_data = global[peek_word[13:0]];

    // ---- the instruction's fields, and what it is
    wire       is_imm  = lo[1:0] == 1 && hi[1:0] == 3;
    wire       is_long = lo[1:0] == 1 && hi[1:0] != 3;
    wire       is_flow = lo[1:0] == 3;
    wire [6:0] op      = {lo[31:28], hi[31:29]};
    wire       plain   = is_long && hi[2] == 0 && hi[21] == 0 && lo[27:23] == 0;  // registers only
    wire       arith   = plain && hi[25:22] == 0 && hi[26];
    wire is_mvi   = is_imm && lo[31:28] == 1 && lo[27:22] == 0 && lo[15:9] == 7'h40 && hi[31:28] == 0;
    wire is_addi  = is_imm && lo[31:28] == 2 && lo[27:22] == 0 && lo[15] && !lo[8] && hi[31:28] == 0;
    wire is_add   = arith && lo[31:29] == 1 && hi[31:27] == 0 && lo[21:16] == 0 && !(lo[22] && lo[28]);
    wire is_mov   = arith && op == {4'h1, 3'd0} && lo[22:16] == 0 && hi[28:27] == 0 && hi[20:14] == 15;
    wire is_set   = arith && op == {4'h3, 3'd3} && hi[28] == 0 && hi[20:17] == 0;
    wire is_shl   = arith && op == {4'h3, 3'd6} && hi[28] == 0 && hi[19:14] == 0;
    wire is_shr   = arith && op == {4'h3, 3'd7} && hi[28] == 0 && hi[19:14] == 0;
    wire is_logic = arith && op == {4'hd, 3'd0} && hi[28:27] == 0 && hi[20:18] == 0;
    wire is_word  = is_long && lo[27:16] == 14 && hi[28:14] == 15'h300 && hi[6:2] == 0;
    wire is_load  = is_word && op == {4'hd, 3'd4};
    wire is_store = is_word && op == {4'hd, 3'd5};
    wire is_nop   = plain && op == {4'hf, 3'd7} && lo[22:2] == 0 && hi[28:14] == 0 && hi[6:3] == 0;
    wire is_bra   = is_flow && lo[31:28] == 4'h1;
    wire is_ssy   = is_flow && lo[31:28] == 4'ha;
    wire is_ret   = is_flow && lo[31:28] == 4'h3;
    wire known = is_mvi | is_addi | is_add | is_mov | is_set | is_shl | is_shr | is_logic | is_load | is_store |
                 is_nop | is_bra | is_ssy | is_ret;
    wire is_memory = is_load | is_store;

    wire [6:0] d_field = is_addi ? {1'b0, lo[7:2]} : lo[8:2];
    wire       writes  = !(is_store | is_nop | is_flow) && !(is_long && hi[3]) && d_field != 127 && d_field < regs;
    wire       sets_c  = is_long && hi[6] && !is_memory && !is_nop;
    wire       guarded = (is_long && !is_nop) || is_bra || is_ret;
    wire [23:0] target = {hi[19:14], lo[26:11], 2'b00};
    wire [1:0] marker  = is_long ? hi[1:0] : 2'd0;

    // ---- one lane
    wire [4:0] l = lane[4:0];
    wire [6:0] a_field = is_addi ? {1'b0, lo[14:9]} : lo[15:9];
    wire [6:0] b_field = is_add ? hi[20:14] : lo[22:16];
    wire [31:0] a = a_field == 124 || a_field >= regs ? 0 : r[{a_field[5:0], l}];
    wire [31:0] b_reg = b_field == 124 || b_field >= regs ? 0 : r[{b_field[5:0], l}];
    wire [31:0] imm = {hi[27:2], lo[21:16]};
    wire        counts = (is_shl | is_shr) && hi[20];
    wire [31:0] b = is_addi ? imm : counts ? {25'd0, lo[22:16]} : b_reg;
    wire [31:0] data = lo[8:2] == 124 || lo[8:2] >= regs ? 0 : r[{lo[7:2], l}];

    function holds(input [4:0] code_, input [3:0] f);
        reg fo, fc, fs, fz;
        begin
            {fo, fc, fs, fz} = f;
            case (code_)
                1: holds = (fs & ~fz) ^ fo;      2: holds = fz & ~fs;         3: holds = fs ^ (fz | fo);
                4: holds = ~fz & ~(fs ^ fo);     5: holds = ~fz;              6: holds = ~(fs ^ fo);
                7: holds = ~fz | ~fs;            8: holds = fz & fs;          9: holds = fs ^ fo;
                10: holds = fz;                  11: holds = fz | (fs ^ fo);  12: holds = ~fs ^ (fz | fo);
                13: holds = ~fz | fs;            14: holds = (~fs | fz) ^ fo; 15: holds = 1;
                16: holds = fo;                  17: holds = fc;              18: holds = fc & ~fz;
                19: holds = fs;                  28: holds = ~fs;             29: holds = fz | ~fc;
                30: holds = ~fc;                 31: holds = ~fo;
                default: holds = 0;
            endcase
        end
    endfunction
    wire runs = active[l] && (!guarded || holds(hi[11:7], c[{hi[13:12], l}]));

    wire        minus_b = is_add && lo[22], minus_a = is_add && lo[28];
    wire [31:0] p = minus_a ? ~a : a, q = minus_b ? ~b : b;
    wire [32:0] sum = {1'b0, p} + {1'b0, q} + {32'd0, minus_a | minus_b};
    wire [31:0] log_a = hi[16] ? ~a : a, log_b = hi[17] ? ~b : b;
    wire        less = hi[27] ? $signed(a) < $signed(b) : a < b;
    wire        in_word = b != 0 && b < 32, signed_shift = hi[27];
    wire [31:0] fill = {32{signed_shift & a[31]}};
    wire  [4:0] left = 5'd0 - b[4:0], right = b[4:0] - 5'd1;
    reg  [31:0] result;
    reg   [1:0] carry_overflow;                    // {O, C}
    always @* begin
        carry_overflow = 0;
        result = is_mov ? a : imm;
        if (is_add | is_addi) begin
            result = sum[31:0];
            carry_overflow = {p[31] == q[31] && p[31] != sum[31], sum[32]};
        end
        if (is_set)
            result = {32{(hi[14] & less) | (hi[15] & a == b) | (hi[16] & ~less & a != b)}};
        if (is_logic)
            case (hi[15:14])
                0: result = log_a & log_b;
                1: result = log_a | log_b;
                2: result = log_a ^ log_b;
                3: result = log_b;
            endcase
        if (is_shl) begin
            result = b < 32 ? a << b[4:0] : 0;
            carry_overflow = {b == 1 && a[31] != result[31], in_word & a[left]};
        end
        if (is_shr) begin
            result = b < 32 ? (a >> b[4:0]) | (fill & ~(32'hffffffff >> b[4:0])) : fill;
            carry_overflow = {b == 1 && a[31] != result[31], in_word & a[right]};
        end
        if (is_load) result = global[a[15:2]];
    end
    wire [3:0] flags = {carry_overflow, result[31], result == 0};

    // ---- the walk
    wire [57:0] top = stack[depth - 1];
    task push(input token, input [23:0] to, input [31:0] mask);
        if (depth == STACK) trap <= OVERFLOW;
        else begin
            stack[depth] <= {1'b0, token, to, mask};
            depth <= depth + 1;
        end
    endtask

    task clear_trace;
        begin
            t_exec <= 0; t_dst_kind <= 0; t_dst_reg <= 0; t_dst_mask <= 0; t_dst <= 0; t_c_reg <= 0; t_c_mask <= 0;
            t_c <= 0; t_mem_kind <= 0; t_mem_mask <= 0; t_addr <= 0; t_data <= 0;
        end
    endtask

    // The next warp of the block, or the first of the next block.
    task next_warp;
        begin
            warp <= warp + 1;
            if (z >= block_z) begin
                warp <= 0; x <= 0; y <= 0; z <= 0;
                block_at_x <= block_at_x + 1 == grid_x ? 0 : block_at_x + 1;
                if (block_at_x + 1 == grid_x) begin
                    block_at_y <= block_at_y + 1;
                    if (block_at_y + 1 == grid_y) state <= STOP;
                end
            end
        end
    endtask

    always @(posedge clk) begin
        retire <= 0;
        if (load_code) code[load_word[11:0]] <= load_data;
        if (load_global) global[load_word[13:0]] <= load_data;
        case (state)
            // R0 of each lane says where its thread is in the block; the block may end within the warp.
            BEGIN: begin
                r[{6'd0, l}] <= {z[5:0], y[9:0], 5'd0, x};
                if (z < block_z) alive[l] <= 1;
                x <= x + 1 == block_x ? 0 : x + 1;
                if (x + 1 == block_x) y <= y + 1 == block_y ? 0 : y + 1;
                if (x + 1 == block_x && y + 1 == block_y && z < block_z) z <= z + 1;
                lane <= lane + 1;
                if (lane == 31) state <= FETCH;
                pc <= 0; depth <= 0; ended <= 0;
            end
            FETCH: begin
                if (pc == 0 && depth == 0 && active == 0) active <= alive;
                lo <= pc[23:2] < code_words ? code[pc[13:2]] : 0;
                hi <= pc[23:2] + 1 < code_words ? code[pc[13:2] + 1] : 0;
                trap <= pc[23:2] >= code_words ? BEYOND_CODE : 0;
                state <= DECODE;
            end
            DECODE: begin
                clear_trace;
                t_pc <= pc; t_word_lo <= lo; t_word_hi <= lo[0] ? hi : 0; t_active <= active;
                exec <= 0; lane <= 0; next <= pc + 8;
                if (trap == 0 && pc[2] && lo[0]) trap <= UNDEFINED;
                else if (trap == 0 && lo[0] && pc[23:2] + 1 >= code_words) begin
                    trap <= BEYOND_CODE; t_word_lo <= 0; t_word_hi <= 0;
                end
                else if (trap == 0 && !known) trap <= UNDEFINED;
                state <= is_memory ? CHECK : LANE;
                if (trap != 0 || !known || pc[2] || pc[23:2] + 1 >= code_words) state <= RETIRE;
            end
            // Of several lanes the lowest code counts. Nothing has been stored yet.
            CHECK: begin
                if (runs && a[1:0] != 0) trap <= MISALIGNED;
                else if (runs && a >= 4 * GLOBAL_WORDS && trap == 0) trap <= OUT_OF_RANGE;
                lane <= lane == 31 ? 0 : lane + 1;
                if (lane == 31) state <= LANE;
            end
            LANE: begin
                if (trap != 0) state <= RETIRE;
                else begin
                    if (runs) begin
                        exec[l] <= 1;
                        if (writes) begin
                            r[{d_field[5:0], l}] <= result;
                            t_dst_mask[l] <= 1; t_dst[32*l +: 32] <= result;
                        end
                        if (sets_c) begin
                            c[{hi[5:4], l}] <= flags;
                            t_c_mask[l] <= 1; t_c[4*l +: 4] <= flags;
                        end
                        if (is_memory) begin
                            t_mem_mask[l] <= 1; t_addr[32*l +: 32] <= a;
                        end
                        if (is_store) begin
                            global[a[15:2]] <= data;
                            t_data[32*l +: 32] <= data;
                        end
                    end
                    lane <= lane + 1;
                    if (lane == 31) state <= LEAVE;
                end
            end
            // Flow: the address at which the warp goes on, and the marker of others.
            LEAVE: begin
                t_exec <= exec;
                t_dst_kind <= writes; t_dst_reg <= writes ? {1'b0, d_field} : 0;
                t_c_reg <= sets_c ? hi[5:4] : 0;
                t_mem_kind <= is_load ? 1 : is_store ? 2 : 0;
                pc <= next;
                state <= POP;
                if (is_bra && exec != 0) begin
                    pc <= target;
                    active <= exec;
                    if (exec != active) push(DIVERGE, next, active & ~exec);
                end
                if (is_ssy) push(SYNC, target, active);
                if (is_ret) begin
                    alive <= alive & ~exec; active <= active & ~exec;
                end
                if (marker == 1) begin
                    alive <= alive & ~active; active <= 0;
                end
                if (marker == 2) begin
                    active <= depth == 0 ? alive : top[31:0] & alive;
                    if (depth != 0) depth <= depth - 1;
                    if (depth != 0 && top[56]) pc <= top[55:32];
                end
            end
            POP: begin
                if (trap != 0 || active != 0) state <= RETIRE;
                else if (depth == 0) begin
                    ended <= 1;
                    state <= RETIRE;
                end else begin
                    depth <= depth - 1;
                    active <= top[31:0] & alive;
                    pc <= top[56] ? top[55:32] : top[55:32] + 8;
                end
            end
            RETIRE: begin
                retire <= 1;
                t_trap <= trap; t_depth <= depth;
                t_state <= trap != 0 ? 3 : ended ? 2 : 0;
                t_next_pc <= trap != 0 || ended ? 0 : pc;
                t_next_active <= trap != 0 ? 0 : active;
                if (trap != 0) clear_trace;
                lane <= 0; alive <= ended ? 0 : alive;
                state <= trap != 0 ? STOP : ended ? BEGIN : FETCH;
                if (ended && trap == 0) next_warp;
            end
            default: done <= trap == 0;
        endcase
        if (rst) begin
            state <= BEGIN; lane <= 0; x <= 0; y <= 0; z <= 0; alive <= 0; active <= 0; depth <= 0; trap <= 0;
            done <= 0; retire <= 0; warp <= 0; block_at_x <= 0; block_at_y <= 0; pc <= 0;
        end
        if (state == DECODE) begin
            t_warp <= warp; t_block_x <= block_at_x; t_block_y <= block_at_y;
        end
    end
endmodule
