// SPDX-License-Identifier: Apache-2.0
// A modifiable placement of ECP5 cells from nextpnr: the sites of cells, and the alternatives.
//
// A unit moves as one: a LUT, a register, a LUT with the adjacent register that reads it, or a block RAM. Carry chains
// and LUT RAM move with their whole tiles, products with their block of four. Pins do not move.
#ifndef WARPSTEP_TIMING_PLACEMENT_H
#define WARPSTEP_TIMING_PLACEMENT_H

#include <jansson.h>
#include <stdbool.h>

struct unit {
    json_t *cells[2];   // a LUT, or a cell that is not logic; a register; NULL: none
    int x, y;           // of its tile
    int half;           // it occupies one of 8 halves of the tile's four slices; below 0: it is not logic
    const char *suffix; // for cells that are not logic: the name of the place in the tile
    int control;        // index of its register's clock, enable and reset among all such sets; below 0: none
    bool fixed;         // it does not move alone
};

// The moved units, for undo and redo.
#define MOST_MOVED 512
struct change {
    enum { OF_UNIT, OF_BLOCKS, OF_TILES, OF_PRODUCTS } kind;
    int count; // of the units that moved
    int units[MOST_MOVED];
    int from, to; // places
    int tiles;    // so many, for OF_TILES
};

struct placement;

// NULL, with a message, if `design` is not placed.
struct placement *placement_of(json_t *design);
void placement_destroy(struct placement *p);

int placement_count(const struct placement *p);
const struct unit *placement_at(const struct placement *p, int unit);
// The unit of a cell; below 0: none.
int placement_find(const struct placement *p, const char *cell);

// Moves. A displaced unit changes places with the moving one. False if not allowed: then nothing has changed.
//
// A unit of logic, to that half of the tile x, y. It moves with the units that it displaces: FEW_MOVED units at most.
#define FEW_MOVED 3
bool placement_move(struct placement *p, int unit, int x, int y, int half, struct change *c);
// A tile with its contents, and the tiles that its carry chains continue into, to the tiles from x, y on.
bool placement_move_tile(struct placement *p, int unit, int x, int y, struct change *c);
// A block RAM, or the block that contains a product, to the place of another, chosen by a random number.
bool placement_move_block(struct placement *p, int unit, unsigned random, struct change *c);
bool placement_is_block(const struct placement *p, int unit);

void placement_undo(struct placement *p, const struct change *c);
void placement_redo(struct placement *p, const struct change *c);

// Writes the places into the design.
void placement_store(const struct placement *p);

#endif
