// SPDX-License-Identifier: Apache-2.0
// Which mutant a simulation has in it (pins.v), from the environment: WARPSTEP_MUTANT=N. WARPSTEP_MUTANTS_ACTIVE=FILE
// appends the numbers of all that would change something to FILE: what a kernel does not wake it need not run on.
#include <cstdio>
#include <cstdlib>
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

void warpstep_mutant_active(int number) {
    const auto n = static_cast<size_t>(number);
    if (n >= active.mutants.size()) active.mutants.resize(n + 1);
    active.mutants[n] = true;
}
}
