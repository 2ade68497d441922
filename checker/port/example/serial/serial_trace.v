// SPDX-License-Identifier: Apache-2.0
// Runs serial_sm.v without any C: prints what retires as the text form of docs/trace.md, to be checked offline. Any
// simulator of Verilog runs it. Plusargs: trace=FILE, what is written; code=FILE and global=FILE (words in hexadecimal,
// for $readmemh), grid_x=N, block_x=N, block_y=N, regs=N.
module serial_trace;
    reg clk = 0, rst = 1;
    reg [31:0] grid_x = 1, block_x = 32, block_y = 1, regs = 16, code_words = 0, cycle = 0;
    reg [1023:0] file;
    integer out, n;

    wire done, retire;
    wire [15:0] t_block_x, t_block_y;
    wire [7:0] t_warp, t_dst_reg, t_depth;
    wire [23:0] t_pc, t_next_pc;
    wire [31:0] t_word_lo, t_word_hi, t_active, t_exec, t_dst_mask, t_c_mask, t_mem_mask, t_next_active, peek_data;
    wire [1:0] t_dst_kind, t_c_reg, t_state;
    wire [1023:0] t_dst, t_addr, t_data;
    wire [127:0] t_c;
    wire [2:0] t_mem_kind;
    wire [3:0] t_trap;

    serial_sm sm (
        .clk(clk), .rst(rst), .load_code(1'b0), .load_global(1'b0), .load_word(32'd0), .load_data(32'd0),
        .code_words(code_words), .grid_x(grid_x[15:0]), .grid_y(16'd1), .block_x(block_x[10:0]),
        .block_y(block_y[10:0]), .block_z(11'd1), .regs(regs[7:0]), .peek_word(32'd0), .peek_data(peek_data),
        .done(done), .retire(retire), .t_block_x(t_block_x), .t_block_y(t_block_y), .t_warp(t_warp), .t_pc(t_pc),
        .t_word_lo(t_word_lo), .t_word_hi(t_word_hi), .t_active(t_active), .t_exec(t_exec), .t_dst_kind(t_dst_kind),
        .t_dst_reg(t_dst_reg), .t_dst_mask(t_dst_mask), .t_dst(t_dst), .t_c_reg(t_c_reg), .t_c_mask(t_c_mask),
        .t_c(t_c), .t_mem_kind(t_mem_kind), .t_mem_mask(t_mem_mask), .t_addr(t_addr), .t_data(t_data),
        .t_next_pc(t_next_pc), .t_next_active(t_next_active), .t_depth(t_depth), .t_state(t_state), .t_trap(t_trap));

    // The values of all 32 lanes; those outside the mask are not read.
    task print_lanes(input [1023:0] values);
        integer lane;
        begin
            $fwrite(out, "%08x", values[31:0]);
            for (lane = 1; lane < 32; lane = lane + 1) $fwrite(out, ",%08x", values[32*lane +: 32]);
        end
    endtask
    task print_flags(input [127:0] values);
        integer lane;
        begin
            $fwrite(out, "%01x", values[3:0]);
            for (lane = 1; lane < 32; lane = lane + 1) $fwrite(out, ",%01x", values[4*lane +: 4]);
        end
    endtask

    // The word names the C register that it writes: the machine reports c_reg 0 also where it writes none.
    wire writes_c = t_word_lo[1:0] == 1 && t_word_hi[1:0] != 3 && t_word_hi[6] && t_trap == 0;
    task print_record;
        begin
            $fwrite(out, "%0d sm0 slot%0d block(%0d,%0d)", cycle, t_warp, t_block_x, t_block_y);
            $fwrite(out, " warp%0d %06x: |", t_warp, t_pc);
            $fwrite(out, " active=%08x exec=%08x word=%08x,%08x", t_active, t_exec, t_word_lo, t_word_hi);
            if (t_dst_kind != 0) begin
                $fwrite(out, " R%0d/%08x=", t_dst_reg, t_dst_mask);
                print_lanes(t_dst);
            end
            if (writes_c) begin
                $fwrite(out, " C%0d/%08x=", t_c_reg, t_c_mask);
                print_flags(t_c);
            end
            if (t_mem_kind != 0) begin
                if (t_mem_kind == 1) $fwrite(out, " gld4");
                else $fwrite(out, " gst4");
                $fwrite(out, " addr/%08x=", t_mem_mask);
                print_lanes(t_addr);
            end
            if (t_mem_kind == 2) begin
                $fwrite(out, " data/%08x=", t_mem_mask);
                print_lanes(t_data);
            end
            $fwrite(out, " next=%06x,%08x depth=%0d", t_next_pc, t_next_active, t_depth);
            if (t_state == 2) $fwrite(out, " finished");
            case (t_trap)
                1: $fwrite(out, " trap: undefined instruction");
                3: $fwrite(out, " trap: fetch beyond the code");
                8: $fwrite(out, " trap: misaligned global memory access");
                9: $fwrite(out, " trap: global memory access out of range");
                12: $fwrite(out, " trap: warp stack overflow");
            endcase
            $fwrite(out, "\n");
        end
    endtask

    always #1 clk = !clk;
    always @(posedge clk) if (!rst) cycle <= cycle + 1;
    always @(negedge clk) begin
        if (retire) print_record;
        if (done || t_trap != 0) begin
            $fclose(out);
            $finish;
        end
    end

    initial begin
        for (n = 0; n < 16384; n = n + 1) sm.global[n] = 0;
        for (n = 0; n < 4096; n = n + 1) sm.code[n] = 32'hffffffff;
        if ($value$plusargs("code=%s", file)) $readmemh(file, sm.code);
        if ($value$plusargs("global=%s", file)) $readmemh(file, sm.global);
        if ($value$plusargs("grid_x=%d", n)) grid_x = n;
        if ($value$plusargs("block_x=%d", n)) block_x = n;
        if ($value$plusargs("block_y=%d", n)) block_y = n;
        if ($value$plusargs("regs=%d", n)) regs = n;
        if (!$value$plusargs("trace=%s", file)) $finish;
        out = $fopen(file, "w");
        for (n = 4095; n >= 0 && code_words == 0; n = n - 1) if (sm.code[n] != 32'hffffffff) code_words = n + 1;
        $fwrite(out, "warpstep-trace 2\n");
        #4 rst = 0;
    end
endmodule
