/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF cubin while it is read; each file handles one part: cubin_elf.c chooses the kernel and reads its sections,
 * cubin_info.c its attributes, cubin_link.c places variables and applies relocations. */
#ifndef WARPSTEP_CUBIN_ELF_H
#define WARPSTEP_CUBIN_ELF_H

#include <string.h>

#include "../image/elf_reader.h"
#include "../image/image.h"

/* Data of a section besides its header. */
struct cubin_section {
    bool is_entry;  /* a symbol marks its function as a kernel */
    bool is_placed; /* it holds variables, at `address` in global memory */
    uint64_t address;
};

struct cubin_elf {
    const struct elf_reader *reader;
    struct cubin_section *section; /* by index */
    size_t section_count;
    struct image *img;
    const char *name; /* of the kernel */
    size_t code;      /* index of its code section */
    uint32_t base;    /* global memory address of the first variable */
    bool has_entries; /* symbols distinguish kernels from other functions */
    uint32_t statics; /* bytes of .nv.shared.NAME, and their alignment */
    uint32_t statics_align;
    bool params_known;
    uint32_t param_bytes; /* of all parameters, if known */
};

/* True for "PREFIXNAME" of the chosen kernel and for "PREFIX", which belongs to all kernels. */
static inline bool cubin_section_is_ours(const struct cubin_elf *c, const char *name, const char *prefix) {
    const size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 && strcmp(name + n, c->name) == 0;
}

/* cubin_info.c: .nv.info and .nv.info.NAME. */
enum status cubin_read_info(struct cubin_elf *c);

/* cubin_link.c: places variables in global memory, and writes addresses into constants and variables. Constants must
 * have been read. */
enum status cubin_link(struct cubin_elf *c);

#endif
