// SPDX-License-Identifier: Apache-2.0
// Which mutant a simulation has in it (pins.v), from the environment: WARPSTEP_MUTANT=N. WARPSTEP_MUTANTS_ACTIVE=FILE
// appends the numbers of all that would change something to FILE: what a kernel does not wake it need not run on.
// WARPSTEP_MUTANT_PLACE=N: of what is there several times (lane_n1_..., lane_n2_...) it is in the Nth alone, N being 1
// or 2; without it, in all.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct awake {
    std::vector<bool> mutants;
    ~awake() {
        const char *path = getenv("WARPSTEP_MUTANTS_ACTIVE");
        FILE *file = path != nullptr ? fopen(path, "a") : nullptr;
        if (file == nullptr) return;
        for (size_t i = 0; i < mutants.size(); i++)
            if (mutants[i]) fprintf(file, "%zu\n", i);
        fclose(file);
    }
};
awake active;

} // namespace

extern "C" {

int warpstep_mutant_number() {
    const char *number = getenv("WARPSTEP_MUTANT");
    return number != nullptr ? atoi(number) : 0;
}

int warpstep_mutant_probing() { return getenv("WARPSTEP_MUTANTS_ACTIVE") != nullptr; }

int warpstep_mutant_here(const char *path) {
    static const char *const ALONE[] = {"multiprocessor", "each_bank"};
    const char *place = getenv("WARPSTEP_MUTANT_PLACE");
    if (place == nullptr) return 1;
    for (const char *at = path; (at = strstr(at, "_n")) != nullptr; at += 2) {
        char *end = nullptr;
        if (at[2] < '0' || at[2] > '9') continue;
        const long number = strtol(at + 2, &end, 10);
        bool alone = *end != '_';
        for (const char *name : ALONE) {
            const size_t length = strlen(name);
            alone |= static_cast<size_t>(at - path) >= length && strncmp(at - length, name, length) == 0;
        }
        if (!alone && number != atoi(place)) return 0;
    }
    return 1;
}

void warpstep_mutant_active(int number) {
    const auto n = static_cast<size_t>(number);
    if (n >= active.mutants.size()) active.mutants.resize(n + 1);
    active.mutants[n] = true;
}
}
