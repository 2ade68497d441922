// SPDX-License-Identifier: Apache-2.0
// The netlist of absorb.v before and after absorb must do the same, cycle for cycle. Nothing is read in the cycle in
// which it is written.
module absorb_tb;
  reg clk = 0, rst = 1;
  reg [17:0] a, b;
  reg [9:0] raddr, waddr;
  reg we, re, oe, me;
  wire [35:0] q_0, q_1, product_0, product_1, wide_0, wide_1;
  wire [17:0] left_0, left_1, kept_0, kept_1, many_0, many_1;
  integer cycle, wrong = 0;

  netlist_before u_before (.clk(clk), .rst(rst), .a(a), .b(b), .raddr(raddr), .waddr(waddr), .we(we), .re(re), .oe(oe),
    .me(me), .q(q_0), .product(product_0), .left(left_0), .kept(kept_0), .wide(wide_0), .many(many_0));
  netlist_after u_after (.clk(clk), .rst(rst), .a(a), .b(b), .raddr(raddr), .waddr(waddr), .we(we), .re(re), .oe(oe),
    .me(me), .q(q_1), .product(product_1), .left(left_1), .kept(kept_1), .wide(wide_1), .many(many_1));

  initial begin
    for (cycle = 0; cycle < 5000; cycle = cycle + 1) begin
      // First every word is written, then all at random.
      we = cycle < 1024 || $urandom % 2 == 0;
      waddr = cycle < 1024 ? cycle : $urandom;
      raddr = cycle < 1024 ? 0 : $urandom % 8;
      if (raddr[9:1] == waddr[9:1]) raddr = waddr + 2;
      {a, b} = {$urandom, $urandom};
      re = cycle < 1028 || $urandom % 2 == 0;
      oe = cycle < 1028 || $urandom % 2 == 0;
      me = cycle < 1028 || $urandom % 2 == 0;
      rst = $urandom % 8 == 0;
      #1 clk = 1;
      #1 clk = 0;
      if (cycle > 1030 && {q_0, product_0, left_0, kept_0, wide_0, many_0} !==
          {q_1, product_1, left_1, kept_1, wide_1, many_1})
        wrong = wrong + 1;
    end
    $display("wrong %0d", wrong);
    $finish;
  end
endmodule
