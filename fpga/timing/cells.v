// SPDX-License-Identifier: Apache-2.0
// Models of the two hard blocks of an ECP5, for simulating a netlist: yosys 0.23 has models of all other cells, of
// these only the ports. The models have as much as the flow uses: a block RAM whose ports are equally wide (of 36 bits,
// port A writes and port B reads, over the data pins of both; contents of 18 bits or 36), a product of unsigned or
// signed numbers; any of their registers. Not yet held against the vendor's models or a device.
//
// A word that one port reads and the other writes in the same cycle is unknown; here it is the complement of the old
// data, which no memory would return.

module DP16KD (
    input CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2, CLKB, CEB, OCEB, WEB, RSTB, CSB0, CSB1, CSB2,
    input ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
    input ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
    input DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16,
    input DIA17, DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15,
    input DIB16, DIB17,
    output DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16,
    output DOA17, DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15,
    output DOB16, DOB17);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG";
  parameter REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";
  parameter CSDECODE_A = "0b000";
  parameter CSDECODE_B = "0b000";
  parameter CLKAMUX = "CLKA";
  parameter CLKBMUX = "CLKB";
  parameter GSR = "AUTO";
  // Contents at the start, 16 words of 18 bits each, 20 apart. They are unknown if all are 0: yosys writes 0 for a
  // block without contents, too. So a block of a ROM must have a bit that is 1.
  parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0;
  parameter [319:0] INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0;
  parameter [319:0] INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0;
  parameter [319:0] INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0;
  parameter [319:0] INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0;
  parameter [319:0] INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0;
  parameter [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0;
  parameter [319:0] INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0;
  parameter [319:0] INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0;
  parameter [319:0] INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0;
  parameter [319:0] INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0;
  parameter [319:0] INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0;
  parameter [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0;
  parameter [319:0] INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0;
  parameter [319:0] INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0;
  parameter [319:0] INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;

  // Low bits of the address that a port of this width does not use, and words of it.
  localparam LOW = DATA_WIDTH_A == 36 ? 5 : DATA_WIDTH_A == 18 ? 4 : DATA_WIDTH_A == 9 ? 3 : DATA_WIDTH_A == 4 ? 2 :
                   DATA_WIDTH_A == 2 ? 1 : 0;
  localparam WIDTH = DATA_WIDTH_A;
  localparam LANES = WIDTH == 36 ? 4 : WIDTH == 18 ? 2 : 1;
  localparam LANE = WIDTH / LANES;

  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3,
                     DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3,
                     DIB2, DIB1, DIB0};
  wire [35:0] ina = {WIDTH == 36 ? dib : 18'b0, dia};
  wire [35:0] inb = {18'b0, dib};
  wire [13 - LOW:0] worda = ada[13:LOW];
  wire [13 - LOW:0] wordb = adb[13:LOW];
  wire writes_a = CEA & WEA;
  wire writes_b = CEB & WEB;

  reg [WIDTH - 1:0] memory [0:(1 << (14 - LOW)) - 1];
  reg [WIDTH - 1:0] latch_a, latch_b;
  reg [WIDTH - 1:0] out_a, out_b;

  localparam [64 * 320 - 1:0] CONTENTS = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
    INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
    INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
    INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
    INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
    INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
    INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00};
  integer i, k;
  generate
    if (CONTENTS != 0 && WIDTH < 18) begin : narrow
      $error("contents of less than 18 bits a word are not simulated");
    end else if (CONTENTS != 0) begin : contents
      initial
        for (i = 0; i < 1 << (14 - LOW); i = i + 1)
          for (k = 0; k < WIDTH; k = k + 18)
            memory[i][k +: 18] = CONTENTS[(i * WIDTH + k) / 18 * 20 +: 18];
    end
  endgenerate

  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      // A port of 18 or 36 bits takes its lowest address bits as enables of its bytes.
      wire lane_a = LANES == 1 || ada[l];
      wire lane_b = LANES == 1 || adb[l];
      always @(posedge CLKA)
        if (writes_a & lane_a) memory[worda][l * LANE +: LANE] <= ina[l * LANE +: LANE];
      always @(posedge CLKB)
        if (writes_b & lane_b) memory[wordb][l * LANE +: LANE] <= inb[l * LANE +: LANE];
      wire meets = worda == wordb;
      always @(posedge CLKA)
        if (CEA & ~WEA)
          latch_a[l * LANE +: LANE] <= memory[worda][l * LANE +: LANE] ^ {LANE{meets & writes_b & lane_b}};
      always @(posedge CLKB)
        if (CEB & ~WEB)
          latch_b[l * LANE +: LANE] <= memory[wordb][l * LANE +: LANE] ^ {LANE{meets & writes_a & lane_a}};
    end
  endgenerate
  always @(posedge CLKA) if (RSTA) out_a <= 0; else if (OCEA) out_a <= latch_a;
  always @(posedge CLKB) if (RSTB) out_b <= 0; else if (OCEB) out_b <= latch_b;

  wire [35:0] port_a = REGMODE_A == "OUTREG" ? out_a : latch_a;
  wire [35:0] port_b = REGMODE_B == "OUTREG" ? out_b : latch_b;
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1,
          DOA0} = WIDTH == 36 ? port_b[17:0] : port_a[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1,
          DOB0} = WIDTH == 36 ? port_b[35:18] : port_b[17:0];
endmodule

module MULT18X18D (
    input A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
    input B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
    input C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17,
    input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CE0, CE1, CE2, RST0,
    output P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23,
    output P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35);
  parameter REG_INPUTA_CLK = "NONE";
  parameter REG_INPUTA_CE = "CE0";
  parameter REG_INPUTA_RST = "RST0";
  parameter REG_INPUTB_CLK = "NONE";
  parameter REG_INPUTB_CE = "CE0";
  parameter REG_INPUTB_RST = "RST0";
  parameter REG_OUTPUT_CLK = "NONE";
  parameter REG_OUTPUT_CE = "CE0";
  parameter REG_OUTPUT_RST = "RST0";

  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire enable_a = REG_INPUTA_CE == "CE1" ? CE1 : REG_INPUTA_CE == "CE2" ? CE2 : CE0;
  wire enable_b = REG_INPUTB_CE == "CE1" ? CE1 : REG_INPUTB_CE == "CE2" ? CE2 : CE0;
  reg [17:0] a_r, b_r;
  reg [35:0] p_r;
  always @(posedge CLK0) if (enable_a) a_r <= a;
  always @(posedge CLK0) if (enable_b) b_r <= b;
  wire [17:0] left = REG_INPUTA_CLK == "NONE" ? a : a_r;
  wire [17:0] right = REG_INPUTB_CLK == "NONE" ? b : b_r;
  wire [35:0] p = {{18{SIGNEDA & left[17]}}, left} * {{18{SIGNEDB & right[17]}}, right};
  always @(posedge CLK0) if (CE0) p_r <= p;
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14,
          P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = REG_OUTPUT_CLK == "NONE" ? p : p_r;
endmodule
