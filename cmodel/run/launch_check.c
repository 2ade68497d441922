/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a launch fits the machine. Each refusal names the limit and the value. */
#include "launch.h"

#include <inttypes.h>

#include "../../assembler/isa/isa.h"
#include "../../spec/memory.h"
#include "../core/decoded.h"
#include "../machine_has.h"

enum { LATER_KINDS = 8 /* upper bound of the values of isa_later */ };

enum { MAX_BLOCK_Y = 1024, MAX_BLOCK_Z = 64, MAX_LOCAL = 65532 };

static enum status does_not_fit(const struct launch *run, struct diag *d, const char *what, uint64_t value,
                                const char *limit_of, uint64_t limit) {
    return diag_set(d, STATUS_BAD_INPUT, run->path != NULL ? run->path : "", 0, 0,
                    "launch does not fit: %s %" PRIu64 ", %s %" PRIu64, what, value, limit_of, limit);
}

static enum status check_code(const struct launch *run, const struct machine *limits, struct diag *d) {
    if (run->image->code_words == 0)
        return diag_set(d, STATUS_BAD_INPUT, run->path != NULL ? run->path : "", 0, 0, "the kernel has no code");
    const uint64_t bytes = 4 * (uint64_t)run->image->code_words;
    return bytes <= limits->code_bytes
               ? STATUS_OK
               : does_not_fit(run, d, "code bytes", bytes, "the machine has", limits->code_bytes);
}

static enum status check_shape(const struct launch *run, const struct machine *limits, struct diag *d) {
    const struct image *image = run->image;
    for (unsigned i = 0; i < 2; i++)
        if (image->grid[i] == 0 || image->grid[i] > IMAGE_GRID_MAX)
            return does_not_fit(run, d, i == 0 ? "grid x" : "grid y", image->grid[i], "it goes from 1 to",
                                IMAGE_GRID_MAX);
    uint64_t threads = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (image->block[i] == 0)
            return diag_set(d, STATUS_BAD_INPUT, run->path != NULL ? run->path : "", 0, 0, "a block dimension is 0");
        threads *= image->block[i];
        if (threads > limits->threads)
            return does_not_fit(run, d, "threads in a block", threads, "an sm has", limits->threads);
    }
    if (image->block[1] > MAX_BLOCK_Y)
        return does_not_fit(run, d, "block y", image->block[1], "r0 holds at most", MAX_BLOCK_Y);
    if (image->block[2] > MAX_BLOCK_Z)
        return does_not_fit(run, d, "block z", image->block[2], "r0 holds at most", MAX_BLOCK_Z);
    const unsigned warps = block_warps(run->image->block);
    return warps <= limits->warps ? STATUS_OK
                                  : does_not_fit(run, d, "warps in a block", warps, "an sm has", limits->warps);
}

static enum status check_registers(struct launch *run, const struct machine *limits, struct diag *d) {
    struct image *image = run->image;
    if (image->regs == 0) {
        const unsigned used = image_regs_used(image);
        image->regs = used == 0 ? 1 : used;
    }
    if (image->regs > ISA_REGS)
        return does_not_fit(run, d, "registers a thread", image->regs, "a thread has at most", ISA_REGS);
    const uint64_t registers = (uint64_t)image->regs * block_warps(run->image->block) * WARP_LANES;
    return registers <= limits->registers
               ? STATUS_OK
               : does_not_fit(run, d, "registers of a block's warps", registers, "an sm has", limits->registers);
}

static enum status check_shared(struct launch *run, const struct machine *limits, struct diag *d) {
    struct image *image = run->image;
    if (image->param_count > limits->param_words)
        return does_not_fit(run, d, "parameter words", image->param_count, "a launch has at most", limits->param_words);
    const unsigned needed = HEADER_BYTES + 4 * (unsigned)image->param_count;
    if (image->shared_bytes > limits->shared_bytes || needed > limits->shared_bytes) {
        return does_not_fit(run, d, "shared bytes", image->shared_bytes > needed ? image->shared_bytes : needed,
                            "an sm has", limits->shared_bytes);
    }
    image->shared_bytes = ((image->shared_bytes > needed ? image->shared_bytes : needed) + 3u) & ~3u;
    return STATUS_OK;
}

