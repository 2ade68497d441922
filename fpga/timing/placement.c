// SPDX-License-Identifier: Apache-2.0
#include "fpga/timing/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fpga/timing/have.h"
#include "fpga/timing/netlist.h"

#define WIDTH  128
#define HEIGHT 100
#define TILES  (WIDTH * HEIGHT)
#define HALVES 8
#define SITES  (TILES * HALVES)

enum { FREE = -1, CLOSED = -2 }; // a site without a unit

// An LFE5U-85F has blocks of four products in these columns, with the products at these distances.
static const int product_columns[] = {4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114},
                 product_rows[] = {10, 34, 58};
enum { PRODUCT_COLUMNS = 13, PRODUCT_BLOCKS = 3 * PRODUCT_COLUMNS, PRODUCTS = 4 };
static const int product_at[PRODUCTS] = {0, 1, 4, 5};

struct named {
    const char *name;
    int unit;
};

struct control {
    json_t *cell; // the first that has it
    int of_tile;  // the first control that is equal except for the enable
};

struct tile {
    bool logic;  // it has slices
    bool linked; // a carry chain continues into the next tile
    int ram;     // the unit that writes its LUT RAM; below 0: none
};

struct placement {
    struct unit *units;
    int count;
    struct named *names; // sorted
    size_t name_count;
    struct control *controls;
    int control_count;
    int *blocks; // units that are block RAMs
    int block_count;
    int products[PRODUCT_BLOCKS][PRODUCTS]; // units; below 0: none
    struct tile tiles[TILES];
    int at[2][SITES]; // the units at the LUTs and the registers
};

static const char *text(json_t *cell, const char *of, const char *name) {
    const char *value = json_string_value(json_object_get(json_object_get(cell, of), name));
    return value ? value : "";
}

static bool is_type(json_t *cell, const char *type) {
    return !strcmp(json_string_value(json_object_get(cell, "type")), type);
}

// The wire at a port of one bit; below 0: none.
static int wire_at(json_t *cell, const char *port) {
    json_t *bit = json_array_get(json_object_get(json_object_get(cell, "connections"), port), 0);
    return json_is_integer(bit) ? (int)json_integer_value(bit) : -1;
}

static int tile_at(int x, int y) { return y * WIDTH + x; }

static int tile_of(const struct unit *u) { return tile_at(u->x, u->y); }

static int site_of(const struct unit *u) { return tile_of(u) * HALVES + u->half; }

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

int placement_find(const struct placement *p, const char *cell) {
    const struct named key = {cell, 0}, *found = bsearch(&key, p->names, p->name_count, sizeof *p->names, by_name);
    return found ? found->unit : -1;
}

// ----------------------------------------------------------------------------------------------- reading the placement

static bool same(json_t *a, json_t *b, const char *port, const char *mode) {
    return wire_at(a, port) == wire_at(b, port) && !strcmp(text(a, "parameters", mode), text(b, "parameters", mode));
}

// The registers of a tile share one clock and one reset, those of a slice also one enable.
static bool same_in_tile(json_t *a, json_t *b) {
    return same(a, b, "LSR", "LSRMUX") && same(a, b, "LSR", "SRMODE") && same(a, b, "CLK", "CLKMUX");
}

static bool same_in_slice(json_t *a, json_t *b) { return same(a, b, "CE", "CEMUX") && same_in_tile(a, b); }

static int control_of(struct placement *p, json_t *cell) {
    int of_tile = p->control_count;
    for (int i = p->control_count - 1; i >= 0; i--) {
        if (same_in_slice(p->controls[i].cell, cell)) return i;
        if (same_in_tile(p->controls[i].cell, cell)) of_tile = i;
    }
    p->controls = have(realloc(p->controls, (size_t)(p->control_count + 1) * sizeof *p->controls));
    p->controls[p->control_count] = (struct control){cell, of_tile};
    return p->control_count++;
}

