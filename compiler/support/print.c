/* SPDX-License-Identifier: Apache-2.0 */
/* Reserves room for a record of printf, see ../lower/print.c, and copies strings of threads and blocks to records of
 * their own. A region begins with a count of the bytes in use. If a record does not fit, the count becomes FULL or
 * more, and no later record fits. A region of no bytes has no count. */
#include "words.h"

enum { FULL = 1 << 30, LANES = 32 };

/* Tags of addresses, and bytes of a string: a record has 65535 words at most. */
enum { TAG_SHIFT = 28, TAG_SHARED = 14, TAG_LOCAL = 15, LONGEST = 200000 };

typedef volatile __attribute__((address_space(1))) u32 global_word;

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

INLINE int is_tagged(u32 address) { return address >> TAG_SHIFT >= TAG_SHARED; }

INLINE u32 byte_at(u32 address) {
    const u32 at = address & ((1u << TAG_SHIFT) - 1);
    u32 byte;
    if (address >> TAG_SHIFT == TAG_SHARED)
        __asm__ volatile("ld.shared.u8 %0, [%1];" : "=r"(byte) : "r"(at));
    else
        __asm__ volatile("ld.local.u8 %0, [%1];" : "=r"(byte) : "r"(at));
    return byte;
}

INLINE void put_byte(u32 address, u32 byte) { __asm__ volatile("st.global.u8 [%0], %1;" : : "r"(address), "r"(byte)); }

INLINE u32 length_of(u32 address, u32 most) {
    const u32 end = most < LONGEST ? most : LONGEST;
    u32 length = 0;
#pragma unroll 1
    while (length < end && byte_at(address + length) != 0) length++;
    return length;
}

/* Of a record: a word, the string and its terminator, in whole words. */
INLINE u32 bytes_of(u32 length) { return (length + 8) / 4 * 4; }

/* Copies the string at a tagged address to a record, if there is room for one; returns the copy's address or 0. */
INLINE u32 copy(u32 record, u32 address, u32 length) {
    if (record == 0) return 0;
#pragma unroll 1
    for (u32 i = 0; i < length; i++) put_byte(record + 4 + i, byte_at(address + i));
    put_byte(record + 4 + length, 0);
    __asm__ volatile("st.global.u32 [%0], %1;" : : "r"(record), "r"(bytes_of(length) / 4));
    return record + 4;
}

/* Return the address of a string in global memory: of a copy, of `most` bytes at most, if it has a tag; 0 if there is
 * no room for the copy. */
ROUTINE u32 __print_text(u32 count, u32 size, u32 region, u32 address, u32 most) {
    if (!is_tagged(address)) return address;
    const u32 length = length_of(address, most);
    return copy(__print_room(count, size, region, bytes_of(length)), address, length);
}

ROUTINE u32 __print_text_of_warp(global_word *counts, u32 size, u32 regions, u32 address, u32 most) {
    if (!is_tagged(address)) return address;
    const u32 length = length_of(address, most);
    return copy(__print_room_of_warp(counts, size, regions, bytes_of(length)), address, length);
}
