// SPDX-License-Identifier: Apache-2.0
// The same as trace_writer.vhd, which explains it: the records of a pipelined SM as lines for `warp-lockstep KERNEL
// --check-trace FILE`, gathered by warp slot from the passes of an instruction and printed with the last one.
module trace_writer #(
    parameter int CORES = 8,
    parameter int SLOTS = 32,
    parameter string FILE_NAME = "rtl.txt"
) (
    input logic clk,
    // One pass of an instruction is in the write stage.
    input logic valid_i,
    input logic [$clog2(SLOTS)-1:0] slot_i,
    input logic [1:0] pass_i,  // its lanes are pass * CORES and following
    input logic last_i,        // the last pass of the instruction
    // Of the instruction; read with the last pass.
    input logic [15:0] block_x_i,
    input logic [15:0] block_y_i,
    input logic [7:0] warp_i,
    input logic [23:0] pc_i,
    input logic [63:0] word_i,
    input logic [31:0] active_i,
    input logic [23:0] next_pc_i,
    input logic [31:0] next_active_i,
    input logic finished_i,
    input logic writes_i,  // it has a 32-bit destination register
    input logic stores_i,  // it is a 32-bit store to global memory
    // Of the pass, lane 0 in the lowest bits.
    input logic [CORES-1:0] exec_i,
    input logic [6:0] write_reg_i,  // at the write port of the registers, never from decode
    input logic [CORES-1:0] write_en_i,
    input logic [CORES-1:0][31:0] write_data_i,
    input logic [CORES-1:0] store_en_i,  // at the port of global memory
    input logic [CORES-1:0][31:0] store_addr_i,
    input logic [CORES-1:0][31:0] store_data_i
);
  logic [31:0] exec[SLOTS], dst_mask[SLOTS], mem_mask[SLOTS];
  logic [31:0][31:0] dst[SLOTS], addr[SLOTS], data[SLOTS];
  logic [6:0] dst_reg[SLOTS];
  longint cycle = 0;
  int out_file;

  initial begin
    foreach (exec[i]) begin
      exec[i] = 0;
      dst_mask[i] = 0;
      mem_mask[i] = 0;
    end
    out_file = $fopen(FILE_NAME, "w");
    $fdisplay(out_file, "warpstep-trace 2");
    $fdisplay(out_file, "unreported depth");
  end

  // " NAME/MASK=v,v": a value for each lane of the mask.
  function automatic void say_lanes(string name, logic [31:0] mask, logic [31:0][31:0] values);
    string comma = "";
    $fwrite(out_file, " %s/%08h=", name, mask);
    for (int lane = 0; lane < 32; lane++)
      if (mask[lane]) begin
        $fwrite(out_file, "%s%08h", comma, values[lane]);
        comma = ",";
      end
  endfunction

  always @(posedge clk) begin
    cycle = cycle + 1;
    if (valid_i) begin
      dst_reg[slot_i] = write_reg_i;
      for (int core = 0; core < CORES; core++) begin
        automatic int lane = int'(pass_i) * CORES + core;
        exec[slot_i][lane] = exec_i[core];
        if (write_en_i[core]) begin
          dst_mask[slot_i][lane] = 1;
          dst[slot_i][lane] = write_data_i[core];
        end
        if (store_en_i[core]) begin
          mem_mask[slot_i][lane] = 1;
          addr[slot_i][lane] = store_addr_i[core];
          data[slot_i][lane] = store_data_i[core];
        end
      end
      if (last_i) begin
        $fwrite(out_file, "%0d sm0 slot%0d block(%0d,%0d) warp%0d %06h: |", cycle, slot_i, block_x_i, block_y_i, warp_i,
                pc_i);
        $fwrite(out_file, " active=%08h exec=%08h word=%08h,%08h", active_i, exec[slot_i], word_i[31:0], word_i[63:32]);
        if (writes_i) say_lanes($sformatf("R%0d", dst_reg[slot_i]), dst_mask[slot_i], dst[slot_i]);
        if (stores_i) begin
          $fwrite(out_file, " gst4");
          say_lanes("addr", mem_mask[slot_i], addr[slot_i]);
          say_lanes("data", mem_mask[slot_i], data[slot_i]);
        end
        $fdisplay(out_file, " next=%06h,%08h%s", next_pc_i, next_active_i, finished_i ? " finished" : "");
        exec[slot_i] = 0;
        dst_mask[slot_i] = 0;
        mem_mask[slot_i] = 0;
      end
    end
  end
endmodule