// X12/Y34/SLICEB.FF1
static bool place_of(json_t *cell, struct unit *u, bool *second) {
    const char *bel = text(cell, "attributes", "NEXTPNR_BEL"), *suffix = strrchr(bel, '/');
    u->half = u->control = -1;
    if (!suffix || sscanf(bel, "X%d/Y%d", &u->x, &u->y) != 2) return false;
    if (u->x < 0 || u->x >= WIDTH || u->y < 0 || u->y >= HEIGHT) return false;
    u->suffix = have(strdup(suffix + 1));
    if (strncmp(u->suffix, "SLICE", 5) != 0) return true;
    const char slice = u->suffix[5], *kind = u->suffix + strlen("SLICEB.");
    *second = kind[0] == 'F';
    if (kind[0] == 'K' || *second) u->half = 2 * (slice - 'A') + (kind[strcspn(kind, "01")] == '1');
    return true;
}

static void add_product(struct placement *p, int unit) {
    const struct unit *u = &p->units[unit];
    for (int block = 0; block < PRODUCT_BLOCKS; block++)
        for (int i = 0; i < PRODUCTS; i++)
            if (u->y == product_rows[block / PRODUCT_COLUMNS] &&
                u->x == product_columns[block % PRODUCT_COLUMNS] + product_at[i])
                p->products[block][i] = unit;
}

static bool moves_alone(json_t *cell) {
    if (!is_type(cell, "TRELLIS_COMB")) return is_type(cell, "TRELLIS_FF");
    const char *mode = text(cell, "parameters", "MODE");
    return strcmp(mode, "CCU2") != 0 && strcmp(mode, "DPRAM") != 0;
}

static bool add_cell(struct placement *p, const char *name, json_t *cell) {
    struct unit u = {.fixed = !moves_alone(cell)};
    bool second = false;
    const int unit = p->count;
    if (!place_of(cell, &u, &second)) return false;
    u.cells[second] = cell;
    if (second) u.control = control_of(p, cell);
    p->units[p->count++] = u;
    p->names[p->name_count++] = (struct named){name, unit};
    if (u.half >= 0) p->at[second][site_of(&u)] = unit;
    if (is_type(cell, "DP16KD")) p->blocks[p->block_count++] = unit;
    if (is_type(cell, "MULT18X18D")) add_product(p, unit);
    if (is_type(cell, "TRELLIS_RAMW")) p->tiles[tile_of(&u)].ram = unit;
    return true;
}

// A register that reads the LUT beside it stays with it. The emptied unit has no cells.
static void join(struct placement *p) {
    for (int i = 0; i < SITES; i++) {
        const int lut = p->at[0][i], ff = p->at[1][i];
        if (lut < 0 || ff < 0 || wire_at(p->units[ff].cells[1], "DI") < 0) continue;
        p->units[lut].cells[1] = p->units[ff].cells[1];
        p->units[lut].control = p->units[ff].control;
        p->units[ff].cells[1] = NULL;
        p->units[ff].fixed = true;
        p->at[1][i] = lut;
    }
    for (size_t i = 0; i < p->name_count; i++) {
        const struct unit *u = &p->units[p->names[i].unit];
        if (!u->cells[0] && !u->cells[1]) p->names[i].unit = p->at[1][site_of(u)];
    }
}

// Slices are in the rows of tiles in which one is used. Tiles with LUT RAM have rules of their own.
static void close_sites(struct placement *p) {
    int left = WIDTH, right = 0;
    bool logic[HEIGHT] = {false};
    for (int i = 0; i < p->count; i++) {
        const struct unit *u = &p->units[i];
        if (u->half < 0) continue;
        logic[u->y] = true;
        if (u->x < left) left = u->x;
        if (u->x > right) right = u->x;
    }
    for (int i = 0; i < SITES; i++) {
        struct tile *t = &p->tiles[i / HALVES];
        const int x = i / HALVES % WIDTH;
        t->logic = logic[i / HALVES / WIDTH] && x >= left && x <= right;
        for (int second = 0; second < 2; second++) {
            const int unit = p->at[second][i];
            if (unit >= 0 && t->ram >= 0) p->units[unit].fixed = true;
            if (unit < 0) p->at[second][i] = t->logic && t->ram < 0 ? FREE : CLOSED;
        }
    }
}

