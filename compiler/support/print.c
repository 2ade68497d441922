/* SPDX-License-Identifier: Apache-2.0 */
/* Room in the buffer of printf, see ../lower/print.c: its first word counts the bytes that are taken of those behind
 * it. Once a record finds no room, the count is FULL or a little more, and no later record finds room. */
#include "words.h"

enum { FULL = 1 << 30 };

/* The address of so many bytes in a buffer; 0: there is no room. */
ROUTINE u32 __print_room(u32 buffer, u32 size, u32 bytes) {
    u32 at;
    if (bytes > size) return 0;
    __asm__ volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(at) : "r"(buffer), "r"(bytes));
    if (at <= size - bytes) return buffer + 4 + at;
    __asm__ volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(at) : "r"(buffer), "r"(FULL));
    return 0;
}
