/* SPDX-License-Identifier: Apache-2.0 */
/* The attributes of an ELF cubin: records of a format byte, an id byte and 16 bits, which are the value, or (format 4)
 * the size of the following value. A record of .nv.info about one function begins with the index of the function's
 * symbol. The ids are those that NVIDIA's tools print as EIATTR names; others are skipped.
 *
 *     0x10 REQNTID          block shape that the kernel requires: x, y, z
 *     0x11 FRAME_SIZE       symbol, bytes of local memory
 *     0x12 MIN_STACK_SIZE   symbol, bytes of local memory
 *     0x17 KPARAM_INFO      one parameter: index (32), ordinal, offset (16 each), and its size from bit 18 of a word
 *     0x18 SMEM_PARAM_SIZE  bytes of all parameters
 *     0x19 CBANK_PARAM_SIZE likewise
 *     0x0a PARAM_CBANK      symbol, offset and size (16 each) of the parameters
 *     0x2f REGCOUNT         symbol, registers
 */
#include <inttypes.h>
#include <string.h>

#include "../../spec/memory.h"
#include "../isa/isa.h"
#include "cubin_elf.h"

enum { FORMAT_NONE = 1, FORMAT_BYTE = 2, FORMAT_HALF = 3, FORMAT_SIZED = 4 };

enum {
    ID_PARAM_CBANK = 0x0a,
    ID_REQNTID = 0x10,
    ID_FRAME_SIZE = 0x11,
    ID_MIN_STACK_SIZE = 0x12,
    ID_KPARAM_INFO = 0x17,
    ID_SMEM_PARAM_SIZE = 0x18,
    ID_CBANK_PARAM_SIZE = 0x19,
    ID_REGCOUNT = 0x2f,
};

enum { PARAM_SIZE_BIT = 18, LOCAL_MAX = 1 << 24 };

struct record {
    uint8_t format, id;
    uint16_t value;       /* 0 if the value follows */
    const uint8_t *bytes; /* NULL unless the value follows */
    size_t size;
};

static uint32_t half(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }

static void know_params(struct cubin_elf *c, uint32_t bytes) {
    c->params_known = true;
    if (bytes > c->param_bytes) c->param_bytes = bytes;
}

/* A record of .nv.info names its function by a symbol. */
static bool names_our_kernel(const struct cubin_elf *c, const struct record *r) {
    GElf_Sym symbol;
    const char *name;
    return r->size >= 8 && elf_reader_symbol(c->reader, word_at(r->bytes), &symbol, &name) &&
           strcmp(name, c->name) == 0;
}

static enum status take_param(struct cubin_elf *c, const struct record *r) {
    if (r->size < 12) return STATUS_OK;
    const uint32_t offset = half(r->bytes + 6), size = word_at(r->bytes + 8) >> PARAM_SIZE_BIT;
    know_params(c, offset + size);
    const enum status status =
        image_add_note(c->img, "parameter %" PRIu32 ": shared byte 0x%" PRIx32 ", %" PRIu32 " bytes",
                       half(r->bytes + 4), HEADER_BYTES + offset, size);
    return status == STATUS_OK ? STATUS_OK : elf_no_memory(c->reader);
}

static void take_block(const struct cubin_elf *c, const struct record *r) {
    if (r->size < 12) return;
    for (size_t i = 0; i < 3; i++)
        if (word_at(r->bytes + 4 * i) - 1 >= IMAGE_GRID_MAX) return;
    for (size_t i = 0; i < 3; i++) c->img->block[i] = word_at(r->bytes + 4 * i);
}

/* of_kernel: the record is of .nv.info.NAME. */
static enum status take_record(struct cubin_elf *c, const struct record *r, bool of_kernel) {
    const bool ours = names_our_kernel(c, r);
    const uint32_t number = ours ? word_at(r->bytes + 4) : 0;
    if ((r->id == ID_FRAME_SIZE || r->id == ID_MIN_STACK_SIZE) && number < LOCAL_MAX) {
        if (c->img->local_bytes < number) c->img->local_bytes = number;
    } else if (r->id == ID_REGCOUNT && number <= ISA_REGS) {
        if (c->img->regs < number) c->img->regs = number;
    } else if (of_kernel && r->id == ID_KPARAM_INFO) {
        return take_param(c, r);
    } else if (of_kernel && (r->id == ID_SMEM_PARAM_SIZE || r->id == ID_CBANK_PARAM_SIZE)) {
        know_params(c, r->size >= 4 ? word_at(r->bytes) & 0xffff : r->value);
    } else if (of_kernel && r->id == ID_PARAM_CBANK && r->size >= 8) {
        know_params(c, half(r->bytes + 6));
    } else if (of_kernel && r->id == ID_REQNTID) {
        take_block(c, r);
    }
    return STATUS_OK;
}

static enum status read_records(struct cubin_elf *c, const struct elf_section *s, bool of_kernel) {
    if (s->damaged) return elf_damaged(c->reader, s->name);
    for (size_t at = 0; s->bytes != NULL && at < s->size;) {
        if (s->size - at < 4) return elf_damaged(c->reader, s->name);
        const uint8_t *p = s->bytes + at;
        struct record r = {.format = p[0], .id = p[1], .value = (uint16_t)half(p + 2)};
        at += 4;
        if (r.format == FORMAT_SIZED) {
            if (r.value > s->size - at) return elf_damaged(c->reader, s->name);
            r.bytes = p + 4;
            r.size = r.value;
            r.value = 0;
            at += r.size;
        } else if (r.format < FORMAT_NONE || r.format > FORMAT_HALF) {
            return elf_damaged(c->reader, s->name);
        }
        const enum status status = take_record(c, &r, of_kernel);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

enum status cubin_read_info(struct cubin_elf *c) {
    struct elf_section s;
    for (Elf_Scn *scn = NULL; elf_reader_next(c->reader, &scn, &s);) {
        const bool of_kernel = cubin_section_is_ours(c, s.name, ".nv.info.");
        if (!of_kernel && strcmp(s.name, ".nv.info") != 0) continue;
        const enum status status = read_records(c, &s, of_kernel);
        if (status != STATUS_OK) return status;
    }
    if (!c->params_known) return STATUS_OK;
    const enum status status = image_add_note(c->img, "parameters: %" PRIu32 " bytes", c->param_bytes);
    return status == STATUS_OK ? STATUS_OK : elf_no_memory(c->reader);
}
