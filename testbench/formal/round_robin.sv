// SPDX-License-Identifier: Apache-2.0
// Properties of round_robin.vhd: one of the requesters is served, and none is passed over by all others.
module round_robin_proofs #(parameter N = 8) (
    input clk, input rst, input hold, input [N-1:0] req
);
    wire [N-1:0] grant, turn;
    wire [4:0]   index;
    round_robin dut (.turn_o(turn), .index_o(index), .clk(clk), .rst(rst), .hold_i(hold), .req_i(req), .grant_o(grant));

    reg begun = 0;
    always @(posedge clk) begun <= 1;
    always @* if (!begun) assume (rst);

    (* anyconst *) reg [$clog2(N)-1:0] mine;                 // any requester
    (* anyconst *) reg [$clog2(N)-1:0] rival;                // any other
    wire asks = req[mine] && !rst;

    // grants to others since `mine` began to ask; this rival had one of them
    reg [$clog2(N):0] passed = 0;
    reg               rival_served = 0;
    always @(posedge clk) begin
        if (!asks || grant[mine]) begin
            passed       <= 0;
            rival_served <= 0;
        end else if (!hold) begin
            passed       <= passed + 1;
            rival_served <= rival_served || grant[rival];
        end
    end

    always @* if (begun) begin
        one_of_them:  assert ((grant & (grant - 1'b1)) == 0 && (grant & ~req) == 0);
        never_idle:   assert (hold ? grant == 0 : (grant != 0) == (req != 0));
        numbered:     assert (turn == 0 ? req == 0 : turn == 1'b1 << index);
        served_in_n:  assert (passed < N);
        no_rival_twice: assert (!(asks && rival_served && rival != mine && grant[rival]));
    end
endmodule