/* Pads each bank to whole words, so that all users agree on its end. */
static enum status check_constants(struct launch *run, const struct machine *limits, struct diag *d) {
    static const uint8_t padding[4];
    uint64_t total = 0;
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++) {
        const size_t size = run->image->bank[i].size;
        if (size % 4 != 0 && image_set_const(run->image, i, size, padding, 4 - size % 4) != STATUS_OK)
            return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
        total += run->image->bank[i].size;
    }
    return total <= limits->const_bytes
               ? STATUS_OK
               : does_not_fit(run, d, "constant bytes", total, "the machine has", limits->const_bytes);
}

static enum status check_range(const struct launch *run, const struct machine *limits, const char *what, uint64_t addr,
                               uint64_t size, struct diag *d) {
    if (addr + size <= limits->global_bytes) return STATUS_OK;
    return does_not_fit(run, d, what, addr + size, "global memory ends at", limits->global_bytes);
}

static enum status check_global(const struct launch *run, const struct machine *limits, struct diag *d) {
    const struct image *image = run->image;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < image->global_count && status == STATUS_OK; i++) {
        status =
            check_range(run, limits, "initial global memory up to", image->global[i].addr, image->global[i].size, d);
    }
    for (size_t i = 0; i < image->expect_count && status == STATUS_OK; i++) {
        status =
            check_range(run, limits, "expected global memory up to", image->expect[i].addr, image->expect[i].size, d);
    }
    for (size_t i = 0; i < run->dump_count && status == STATUS_OK; i++)
        status = check_range(run, limits, "dumped global memory up to", run->dumps[i].addr, run->dumps[i].bytes, d);
    return status;
}

/* Local memory is a slice of global memory: all threads that can be resident need room at once. */
static enum status check_local(struct launch *run, const struct machine *limits, struct diag *d) {
    struct image *image = run->image;
    if (image->local_bytes > MAX_LOCAL)
        return does_not_fit(run, d, "local bytes a thread", image->local_bytes, "a thread has at most", MAX_LOCAL);
    image->local_bytes = (image->local_bytes + 3u) & ~3u;
    const uint64_t bytes = (uint64_t)image->local_bytes * block_warps(run->image->block) * WARP_LANES;
    return bytes <= limits->global_bytes
               ? STATUS_OK
               : does_not_fit(run, d, "local bytes of a block", bytes, "global memory has", limits->global_bytes);
}

enum status launch_check(struct launch *run, const struct machine *limits, struct diag *d) {
    enum status status = check_code(run, limits, d);
    if (status == STATUS_OK) status = check_shape(run, limits, d);
    if (status == STATUS_OK) status = check_registers(run, limits, d);
    if (status == STATUS_OK) status = check_shared(run, limits, d);
    if (status == STATUS_OK) status = check_constants(run, limits, d);
    if (status == STATUS_OK) status = check_global(run, limits, d);
    if (status == STATUS_OK) status = check_local(run, limits, d);
    return status;
}

