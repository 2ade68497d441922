// SPDX-License-Identifier: Apache-2.0
// Registers beside a block RAM and a multiplier, as absorb moves them into the blocks: with and without an enable, an
// operand's register that something else reads, too, and one with a reset, which must stay. And, for replicate, a
// register, and logic behind it, that many read.
module absorbed (
    input clk, rst,
    input [17:0] a, b,
    input [9:0] raddr, waddr,
    input we, re, oe, me,
    output reg [35:0] q,
    output reg [35:0] product,
    output reg [17:0] left,
    output reg [17:0] kept,
    output reg [35:0] wide,
    output reg [17:0] many);
  reg [35:0] memory [0:1023];
  reg [35:0] word;
  always @(posedge clk) begin
    if (we) memory[waddr] <= {a, b};
    if (re) word <= we && raddr == waddr ? 36'bx : memory[raddr];
    if (oe) q <= word;
  end

  reg [17:0] x, y;
  reg [35:0] p;
  always @(posedge clk) begin
    if (me) x <= a;
    y <= b;
    p <= x * y;
    product <= p;
    left <= x;
  end

  reg [17:0] plain [0:1023];
  reg [17:0] cleared;
  always @(posedge clk) begin
    if (we) plain[waddr] <= a;
    cleared <= we && raddr == waddr ? 18'bx : plain[raddr];
    if (rst) kept <= 0; else kept <= cleared;
  end

  // A block RAM of 36 bits.
  reg [35:0] row [0:511];
  reg [35:0] row_read;
  always @(posedge clk) begin
    if (we) row[waddr[9:1]] <= {b, a};
    row_read <= we && raddr[9:1] == waddr[9:1] ? 36'bx : row[raddr[9:1]];
    if (oe) wide <= row_read;
  end

  // Read by many.
  reg chooses, clears;
  always @(posedge clk) begin
    chooses <= a[0];
    clears <= b[0];
    if (chooses ^ clears) many <= chooses ? a : b;
  end
endmodule
