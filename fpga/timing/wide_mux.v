// SPDX-License-Identifier: Apache-2.0
// Picks one of WORDS words of BITS bits, as rtl/common/mux_word.vhd does, with the cells of an ECP5: of each eight
// words a bit takes four LUT4 and the multiplexers of their slices. WORDS: a power of two, 8 or more. Combinational.

module wide_mux #(parameter WORDS = 8, BITS = 32) (
    input  [WORDS*BITS-1:0]     words_i,   // word 0 is the upper one
    input  [$clog2(WORDS)-1:0]  index_i,
    output [BITS-1:0]           word_o);
  generate
    if (WORDS > 8) begin : halves
      wire [BITS-1:0] lower, upper;
      wide_mux #(.WORDS(WORDS / 2), .BITS(BITS)) u_lower (.words_i(words_i[WORDS*BITS-1:WORDS*BITS/2]),
          .index_i(index_i[$clog2(WORDS)-2:0]), .word_o(lower));
      wide_mux #(.WORDS(WORDS / 2), .BITS(BITS)) u_upper (.words_i(words_i[WORDS*BITS/2-1:0]),
          .index_i(index_i[$clog2(WORDS)-2:0]), .word_o(upper));
      assign word_o = index_i[$clog2(WORDS)-1] ? upper : lower;
    end else begin : slices
      genvar b, p;
      for (b = 0; b < BITS; b = b + 1) begin : each
        wire [3:0] pair;
        wire [1:0] four;
        for (p = 0; p < 4; p = p + 1) begin : pairs
          LUT4 #(.INIT(16'hCACA)) u_lut (.A(words_i[(7-2*p)*BITS+b]), .B(words_i[(6-2*p)*BITS+b]), .C(index_i[0]),
              .D(1'b0), .Z(pair[p]));
        end
        PFUMX u_lower (.BLUT(pair[0]), .ALUT(pair[1]), .C0(index_i[1]), .Z(four[0]));
        PFUMX u_upper (.BLUT(pair[2]), .ALUT(pair[3]), .C0(index_i[1]), .Z(four[1]));
        L6MUX21 u_mux (.D0(four[0]), .D1(four[1]), .SD(index_i[2]), .Z(word_o[b]));
      end
    end
  endgenerate
endmodule
