// SPDX-License-Identifier: Apache-2.0
// Properties of fetch.vhd, for any one of its warps, S, whatever the code memory holds (one bit of one word of it,
// which is looked at) and whenever it grants, wherever warps are sent and whichever are read. Words arrive two cycles
// after the grant. One instruction is read at a time and held until it issues (take) or is turned away; its warp is
// read again only then. Code lies in the lowest 2^HIGH words.
module fetch_proofs #(parameter W = 2, parameter HIGH = 4, parameter BIT = 0) (
    input clk, input rst, input s_any, input [20:0] a_any, input word_any, input [W-1:0] running,
    input redirect, input slot, input [23:0] pc, input grant, input [63:0] data_any, input read_any,
    input read_slot, input leaves_any, input take_any, input long_any, input idle_take_word
);
    reg         begun = 0, s;
    reg  [20:0] a;                                 // at this address the code memory has
    reg         fixed;                             // the value of its bit BIT

    // ---- the instruction that was read, and the code memory
    reg         decoding = 0, d_slot, d_long;
    reg  [20:0] granted_addr, fetched_addr;
    reg  [63:0] data;
    always @* begin
        data = data_any;
        if (fetched_addr == a) data[BIT] = fixed;
    end
    wire        req, upper;
    wire [20:0] addr, word_addr;
    wire [W-1:0] ready;
    wire [63:0] word;
    wire        take = decoding && leaves_any && take_any, take_word = decoding ? upper || d_long : idle_take_word;
    wire        read = read_any && ready[read_slot] && (!decoding || (leaves_any && read_slot != d_slot));
    fetch dut (
        .clk(clk), .rst(rst), .running_i(running), .refetch_i_valid(redirect), .refetch_i_slot(slot),
        .refetch_i_pc(pc), .req_o(req), .addr_o(addr), .grant_i(grant), .data_i(data), .ready_o(ready),
            .read_i_valid(read),
        .read_i_slot(read_slot), .read_warp_i({{(W-1){1'b0}}, 1'b1} << read_slot),
        .word_o(word), .addr_of_word_o(word_addr), .upper_o(upper), .fate_i_take(take),
        .fate_i_slot(d_slot), .fate_i_take_word(take_word), .fate_i_leaves(1'b0), .fate_i_blocks(1'b0),
        .fate_i_arrives(1'b0), .fate_i_ends(1'b0), .fate_i_waits(1'b0), .fate_i_crowded(1'b0));
    wire        sent = redirect && slot == s;

    // ---- where S is: its next instruction, behind that which issues
    reg         known = 0;                         // it was sent somewhere
    reg  [20:0] at;
    reg         half;
    wire        mine = decoding && d_slot == s;

    // ---- its wait for one while nothing stands in its way
    reg  [3:0]  waited = 0;
    reg         refused = 0;

    always @* begin
        assume (rst == !begun);
        // A warp is sent elsewhere by an instruction that issues or has issued, and is not read in that cycle.
        assume (!redirect || ((!decoding || d_slot != slot || take) && !(read && read_slot == slot)));
        assume (known || sent || !running[s]);     // nor runs before it is sent somewhere
        assume (pc >> (HIGH + 3) == 0 && (at >> HIGH == 0));
    end

    always @(posedge clk) begin
        begun <= 1;
        if (rst) {s, a, fixed} <= {s_any, a_any, word_any};
        decoding <= !rst && (read || (decoding && !leaves_any));
        if (read) {d_slot, d_long} <= {read_slot, long_any};
        granted_addr <= addr;
        fetched_addr <= granted_addr;
        if (take && d_slot == s) {at, half} <= take_word ? {at + 1'b1, 1'b0} : {at, 1'b1};
        if (sent) {at, half} <= pc[23:2];
        known  <= !rst && (known || sent);
        waited <= rst || sent || ready[s] || !known || !running[s] ? 0
                  : waited + (grant && !redirect && waited != 15);
        refused <= !rst && req && !grant;
    end

    always @* if (begun && !rst) begin
        delivered:   assert (!(mine && known) || (word_addr == at && upper == half
                                                  && (word_addr != a || word[BIT] == fixed)));
        served:      assert (waited < 10);
        asks_on:     assert (!refused || req);
        nothing_yet: assert (known || !ready[s]);
    end
endmodule
