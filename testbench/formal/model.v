// SPDX-License-Identifier: Apache-2.0
// The results of the C model's exec_*.c for one lane, expression by expression, and its flags O C S Z. `op` counts as
// alu_t of control_pkg.vhd. Sources of 16 bits (w16) come zero-extended, as the model has them. model_check.c holds
// this against the C functions. Multiplication is written as the sum of the products of the factors' halves, the upper
// ones with their signs: a solver cannot know that law. They are added in the order of the RTL, for the same
// reason.
module model (
    input [3:0] op, input w16, input sign_a, input sign_b, input sign_d, input mul24, input mul_hi, input mul_add,
    input saturate, input neg_a, input neg_b, input carry, input inv_a, input inv_b, input absolute, input src16,
    input byte_, input dst8, input [1:0] logic_op, input [2:0] compare,
    input [31:0] a, input [31:0] b, input [31:0] c, input cin,
    output [31:0] value, output [3:0] flags
);
    localparam PASS_A = 0, PASS_B = 1, ADD = 2, MUL = 3, SAD = 4, COMPARE = 5, MIN = 6, MAX = 7, SHL = 8, SHR = 9,
               LOGIC = 10, CONVERT = 11;

    wire [31:0] ones = w16 ? 32'h0000ffff : 32'hffffffff;
    wire [31:0] top  = w16 ? 32'h00008000 : 32'h80000000;

    // ---- multiplication: exec_int.c mul16, mul24, mul24_hi
    wire        as = sign_a & (mul24 ? a[23] : a[15]);
    wire        bs = sign_b & (mul24 ? b[23] : b[15]);
    wire [31:0] ma = mul24 ? {{8{as}}, a[23:0]} : {{16{as}}, a[15:0]};
    wire [31:0] mb = mul24 ? {{8{bs}}, b[23:0]} : {{16{bs}}, b[15:0]};
    wire [31:0] ll = ma[15:0] * mb[15:0];
    wire signed [16:0] al = {1'b0, ma[15:0]}, ah = {as, ma[31:16]};
    wire signed [16:0] bl = {1'b0, mb[15:0]}, bh = {bs, mb[31:16]};
    wire signed [33:0] lh = al * bh;
    wire signed [33:0] hl = ah * bl;
    wire signed [33:0] hh = ah * bh;
    wire        [32:0] middle = hl[32:0] + lh[32:0];
    wire        [47:0] upper = {hh[31:0], ll[31:16]} + {{15{middle[32]}}, middle};
    wire        [63:0] full = {upper, ll[15:0]};
    wire [31:0] product = mul_hi ? full[47:16] : full[31:0];

    // ---- |a - b|: exec_int.c difference
    wire [31:0] extend_sign  = sign_a && w16 ? 32'h00008000 : 0;
    wire [31:0] compare_sign = sign_a ? 32'h80000000 : 0;
    wire [31:0] xa       = (a ^ extend_sign) - extend_sign;
    wire [31:0] xb       = (b ^ extend_sign) - extend_sign;
    wire [31:0] distance = (xa ^ compare_sign) > (xb ^ compare_sign) ? xa - xb : xb - xa;

    // ---- addition: exec_int.c addition_of, add, saturate
    wire        wide  = op != ADD || !w16;
    wire [31:0] mask  = wide ? 32'hffffffff : 32'h0000ffff;
    wire [31:0] high  = wide ? 32'h80000000 : 32'h00008000;
    wire        na    = neg_a && op != SAD;
    wire        nb    = neg_b && op != SAD;
    wire [31:0] x     = (op == ADD ? a : op == SAD ? distance : product) ^ (na ? mask : 0);
    wire [31:0] y     = (op == ADD ? b : c) ^ (nb ? mask : 0);
    wire        one   = carry && op != SAD ? cin : na || nb;
    wire [31:0] sum   = x + y + one;
    wire        carries   = (((x & y) | ((x | y) & ~sum)) & high) != 0;
    wire        overflows = ((~(x ^ y) & (x ^ sum)) & high) != 0;
    wire [31:0] limit     = (sum & high) != 0 ? high - 1 : high;
    wire [31:0] added     = saturate && op != SAD && overflows ? limit : sum & mask;

    // ---- comparison, selection: exec_logic.c set_if, smaller, larger
    wire [31:0] flip     = sign_a ? top : 0;
    wire        less     = (a ^ flip) < (b ^ flip);
    wire        equal    = a == b;
    wire        accepted = less ? compare[0] : equal ? compare[1] : compare[2];
    wire [31:0] smaller  = less ? a : b;
    wire [31:0] larger   = (a ^ flip) > (b ^ flip) ? a : b;

    // ---- shifts: exec_logic.c shift_left, shift_right
    wire [31:0] bits   = w16 ? 16 : 32;
    wire [31:0] n      = b < bits ? b : 0;
    wire [31:0] left   = b < bits ? (a << n) & ones : 0;
    wire        left_c = n != 0 && ((a >> (bits - n)) & 1) != 0;
    wire        left_o = b == 1 && ((a ^ left) & top) != 0;
    wire [31:0] copies  = (a & top) != 0 && sign_a ? ones : 0;
    wire [31:0] right   = b < bits ? ((a ^ copies) >> n) ^ copies : copies;
    wire        right_c = n != 0 && ((a >> (n - 1)) & 1) != 0;
    wire        right_o = b == 1 && ((a ^ right) & top) != 0;

    // ---- logic: exec_logic.c logic
    wire [31:0] la = inv_a ? a ^ ones : a;
    wire [31:0] lb = inv_b ? b ^ ones : b;
    wire [31:0] logical = logic_op == 0 ? la & lb : logic_op == 1 ? la | lb : logic_op == 2 ? la ^ lb : lb;

    // ---- conversion: exec_cvt.c convert
    wire signed [33:0] from = byte_ ? (sign_a ? {{26{a[7]}}, a[7:0]} : {26'b0, a[7:0]})
                              : src16 ? (sign_a ? {{18{a[15]}}, a[15:0]} : {18'b0, a[15:0]})
                              : (sign_a ? {{2{a[31]}}, a} : {2'b0, a});
    wire signed [33:0] positive  = absolute && from < 0 ? -from : from;
    wire signed [33:0] converted = neg_a ? -positive : positive;
    wire [5:0]         to_bits   = dst8 ? 8 : w16 ? 16 : 32;
    wire signed [33:0] least     = sign_d ? -(34'sd1 <<< (to_bits - 1)) : 34'sd0;
    wire signed [33:0] most      = sign_d ? (34'sd1 <<< (to_bits - 1)) - 34'sd1 : (34'sd1 <<< to_bits) - 34'sd1;
    wire signed [33:0] clamped   = converted < least ? least : converted > most ? most : converted;

    wire adds = op == ADD || op == SAD || (op == MUL && mul_add);
    assign value = op == PASS_A ? a & ones : op == PASS_B ? b & ones : adds ? added : op == MUL ? product
                   : op == COMPARE ? (accepted ? ones : 0) : op == MIN ? smaller : op == MAX ? larger
                   : op == SHL ? left : op == SHR ? right : op == LOGIC ? logical : clamped[31:0] & ones;
    wire carry_out = adds ? carries : op == SHL ? left_c : op == SHR && right_c;
    wire overflow  = adds ? overflows : op == SHL ? left_o : op == SHR && right_o;
    wire sign      = (value & (op == SAD || op == MUL ? 32'h80000000 : top)) != 0;
    assign flags   = {overflow, carry_out, sign, value == 0};
endmodule
