/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomics. */
#include "integer.h"
#include "number.h"
#include "thread.h"

static const char *const SPACES[] = {"generic", "global", "shared", "local", "constant", "parameter"};

uint64_t space_base(struct thread *t, enum space space) {
    (void)t;
    return space == SHARED ? SHARED_WINDOW : space == LOCAL ? LOCAL_WINDOW : 0;
}

enum space generic_space(uint64_t address) {
    if (address >= SHARED_WINDOW && address < SHARED_WINDOW + WINDOW_BYTES) return SHARED;
    if (address >= LOCAL_WINDOW && address < LOCAL_WINDOW + WINDOW_BYTES) return LOCAL;
    return GLOBAL;
}

/* The region of a GLOBAL or CONSTANT address (a generic address may mean both), or NULL. */
static struct region *region_of(const struct machine *m, uint64_t address) {
    size_t low = 0;
    size_t high = m->region_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        struct region *r = &m->regions[middle];
        if (address >= r->address && address - r->address < r->size) return r;
        if (address < r->address)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* A place in memory. */
struct spot {
    struct region *region;
    uint64_t at;
};

static struct region *region_in(struct thread *t, enum space space, uint64_t address, bool generic) {
    if (space == SHARED) return &t->machine->shared;
    if (space == LOCAL) return &t->local;
    if (space == PARAM) return &t->param;
    struct region *r = region_of(t->machine, address);
    if (r != NULL && !generic && r->space != space) return NULL;
    return r;
}

static struct spot locate(struct thread *t, enum space space, uint64_t address, unsigned bytes) {
    const bool generic = space == NO_SPACE;
    if (address % bytes != 0)
        thread_fail(t, NOT_DEFINED, "%s address 0x%llx is no multiple of %u", SPACES[space],
                    (unsigned long long)address, bytes);
    if (generic) space = generic_space(address);
    struct region *r = region_in(t, space, address, generic);
    const uint64_t at = address - (generic ? space_base(t, space) : 0) - (r == NULL ? 0 : r->address);
    if (r == NULL || at > r->size || r->size - at < bytes)
        thread_fail(t, NOT_DEFINED, "%s address 0x%llx (%u bytes) is out of bounds", SPACES[generic ? NO_SPACE : space],
                    (unsigned long long)address, bytes);
    return (struct spot){r, at};
}

static void visit(struct thread *t, struct spot spot, unsigned bytes, enum access access) {
    const struct visitor visitor = {t->machine->block_number, t->number, t->machine->phase};
    if (access != READS && spot.region->space == CONSTANT)
        thread_fail(t, NOT_DEFINED, "'%.60s' is constant", spot.region->name);
    if (!region_visit(spot.region, spot.at, bytes, &visitor, access))
        thread_fail(t, NOT_DEFINED, "race at byte %llu of '%.60s': another thread %s it, and no barrier is between",
                    (unsigned long long)spot.at, spot.region->name, access == READS ? "wrote" : "used");
}

static const struct operand *element(const struct instruction *i, const struct operand *o, unsigned k) {
    return i->vector > 1 && o->kind == VECTOR ? &o->list[k] : o;
}

static void check_vector(struct thread *t, const struct instruction *i, const struct operand *o) {
    if (i->vector > 1 && (o->kind != VECTOR || o->count != i->vector))
        thread_fail(t, NOT_DEFINED, "expected %u registers in braces", i->vector);
}

static void load(struct thread *t, const struct instruction *i) {
    const struct type type = i->types[0];
    const unsigned bytes = type.bits / 8u;
    const uint64_t address = operand_address(t, &i->operands[1]);
    const struct spot spot = locate(t, i->space, address, bytes * i->vector);
    check_vector(t, i, &i->operands[0]);
    visit(t, spot, bytes * i->vector, READS);
    for (unsigned k = 0; k < i->vector; k++)
        operand_write(t, element(i, &i->operands[0], k), type, region_load(spot.region, spot.at + bytes * k, bytes));
}

/* Padding of a structure may be undefined. The origin of the first such value is kept for machine_defined. */
static void store_one(struct thread *t, struct spot spot, struct value value, struct type type) {
    struct machine *m = t->machine;
    if (spot.region->space == GLOBAL && !is_known(value, (struct type){'b', type.bits}) && m->undefined_store.line == 0)
        m->undefined_store = t->frame->function->code[t->frame->pc].place;
    region_store(spot.region, spot.at, type.bits / 8u, value);
}

/* A store of the present value is no race. */
static bool changes(struct spot spot, struct value value, unsigned bytes) {
    const struct value old = region_load(spot.region, spot.at, bytes);
    const uint64_t all = low_bits(~(uint64_t)0, 8 * bytes);
    return old.bits != value.bits || old.known != all || value.known != all;
}

static void store(struct thread *t, const struct instruction *i) {
    const struct type type = i->types[0];
    const unsigned bytes = type.bits / 8u;
    const uint64_t address = operand_address(t, &i->operands[0]);
    const struct spot spot = locate(t, i->space, address, bytes * i->vector);
    check_vector(t, i, &i->operands[1]);
    for (unsigned k = 0; k < i->vector; k++) {
        const struct spot one = {spot.region, spot.at + bytes * k};
        const struct type raw = {'b', type.bits};
        const struct operand *o = element(i, &i->operands[1], k);
        const struct value value = operand_read(t, o, o->kind == NUMBER ? type : raw);
        if (one.region->space == CONSTANT || changes(one, value, bytes)) visit(t, one, bytes, WRITES);
        store_one(t, one, value, type);
    }
}

static uint64_t atomic_result(const struct instruction *i, uint64_t old, uint64_t b, uint64_t c) {
    const struct type type = i->types[0];
    if (type.kind != 'f' || i->combination != W_ADD) return integer_atomic(i->combination, old, b, c, type);
    const struct number_format *f = number_format_of(type.bits);
    const struct number sum = number_add(number_unpack(old, f, true), number_unpack(b, f, true), TO_NEAREST);
    return number_pack(sum, f, TO_NEAREST, type.bits == 32);
}

/* atom d, [a], b{, c}; red [a], b; */
static void atomic(struct thread *t, const struct instruction *i) {
    const struct type type = i->types[0];
    const struct operand *o = i->operands + (i->opcode == OP_ATOM ? 1 : 0);
    const struct spot spot = locate(t, i->space, operand_address(t, o), type.bits / 8u);
    visit(t, spot, type.bits / 8u, ATOMIC);
    const struct value old = region_load(spot.region, spot.at, type.bits / 8u);
    const struct value b = operand_read(t, &o[1], type);
    const struct value c = i->combination == W_CAS ? operand_read(t, &o[2], type) : b;
    if (!is_known(old, type) || !is_known(b, type) || !is_known(c, type))
        thread_fail(t, NOT_DEFINED, "an operand of the atomic is undefined");
    region_store(spot.region, spot.at, type.bits / 8u, all_known(atomic_result(i, old.bits, b.bits, c.bits)));
    if (i->opcode == OP_ATOM) operand_write(t, &i->operands[0], type, old);
}

bool is_access(enum opcode o) { return o == OP_LD || o == OP_LDU || o == OP_ST || o == OP_ATOM || o == OP_RED; }

void execute_access(struct thread *t, const struct instruction *i) {
    const unsigned wanted = i->opcode == OP_ATOM ? (i->combination == W_CAS ? 4u : 3u) : 2u;
    if (i->operand_count != wanted || i->type_count != 1) thread_fail(t, NOT_DEFINED, "expected %u operands", wanted);
    if (i->opcode == OP_ST)
        store(t, i);
    else if (i->opcode == OP_LD || i->opcode == OP_LDU)
        load(t, i);
    else
        atomic(t, i);
}
