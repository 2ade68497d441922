/* SPDX-License-Identifier: Apache-2.0 */
/* Writes ELF cubins for the fuzz target cubin_elf: every kind of section that the reader supports, in both classes.
 *
 *     make_cubins DIR        writes DIR/k32.cubin, DIR/k64.cubin */
#include <stdio.h>

#include "../../assembler/test/cubin_builder.h"

static void add_kernel(struct cubin_builder *b) {
    /* GLD through c [0xe] [0x0], a use of c [0x1] [0x0], RET */
    static const uint32_t words[] = {0x10000205, 0x2780c780, 0xd00e0205, 0x80c00780, 0x30000003, 0x00000780};
    const size_t code = cubin_builder_section(b, ".text.k", SHT_PROGBITS, words, sizeof words);
    b->section[code].info = 6u << 24;
    b->section[code].flags = SHF_ALLOC | SHF_EXECINSTR | 2u << 20;
    cubin_builder_symbol(b, "k", STT_FUNC, 0x10, code, 0, sizeof words);
}

static void add_memory(struct cubin_builder *b) {
    static const uint32_t literals[] = {0x3ff, 0xff}, table[] = {1, 2, 3}, zero = 0, initial[] = {5, 6};
    cubin_builder_section(b, ".nv.constant1.k", SHT_PROGBITS, literals, sizeof literals);
    cubin_builder_section(b, ".nv.constant0", SHT_PROGBITS, table, sizeof table);
    cubin_builder_section(b, ".nv.constant14", SHT_PROGBITS, &zero, sizeof zero);
    const size_t init = cubin_builder_section(b, ".nv.global.init", SHT_PROGBITS, initial, sizeof initial);
    cubin_builder_section(b, ".nv.global", SHT_NOBITS, NULL, 64);
    cubin_builder_section(b, ".nv.shared.k", SHT_NOBITS, NULL, 32);
    cubin_builder_section(b, ".nv.local.k", SHT_NOBITS, NULL, 8);
    const size_t symbol = cubin_builder_symbol(b, "variable", STT_OBJECT, 0, init, 4, 4);
    cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 0, 1, symbol, 0);
}

static void add_attributes(struct cubin_builder *b) {
    static const uint32_t param[] = {0, 0x00000000, 0x0011f000}, size[] = {4}, frame[] = {1, 16};
    uint8_t bytes[64];
    size_t used = cubin_builder_attribute(bytes, 0, 0x17, param, 3);
    used = cubin_builder_attribute(bytes, used, 0x18, size, 1);
    cubin_builder_section(b, ".nv.info.k", SHT_PROGBITS, bytes, used);
    used = cubin_builder_attribute(bytes, 0, 0x11, frame, 2);
    cubin_builder_section(b, ".nv.info", SHT_PROGBITS, bytes, used);
}

static int write_cubin(int elf_class, const char *directory, const char *name) {
    char path[4096];
    struct cubin_builder *b = cubin_builder_create(elf_class, 10);
    add_kernel(b);
    add_memory(b);
    add_attributes(b);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return cubin_builder_write(b, path);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    return write_cubin(ELFCLASS32, argv[1], "k32.cubin") != 0 || write_cubin(ELFCLASS64, argv[1], "k64.cubin") != 0;
}
