/* SPDX-License-Identifier: Apache-2.0 */
/* A text cubin as read, before a kernel is chosen: cubin_text.c reads the blocks, cubin_text_link.c makes an image of
 * one kernel. */
#ifndef WARPSTEP_CUBIN_TEXT_H
#define WARPSTEP_CUBIN_TEXT_H

#include "../image/image.h"
#include "cubin_scan.h"

#define CUBIN_OF_FILE SIZE_MAX /* owner of data shared by all kernels */

enum cubin_block { CUBIN_CONSTANT, CUBIN_VARIABLE, CUBIN_RELOC };

/* A const, consts, global or reloc block. */
struct cubin_segment {
    enum cubin_block what;
    size_t owner;             /* index of the kernel, or CUBIN_OF_FILE */
    struct cubin_token name;  /* may be empty */
    struct cubin_token place; /* for messages */
    uint32_t bank;            /* segnum of constants, and of the constants that a relocation changes */
    uint32_t offset;          /* offset in the bank */
    uint32_t size;            /* bytes */
    bool has_bank, has_size;
    bool placed; /* a variable, or a reloc block that declares one, placed at `address` */
    uint32_t address;
    uint32_t *words;
    size_t word_count, word_capacity;
};

struct cubin_text {
    struct cubin_scan scan;
    struct image **kernels; /* code and numbers, without constants yet */
    size_t kernel_count;
    struct cubin_segment *segments;
    size_t segment_count;
    unsigned arch;
};

/* Places the variables, and writes constants, addresses and initial values into the kernel's image. */
enum status cubin_text_link(struct cubin_text *c, size_t kernel, uint32_t variables);

#endif
