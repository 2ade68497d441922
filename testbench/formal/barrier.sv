// SPDX-License-Identifier: Apache-2.0
// Properties of barrier.vhd, about any one of its barriers: barrier ID of block slot B. The specification keeps
// sets of warps where the entity counts and tells phases apart. The environment keeps the promises of the dispatcher
// and the branch unit: a block's warps start one by one; an event is told in a cycle before; a warp that waits or has
// exited has none, and without an event its fields are anything. The warps that leave a barrier are told one cycle
// after it.
module barrier_proofs #(parameter W = 3, parameter BLOCKS = 2, parameter IDS = 2) (
    input clk, input rst,
    input start, input [4:0] start_slot, input [2:0] start_block, input [4:0] start_first, input [5:0] start_warps,
    input next, input [4:0] next_slot, input [2:0] next_block,
    input arrive, input noise, input waits, input exits, input [4:0] slot, input [2:0] block, input [3:0] id
);
    wire         opens;
    wire [W-1:0] released;
    barrier dut (
        .clk(clk), .rst(rst), .start_i(start), .start_slot_i(start_slot), .start_block_i(start_block),
        .start_first_i(start_first), .start_warps_i(start_warps), .next_i(next), .next_slot_i(next_slot),
        .next_block_i(next_block), .event_i(arrive || exits),
        .arrive_i(arrive || (noise && !exits)), .wait_i(waits), .exit_i(exits), .slot_i(slot), .block_i(block),
            .id_i(id),
        .opens_o(opens), .release_o(released));

    localparam B = 1;
    localparam ID = 0;

    // ---- the warps: of which block, still to start, living; which wait, and at which barrier of their block
    reg [W-1:0] living = 0, coming = 0, waiting = 0;
    reg [2:0]   block_of [0:W-1];
    reg [3:0]   waits_at [0:W-1];
    reg         told = 0;
    reg [4:0]   told_slot;
    reg [2:0]   told_block;
    reg         begun = 0, was_event = 0, was_complete = 0;   // in the cycle before

    wire event_now   = arrive || exits;
    wire first_start = start && start_slot == start_first;

    integer     w;
    reg [W-1:0] here, there;                       // members of B; warps that start with this block
    always @* for (w = 0; w < W; w = w + 1) begin
        here[w]  = (living[w] || coming[w]) && block_of[w] == B;
        there[w] = w >= start_first && w < start_first + start_warps;
    end

    always @* begin
        if (!begun) assume (rst);
        if (begun) assume (!rst);
        if (rst) assume (!start && !event_now);
        assume (!(start && event_now));
        assume (next_slot < W && next_block < BLOCKS && B < BLOCKS && id < IDS);
        if (start) begin
            assume (start_slot < W && start_block < BLOCKS && start_warps != 0 && start_first + start_warps <= W);
            if (first_start) begin                 // one block at a time, into slots that are free
                assume (coming == 0 && (living & there) == 0);
                for (w = 0; w < W; w = w + 1) assume (!(living[w] && block_of[w] == start_block));
            end else begin                         // the next one of it
                assume (coming[start_slot] && block_of[start_slot] == start_block);
                assume ((coming & ((1 << start_slot) - 1)) == 0);
            end
        end
        if (event_now) assume (told && slot == told_slot && block == told_block);
        if (event_now) assume (living[slot] && !waiting[slot] && block == block_of[slot]);
    end

    // ---- the barrier: the warps that arrived since it opened last; the same, kept until those that waited go on
    reg [W-1:0] wait_here;
    always @* for (w = 0; w < W; w = w + 1) wait_here[w] = here[w] && waiting[w] && waits_at[w] == ID;

    reg  [W-1:0] arrived = 0, kept = 0;
    wire         in_b     = event_now && block == B;
    wire [W-1:0] one      = 1 << slot;
    wire [W-1:0] left     = here & ~(exits ? one : {W{1'b0}});
    wire [W-1:0] now_here = arrived | (arrive && id == ID ? one : {W{1'b0}});
    wire         complete = in_b && left != 0 && (left & ~now_here) == 0;

    always @(posedge clk) begin
        begun        <= 1;
        was_event    <= event_now;
        was_complete <= complete;
        if (next) begin
            told       <= living[next_slot] && block_of[next_slot] == next_block;
            told_slot  <= next_slot;
            told_block <= next_block;
        end else if (event_now || (start && start_slot == told_slot)) told <= 0;
        for (w = 0; w < W; w = w + 1) begin
            if (first_start && there[w]) begin
                block_of[w] <= start_block;
                coming[w]   <= w != start_slot;
            end
            if (start && start_slot == w) begin
                living[w] <= 1;
                coming[w] <= 0;
            end
            if (event_now && exits && slot == w) living[w] <= 0;
            if (released[w]) waiting[w] <= 0;
            if (arrive && slot == w && waits && !exits && !opens) begin
                waiting[w]  <= 1;
                waits_at[w] <= id;
            end
        end
        if (first_start && start_block == B) {arrived, kept} <= 0;
        else begin
            if (in_b) arrived <= complete ? {W{1'b0}} : now_here & left;
            kept <= ((was_complete && (wait_here & ~released) == 0 ? {W{1'b0}} : kept)
                     | (in_b && arrive && id == ID ? one : {W{1'b0}})) & (in_b ? left : {W{1'b1}});
        end
    end

    always @* if (begun) begin
        no_early_pass:  assert ((released & wait_here) == 0 || was_complete);
        only_waiting: assert (was_event || released == 0);
        all_pass:       assert (!was_complete || (wait_here & ~released) == 0);
        last_passes:    assert (!(arrive && block == B && id == ID && !exits) || opens == complete);
        none_forever:   assert (wait_here == 0 || was_complete || (here & ~kept) != 0);
    end
endmodule