// The multiplexer of a slice takes its LUTs' outputs and is controlled by pin M, through which a register without a LUT
// has its input. These LUTs stay in their slices, which move with their tiles.
static void keep_multiplexers(struct placement *p) {
    for (int i = 0; i < SITES; i++) {
        const int lut = p->at[0][i], beside = p->at[0][i ^ 1];
        if (lut < 0 || wire_at(p->units[lut].cells[0], "M") < 0) continue;
        p->units[lut].fixed = true;
        if (beside >= 0) p->units[beside].fixed = true;
        if (p->at[1][i] == FREE) p->at[1][i] = CLOSED;
    }
}

// Carry chains continue to the right.
static void find_links(struct placement *p) {
    size_t wires = 1;
    for (int i = 0; i < p->count; i++) {
        const int wire = p->units[i].cells[0] ? wire_at(p->units[i].cells[0], "FCO") : -1;
        if (wire >= 0 && (size_t)wire >= wires) wires = (size_t)wire + 1;
    }
    int *tile = have(calloc(wires, sizeof *tile)); // that drives a wire
    for (int i = 0; i < p->count; i++) {
        const int wire = p->units[i].cells[0] ? wire_at(p->units[i].cells[0], "FCO") : -1;
        if (wire >= 0) tile[wire] = tile_of(&p->units[i]);
    }
    for (int i = 0; i < p->count; i++) {
        const int wire = p->units[i].cells[0] ? wire_at(p->units[i].cells[0], "FCI") : -1;
        if (wire >= 0 && (size_t)wire < wires && tile[wire] && tile[wire] != tile_of(&p->units[i]))
            p->tiles[tile[wire]].linked = true;
    }
    free(tile);
}

struct placement *placement_of(json_t *design) {
    struct placement *p = have(calloc(1, sizeof *p));
    json_t *cells = netlist_cells(design), *cell;
    const char *name;
    const size_t count = json_object_size(cells);
    bool placed = count > 0;
    for (int i = 0; i < 2 * SITES; i++) p->at[i / SITES][i % SITES] = FREE;
    for (int i = 0; i < TILES; i++) p->tiles[i].ram = -1;
    for (int i = 0; i < PRODUCT_BLOCKS * PRODUCTS; i++) p->products[i / PRODUCTS][i % PRODUCTS] = -1;
    p->units = have(calloc(count + 1, sizeof *p->units));
    p->names = have(calloc(count + 1, sizeof *p->names));
    p->blocks = have(calloc(count + 1, sizeof *p->blocks));
    json_object_foreach(cells, name, cell) placed = placed && add_cell(p, name, cell);
    if (!placed) {
        fprintf(stderr, "refine: the design is not placed\n");
        placement_destroy(p);
        return NULL;
    }
    join(p);
    close_sites(p);
    keep_multiplexers(p);
    find_links(p);
    qsort(p->names, p->name_count, sizeof *p->names, by_name);
    return p;
}

void placement_destroy(struct placement *p) {
    for (int i = 0; i < p->count; i++) free((char *)p->units[i].suffix);
    free(p->units);
    free(p->names);
    free(p->controls);
    free(p->blocks);
    free(p);
}

int placement_count(const struct placement *p) { return p->count; }

const struct unit *placement_at(const struct placement *p, int unit) { return &p->units[unit]; }

// ------------------------------------------------------------------------------------------------ one unit of logic

static bool tile_fits(const struct placement *p, int site) {
    const int *at = &p->at[1][site - site % HALVES];
    int of_tile = -1;
    for (int half = 0; half < HALVES; half++) {
        if (at[half] < 0) continue;
        const int control = p->units[at[half]].control, other = at[half ^ 1];
        if (other >= 0 && p->units[other].control != control) return false;
        if (of_tile >= 0 && p->controls[control].of_tile != of_tile) return false;
        of_tile = p->controls[control].of_tile;
    }
    return true;
}

static void take_off(struct placement *p, int unit) {
    for (int second = 0; second < 2; second++)
        if (p->units[unit].cells[second]) p->at[second][site_of(&p->units[unit])] = FREE;
}

