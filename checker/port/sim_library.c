/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine_build.h"

enum { FILE_BYTES = MACHINE_NAME_BYTES + 32, PATH_BYTES = PATH_MAX + FILE_BYTES + 32 };

static bool cut_name(char *path) {
    char *slash = strrchr(path, '/');
    if (slash != NULL) *slash = 0;
    return slash != NULL;
}

/* The directory of this program. */
static bool program_directory(char directory[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
    if (length <= 0) return false;
    directory[length] = 0;
    return cut_name(directory);
}

/* The directory of the library that contains this code, or of the program. */
static bool library_directory(char directory[PATH_MAX]) {
    static const char HERE;
    Dl_info info;
    return dladdr(&HERE, &info) != 0 && info.dli_fname != NULL && realpath(info.dli_fname, directory) != NULL &&
           cut_name(directory);
}

/* Tests a directory, a relative path to the builds, and the file. */
static bool is_at(const char *directory, const char *way, const char *file, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%.*s%s/%s", PATH_MAX, directory, way, file);
    return access(path, R_OK) == 0;
}

/* Finds a build with that file name. Where none exists, path is the file name. */
static bool find_build(const char *file, char path[PATH_BYTES]) {
    static const char *const WAYS[] = {"/warpstep", "/../warpstep", "/../../warpstep", "/../lib/warpstep", "/sim"};
    char directory[PATH_MAX] = ".";
    const char *given = getenv("WARPSTEP_SIM_DIR");
    if (given != NULL && given[0] != 0) {
        snprintf(path, PATH_BYTES, "%.*s/%s", PATH_MAX, given, file);
        return access(path, R_OK) == 0;
    }
    if (library_directory(directory)) /* in lib/ or lib/TRIPLET/ of an installation, in build/ */
        for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; i++)
            if (is_at(directory, WAYS[i], file, path)) return true;
    program_directory(directory);
    if (is_at(directory, "/../lib/warpstep", file, path) || is_at(directory, "/../sim", file, path)) return true;
    snprintf(path, PATH_BYTES, "%s", file);
    return false;
}

/* The name of Verilator's build of a machine, as the Makefile names it. All builds have atomics, which a launch
 * enables. */
static void name_verilator_build(unsigned cores, const struct machine *machine, unsigned bus_words,
                                 char file[FILE_BYTES]) {
    struct machine_build build = machine_build_of(machine, cores, bus_words);
    char name[MACHINE_NAME_BYTES];
    build.has_atomics = true;
    machine_name(&build, name);
    snprintf(file, FILE_BYTES, "libsim-verilator-%s.so", name);
}

static enum status find_library(const char *name, unsigned cores, const struct machine *machine, unsigned bus_words,
                                char path[PATH_BYTES], struct diag *d) {
    char file[FILE_BYTES] = "";
    if (strcmp(name, "verilator") == 0)
        name_verilator_build(cores, machine, bus_words, file);
    else if (strcmp(name, "ghdl") == 0)
        snprintf(file, sizeof file, "libsim-ghdl.so");
    if (file[0] == 0) {
        snprintf(path, PATH_BYTES, "%s%s", strchr(name, '/') == NULL ? "./" : "", name);
        if (access(path, R_OK) == 0) return STATUS_OK;
        return diag_set(d, STATUS_BAD_INPUT, name, 0, 0,
                        "no such simulation: expected verilator, ghdl or a shared object");
    }
    if (find_build(file, path)) return STATUS_OK;
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "this simulation is not built: run 'make build/sim/%s%s'", file,
                    strcmp(name, "ghdl") == 0 ? " build/sim/ghdl/built" : "");
}

enum status sim_library_open(struct sim_library *lib, const char *name, unsigned cores, const struct machine *machine,
                             unsigned bus_words, struct diag *d) {
    char path[PATH_BYTES];
    *lib = (struct sim_library){0};
    if (find_library(name, cores, machine, bus_words, path, d) != STATUS_OK) return d->status;
    lib->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (lib->handle == NULL) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%s", dlerror());
    /* ISO C has no conversion from an object pointer to a function pointer; POSIX guarantees the same bytes
     */
    const struct sim_api *(*entry)(void);
    void *symbol = dlsym(lib->handle, "warpstep_sim");
    _Static_assert(sizeof entry == sizeof symbol, "POSIX");
    memcpy(&entry, &symbol, sizeof entry);
    if (entry != NULL) lib->api = entry();
    const bool has_api = lib->api != NULL;
    const bool knows_bus = has_api && lib->api->version >= SIM_API_BUS;
    if (has_api && lib->api->version >= SIM_API_OLDEST && lib->api->version <= SIM_API_VERSION &&
        (knows_bus || bus_words == 0))
        return STATUS_OK;
    const bool lacks_bus = has_api && !knows_bus && bus_words != 0;
    sim_library_close(lib);
    if (lacks_bus) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "this simulation has no bus: it knows no --memory");
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                    has_api ? "another version of the simulation interface (sim.h)"
                            : "no simulation: it exports no warpstep_sim()");
}

void sim_library_close(struct sim_library *lib) {
    if (lib->handle != NULL) dlclose(lib->handle);
    *lib = (struct sim_library){0};
}
