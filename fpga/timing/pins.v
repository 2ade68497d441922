// SPDX-License-Identifier: Apache-2.0
// A register that resets what is at pins, and is read elsewhere, too: for replicate.
module pins (
    input clk, d, e,
    output [5:0] q,
    output reg [5:0] others);
  reg clears;
  always @(posedge clk) clears <= d;
  genvar i;
  for (i = 0; i < 6; i = i + 1) begin : pin
    ODDRX1F ddr (.SCLK(clk), .RST(clears), .D0(d), .D1(e), .Q(q[i]));
    always @(posedge clk) others[i] <= others[i] ^ clears;
  end
endmodule
