// SPDX-License-Identifier: Apache-2.0
// Flip-flops as wires: what a pipeline that never stands still computes, however long it takes.
module \$dff (CLK, D, Q);
    parameter WIDTH = 1;
    parameter CLK_POLARITY = 1;
    input CLK;
    input [WIDTH-1:0] D;
    output [WIDTH-1:0] Q;
    assign Q = D;
endmodule