/* The units, by the names of their members in struct machine. */
static const struct unit {
    enum isa_need need;
    const char *member, *remedy;
} UNIT_LIST[] = {
#define UNIT(GENERIC, member, model, key, option, help, text, bit, remedy) {NEED_##GENERIC, #member, remedy},
#define UNITS(GENERIC, member, usual, least, most, key, option, help, text, bit, remedy) \
    {NEED_##GENERIC, #member, remedy},
    MACHINE_LIST(MACHINE_NOTHING, MACHINE_NOTHING, UNIT, UNITS, MACHINE_NOTHING)
#undef UNIT
#undef UNITS
};
enum { UNIT_ROWS = sizeof UNIT_LIST / sizeof UNIT_LIST[0] };

/* "fpu" of has_fpu, "wide" of wide. */
static const char *unit_name(const struct unit *unit) {
    return strncmp(unit->member, "has_", 4) == 0 ? unit->member + 4 : unit->member;
}

const char *launch_absent_unit(const struct machine *machine, uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    if (isa_decode(lo, hi, &insn) != ISA_OK || machine_has(machine, isa_op_needs(insn.op))) return NULL;
    for (size_t i = 0; i < UNIT_ROWS; i++)
        if (UNIT_LIST[i].need == isa_op_needs(insn.op)) return unit_name(&UNIT_LIST[i]);
    return NULL;
}

const char *launch_remedy(const char *name) {
    size_t i = 0;
    while (i + 1 < UNIT_ROWS && strcmp(unit_name(&UNIT_LIST[i]), name) != 0) i++;
    return UNIT_LIST[i].remedy;
}

/* The reason why a known instruction traps. */
static void print_absence(const struct machine *machine, const struct isa_insn *insn, FILE *out) {
    const char *unit = launch_absent_unit(machine, insn->lo, insn->hi);
    if (unit != NULL)
        fprintf(out, "the machine lacks its unit; it executes %s\n", launch_remedy(unit));
    else
        fprintf(out, "no machine executes it\n");
}

/* "FILE:LINE: warning: TEXT traps: ", or with the pc if there are no lines. */
static void print_trapping(const struct launch *run, uint32_t pc, const char *text, FILE *out) {
    unsigned line;
    const char *file = image_find_line(run->image, pc, &line);
    if (file != NULL)
        fprintf(out, "%s:%u: warning: %s traps: ", file, line, text);
    else
        fprintf(out, "%s: warning: pc 0x%" PRIx32 ": %s traps: ", run->path, pc, text);
}

/* Instructions of later machines; the first of each kind (double precision ...). */
static void warn_later(const struct launch *run, FILE *out) {
    const struct image *image = run->image;
    const char *said[LATER_KINDS] = {NULL};
    for (size_t i = 0, words; i < image->code_words; i += words) {
        const uint32_t lo = image->code[i], hi = i + 1 < image->code_words ? image->code[i + 1] : 0;
        char text[ISA_TEXT_MAX];
        const char *what = isa_later(lo, hi, ISA_DIALECT_3, text);
        size_t kind = 0;
        words = isa_is_long(lo) && i % 2 == 0 ? 2 : 1;
        if (what == NULL || (isa_is_long(lo) && words == 1)) continue;
        while (kind < LATER_KINDS && said[kind] != NULL && strcmp(said[kind], what) != 0) kind++;
        if (kind == LATER_KINDS || said[kind] != NULL) continue;
        said[kind] = what;
        print_trapping(run, (uint32_t)i * 4, text, out);
        fprintf(out, "%s\n", what);
    }
}

/* Instructions that trap for any operands; the first of each operation. */
static void warn_absent(const struct launch *run, const struct machine *machine, FILE *out) {
    const struct image *image = run->image;
    struct code code = {0};
    bool said[OP_COUNT] = {false};
    if (!code_load(&code, image->code, image->code_words, image->regs, machine)) return;
    for (uint32_t pc = 0, step; pc < 4 * image->code_words; pc += step) {
        const struct decoded *d = decoded_at(&code, pc);
        step = isa_is_long(image->code[pc / 4]) && pc % 8 == 0 ? 8 : 4;
        const bool foreign = d != NULL && d->trap == TRAP_UNDEFINED && isa_unit_is_extension(d->insn.unit);
        if (d == NULL || (d->trap != TRAP_UNIMPLEMENTED && !foreign) || said[d->insn.op]) continue;
        said[d->insn.op] = true;
        char text[ISA_TEXT_MAX];
        isa_print(&d->insn, ISA_DIALECT_3, text, sizeof text);
        print_trapping(run, pc, text, out);
        print_absence(machine, &d->insn, out);
    }
    code_destroy(&code);
}

/* The highest register of the code, with the line of its first use. */
static void warn_registers(const struct launch *run, unsigned used, FILE *out) {
    const struct image *image = run->image;
    const char *file = NULL;
    unsigned line = 0, step;
    for (unsigned i = 0; i < image->code_words; i += step) {
        step = isa_is_long(image->code[i]) && i + 1 < image->code_words ? 2 : 1;
        const struct image one = {.code = image->code + i, .code_words = step};
        if (image_regs_used(&one) != used) continue;
        file = image_find_line(image, 4 * i, &line);
        break;
    }
    if (file != NULL)
        fprintf(out, "%s:%u", file, line);
    else
        fprintf(out, "%s", run->path);
    fprintf(out, ": warning: R%u is used, but the launch has %u register%s: it reads zero and drops writes\n", used - 1,
            image->regs, image->regs == 1 ? "" : "s");
}

void launch_warn(const struct launch *run, const struct machine *machine, FILE *out) {
    const unsigned used = image_regs_used(run->image);
    if (run->quiet) return;
    if (used > run->image->regs && used < ISA_REGS) warn_registers(run, used, out); /* R127 takes unused results */
    warn_absent(run, machine, out);
    warn_later(run, out);
}
