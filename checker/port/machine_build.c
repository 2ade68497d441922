/* SPDX-License-Identifier: Apache-2.0 */
#include "machine_build.h"

struct machine_build machine_build_of(const struct machine *machine, unsigned cores, unsigned bus_words) {
    struct machine_build build = MACHINE_BUILD_DEFAULT;
#define MEMBER(GENERIC, member, ...) build.member = machine->member;
    MACHINE_LIST(MACHINE_NOTHING, MEMBER, MEMBER, MEMBER, MACHINE_NOTHING)
#undef MEMBER
    build.cores = cores;
    build.bus_words = bus_words;
    return build;
}

struct machine machine_of_build(const struct machine_build *build) {
    struct machine machine = MACHINE_DEFAULT;
#define MEMBER(GENERIC, member, ...) machine.member = build->member;
    MACHINE_LIST(MACHINE_NOTHING, MEMBER, MEMBER, MEMBER, MACHINE_NOTHING)
#undef MEMBER
    return machine;
}
