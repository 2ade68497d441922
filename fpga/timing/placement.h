// SPDX-License-Identifier: Apache-2.0
// A placement of ECP5 cells as nextpnr writes it, to be changed: what stands where, and where else it may stand.
//
// What moves as one is a unit: a LUT, a register, a LUT with the register beside it that reads it, or a block RAM.
// Carry chains and LUT RAM move with all that is in their tiles, products with their block of four. Pins do not move.
#ifndef WARPSTEP_TIMING_PLACEMENT_H
#define WARPSTEP_TIMING_PLACEMENT_H

#include <jansson.h>
#include <stdbool.h>

struct unit {
    json_t *cells[2];   // a LUT, or what is no logic; a register; NULL: none
    int x, y;           // of its tile
    int half;           // of the tile's four slices it has one of 8 halves; below 0: it is no logic
    const char *suffix; // what is no logic: the name of its place in the tile
    int control;        // which clock, enable and reset its register has: one of the sets that there are; below 0: none
    bool fixed;         // it does not move alone
};

// What was moved, to be undone and done again.
#define MOST_MOVED 512
struct change {
    enum { OF_UNIT, OF_BLOCKS, OF_TILES, OF_PRODUCTS } kind;
    int count; // of the units that moved
    int units[MOST_MOVED];
    int from, to; // places
    int tiles;    // so many, for OF_TILES
};

struct placement;

// NULL, with a message, where `design` is not placed.
struct placement *placement_of(json_t *design);
void placement_destroy(struct placement *p);

int placement_count(const struct placement *p);
const struct unit *placement_at(const struct placement *p, int unit);
// The unit that a cell belongs to; below 0: there is no such cell.
int placement_find(const struct placement *p, const char *cell);

// Changes. What stood where something moves to changes places with it. False where this may not be: nothing changed.
//
// A unit of logic, to the half there of the tile x, y. It moves with what it displaces: FEW_MOVED units at most.
#define FEW_MOVED 3
bool placement_move(struct placement *p, int unit, int x, int y, int half, struct change *c);
// A tile with all in it, and those that its carry chains pass on to, to the tiles from x, y on.
bool placement_move_tile(struct placement *p, int unit, int x, int y, struct change *c);
// A block RAM, or the block of products that a product is in, to the place of another, chosen by a number at random.
bool placement_move_block(struct placement *p, int unit, unsigned random, struct change *c);
bool placement_is_block(const struct placement *p, int unit);

void placement_undo(struct placement *p, const struct change *c);
void placement_redo(struct placement *p, const struct change *c);

// Writes the places into the design.
void placement_store(const struct placement *p);

#endif
