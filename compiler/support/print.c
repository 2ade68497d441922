/* SPDX-License-Identifier: Apache-2.0 */
/* Reserves room for a record of printf, see ../lower/print.c, and copies strings of threads and blocks to records of
 * their own. A region begins with a count of the bytes in use. If a record does not fit, the count becomes FULL or more,
 * and no later record fits. A region of no bytes has no count. */
#include "words.h"

enum { FULL = 1 << 30, LANES = 32 };

/* Tags of addresses, and bytes of a string: a record has 65535 words at most. */
enum { TAG_SHIFT = 28, TAG_SHARED = 14, TAG_LOCAL = 15, LONGEST = 200000 };

typedef volatile __attribute__((address_space(1))) u32 global_word;
typedef __attribute__((address_space(1))) unsigned char global_byte;
typedef volatile __attribute__((address_space(3))) unsigned char shared_byte;
typedef volatile __attribute__((address_space(5))) unsigned char local_byte;

/* Returns the address of `bytes` bytes in the region of all threads; 0 if there is no room. */
ROUTINE u32 __print_room(u32 count, u32 size, u32 region, u32 bytes) {
    u32 at;
    if (size == 0) return 0;
    if (bytes <= size) {
        __asm__ volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(at) : "r"(count), "r"(bytes));
        if (at <= size - bytes) return region + at;
    }
    __asm__ volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(at) : "r"(count), "r"(FULL));
    return 0;
}

/* Reserves room in the region of the warp, one lane after the other, for machines without atomic operations. */
ROUTINE u32 __print_room_of_warp(global_word *counts, u32 size, u32 regions, u32 bytes) {
    const u32 x = __nvvm_read_ptx_sreg_ntid_x(), y = __nvvm_read_ptx_sreg_ntid_y(), z = __nvvm_read_ptx_sreg_ntid_z();
    const u32 thread =
        __nvvm_read_ptx_sreg_tid_x() + x * (__nvvm_read_ptx_sreg_tid_y() + y * __nvvm_read_ptx_sreg_tid_z());
    const u32 block = __nvvm_read_ptx_sreg_ctaid_x() + __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_nctaid_x();
    const u32 warp = block * ((x * y * z + LANES - 1) / LANES) + thread / LANES;
    global_word *count = counts + warp;
    u32 room = 0;
    if (size == 0) return 0;
#pragma unroll 1
    for (u32 lane = 0; lane < LANES; lane++) {
        if (thread % LANES != lane) continue;
        const u32 at = *count;
        const int fits = bytes <= size && at <= size - bytes;
        *count = fits ? at + bytes : FULL;
        if (fits) room = regions + size * warp + at;
    }
    return room;
}

INLINE u32 byte_at(u32 address) {
    const u32 at = address & ((1u << TAG_SHIFT) - 1);
    if (address >> TAG_SHIFT == TAG_SHARED) return *(shared_byte *)at;
    return *(local_byte *)at;
}

INLINE u32 length_of(u32 address, u32 most) {
    u32 length = 0;
#pragma unroll 1
    while (length < most && byte_at(address + length) != 0) length++;
    return length;
}

/* Copies the string at a tagged address behind the first word of a record. */
INLINE void copy(u32 record, u32 address, u32 length) {
#pragma unroll 1
    for (u32 i = 0; i < length; i++) *(global_byte *)(record + 4 + i) = (unsigned char)byte_at(address + i);
    *(global_byte *)(record + 4 + length) = 0;
}

/* Return the address of a string in global memory: of a copy, of `most` bytes at most, if it has a tag; 0 if there is no
 * room for the copy. */
ROUTINE u32 __print_text(u32 count, u32 size, u32 region, u32 address, u32 most) {
    if (address >> TAG_SHIFT < TAG_SHARED) return address;
    const u32 length = length_of(address, most < LONGEST ? most : LONGEST), bytes = (length + 8) / 4 * 4;
    const u32 record = __print_room(count, size, region, bytes);
    if (record == 0) return 0;
    copy(record, address, length);
    *(global_word *)record = bytes / 4;
    return record + 4;
}

ROUTINE u32 __print_text_of_warp(global_word *counts, u32 size, u32 regions, u32 address, u32 most) {
    if (address >> TAG_SHIFT < TAG_SHARED) return address;
    const u32 length = length_of(address, most < LONGEST ? most : LONGEST), bytes = (length + 8) / 4 * 4;
    const u32 record = __print_room_of_warp(counts, size, regions, bytes);
    if (record == 0) return 0;
    copy(record, address, length);
    *(global_word *)record = bytes / 4;
    return record + 4;
}