static void put_on(struct placement *p, int unit, int site) {
    struct unit *u = &p->units[unit];
    u->half = site % HALVES;
    u->x = site / HALVES % WIDTH;
    u->y = site / HALVES / WIDTH;
    for (int second = 0; second < 2; second++)
        if (u->cells[second]) p->at[second][site] = unit;
}

// The first unit moves from one site to the other; the unit there moves back.
static void exchange(struct placement *p, const struct change *c, int from, int to) {
    for (int i = 0; i < c->count; i++) take_off(p, c->units[i]);
    for (int i = 0; i < c->count; i++) put_on(p, c->units[i], i == 0 ? to : from);
}

// True if the returning unit fits into the first unit's old site. Both are removed at this point.
static bool fits_back(const struct placement *p, const struct change *c) {
    for (int second = 0; second < 2; second++) {
        int taken = p->at[second][c->from] != FREE;
        for (int i = 1; i < c->count; i++) taken += p->units[c->units[i]].cells[second] != NULL;
        if (taken > 1) return false;
    }
    return true;
}

bool placement_move(struct placement *p, int unit, int x, int y, int half, struct change *c) {
    const struct unit *u = &p->units[unit];
    if (u->fixed || u->half < 0 || x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT) return false;
    *c = (struct change){
        .kind = OF_UNIT, .count = 1, .units = {unit}, .from = site_of(u), .to = tile_at(x, y) * HALVES + half};
    if (c->from == c->to) return false;
    for (int second = 0; second < 2; second++) {
        const int other = p->at[second][c->to];
        if (!u->cells[second] || other == FREE) continue;
        if (other == CLOSED || p->units[other].fixed) return false;
        if (c->count == 1 || c->units[1] != other) c->units[c->count++] = other;
    }
    for (int i = 0; i < c->count; i++) take_off(p, c->units[i]);
    const bool fits = fits_back(p, c);
    for (int i = 0; i < c->count; i++) put_on(p, c->units[i], i == 0 ? c->from : c->to);
    if (!fits) return false;
    exchange(p, c, c->from, c->to);
    if (tile_fits(p, c->to) && tile_fits(p, c->from)) return true;
    placement_undo(p, c);
    return false;
}

// ------------------------------------------------------------------------------------------------ whole tiles

static void swap_ints(int *a, int *b) {
    const int was = *a;
    *a = *b;
    *b = was;
}

static void now_at(struct placement *p, int unit, int tile) {
    if (unit < 0) return;
    p->units[unit].x = tile % WIDTH;
    p->units[unit].y = tile / WIDTH;
}

static void swap_tiles(struct placement *p, int a, int b, int count) {
    for (int i = 0; i < count; i++, a++, b++) {
        const struct tile was = p->tiles[a];
        p->tiles[a] = p->tiles[b];
        p->tiles[b] = was;
        now_at(p, p->tiles[a].ram, a);
        now_at(p, p->tiles[b].ram, b);
        for (int k = 0; k < 2 * HALVES; k++) {
            int *at_a = &p->at[k % 2][a * HALVES + k / 2], *at_b = &p->at[k % 2][b * HALVES + k / 2];
            swap_ints(at_a, at_b);
            now_at(p, *at_a, a);
            now_at(p, *at_b, b);
        }
    }
}

static bool collect(const struct placement *p, int tile, int count, struct change *c) {
    for (int t = tile; t < tile + count; t++) {
        if (!p->tiles[t].logic || c->count + 2 * HALVES + 1 > MOST_MOVED) return false;
        if (p->tiles[t].ram >= 0) c->units[c->count++] = p->tiles[t].ram;
        for (int half = 0; half < HALVES; half++) {
            const int lut = p->at[0][t * HALVES + half], ff = p->at[1][t * HALVES + half];
            if (lut >= 0) c->units[c->count++] = lut;
            if (ff >= 0 && ff != lut) c->units[c->count++] = ff;
        }
    }
    return true;
}

