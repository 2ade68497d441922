// SPDX-License-Identifier: Apache-2.0
// rtl/common/ram_1r1w.vhd without NEW_DATA, as yosys knows a block RAM with an enable for each column of a word: a
// column that is read while it is written is unknown.

module ram_columns #(parameter ADDR_BITS = 9, COLUMN_BITS = 8, COLUMNS = 4) (
    input                                   clk,
    input                                   re_i,
    input      [ADDR_BITS-1:0]              raddr_i,
    input      [COLUMNS-1:0]                we_i,
    input      [ADDR_BITS-1:0]              waddr_i,
    input      [COLUMNS*COLUMN_BITS-1:0]    wdata_i,
    output reg [COLUMNS*COLUMN_BITS-1:0]    rdata_o);
  reg [COLUMNS*COLUMN_BITS-1:0] memory [2**ADDR_BITS-1:0];
  integer c;

  always @(posedge clk) begin
    if (re_i) begin
      rdata_o <= memory[raddr_i];
      for (c = 0; c < COLUMNS; c = c + 1)
        if (we_i[c] && raddr_i == waddr_i) rdata_o[c*COLUMN_BITS +: COLUMN_BITS] <= {COLUMN_BITS{1'bx}};
    end
    for (c = 0; c < COLUMNS; c = c + 1)
      if (we_i[c]) memory[waddr_i][c*COLUMN_BITS +: COLUMN_BITS] <= wdata_i[c*COLUMN_BITS +: COLUMN_BITS];
  end
endmodule