bool placement_move_tile(struct placement *p, int unit, int x, int y, struct change *c) {
    const struct unit *u = &p->units[unit];
    int from = tile_of(u), count = 1;
    if (!p->tiles[from].logic || x < 1 || x >= WIDTH || y < 0 || y >= HEIGHT) return false;
    for (; p->tiles[from - 1].linked; from--) count++;
    while (p->tiles[from + count - 1].linked) count++;
    const int to = tile_at(x, y);
    if (x + count > WIDTH || abs(from - to) < count) return false;
    if (p->tiles[to - 1].linked || p->tiles[to + count - 1].linked) return false;
    *c = (struct change){.kind = OF_TILES, .from = from, .to = to, .tiles = count};
    if (!collect(p, from, count, c) || !collect(p, to, count, c)) return false;
    swap_tiles(p, from, to, count);
    return true;
}

// ------------------------------------------------------------------------------------------------ blocks

static void swap_blocks(struct placement *p, int a, int b) {
    struct unit *u = &p->units[a], *v = &p->units[b];
    const struct unit was = *u;
    u->x = v->x, u->y = v->y, u->suffix = v->suffix;
    v->x = was.x, v->y = was.y, v->suffix = was.suffix;
}

static void swap_products(struct placement *p, int a, int b) {
    for (int i = 0; i < PRODUCTS; i++) {
        swap_ints(&p->products[a][i], &p->products[b][i]);
        for (int block = a;; block = b) {
            now_at(p, p->products[block][i],
                   tile_at(product_columns[block % PRODUCT_COLUMNS] + product_at[i],
                           product_rows[block / PRODUCT_COLUMNS]));
            if (block == b) break;
        }
    }
}

static int products_with(const struct placement *p, int unit) {
    for (int i = 0; i < PRODUCT_BLOCKS * PRODUCTS; i++)
        if (p->products[i / PRODUCTS][i % PRODUCTS] == unit) return i / PRODUCTS;
    return -1;
}

bool placement_is_block(const struct placement *p, int unit) {
    json_t *cell = p->units[unit].cells[0];
    return p->units[unit].half < 0 && (is_type(cell, "DP16KD") || is_type(cell, "MULT18X18D"));
}

bool placement_move_block(struct placement *p, int unit, unsigned random, struct change *c) {
    if (is_type(p->units[unit].cells[0], "DP16KD")) {
        const int other = p->blocks[random % (unsigned)p->block_count];
        *c = (struct change){
            .kind = OF_BLOCKS, .count = 2, .units = {unit, other}
        };
    } else {
        *c = (struct change){.kind = OF_PRODUCTS, .from = products_with(p, unit), .to = (int)(random % PRODUCT_BLOCKS)};
        if (c->from < 0) return false;
        for (int i = 0; i < PRODUCTS; i++) {
            if (p->products[c->from][i] >= 0) c->units[c->count++] = p->products[c->from][i];
            if (p->products[c->to][i] >= 0) c->units[c->count++] = p->products[c->to][i];
        }
    }
    placement_redo(p, c);
    return true;
}

// ------------------------------------------------------------------------------------------------ all of them

void placement_redo(struct placement *p, const struct change *c) {
    switch (c->kind) {
    case OF_UNIT: exchange(p, c, c->from, c->to); break;
    case OF_TILES: swap_tiles(p, c->from, c->to, c->tiles); break;
    case OF_BLOCKS: swap_blocks(p, c->units[0], c->units[1]); break;
    case OF_PRODUCTS: swap_products(p, c->from, c->to); break;
    }
}

void placement_undo(struct placement *p, const struct change *c) {
    if (c->kind == OF_UNIT)
        exchange(p, c, c->to, c->from);
    else
        placement_redo(p, c);
}

void placement_store(const struct placement *p) {
    for (int i = 0; i < p->count; i++) {
        const struct unit *u = &p->units[i];
        for (int second = 0; second < 2; second++) {
            char bel[64];
            if (!u->cells[second]) continue;
            if (u->half < 0)
                snprintf(bel, sizeof bel, "X%d/Y%d/%s", u->x, u->y, u->suffix);
            else
                snprintf(bel, sizeof bel, "X%d/Y%d/SLICE%c.%s%d", u->x, u->y, 'A' + u->half / 2, second ? "FF" : "K",
                         u->half % 2);
            json_object_set_new(json_object_get(u->cells[second], "attributes"), "NEXTPNR_BEL", json_string(bel));
        }
    }
}
