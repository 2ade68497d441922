// SPDX-License-Identifier: Apache-2.0
// Queries about VHDL for shell scripts and linters.
//
//     vhdl ports FILE.vhd...        the ports of each entity: file, entity, port, direction; tabs between
//     vhdl instances FILE.vhd...    the entities inside each one, in order: file, entity, label, entity
//     vhdl others FILE.vhd          each `when others` that a value of the selector can reach (vhdl_others.h); exits 1
//                                   if there are any
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "text.h"
#include "vhdl.h"
#include "vhdl_others.h"

static int usage(void) {
    fputs("usage: vhdl ports|instances|others FILE.vhd...\n", stderr);
    return 2;
}

static void print_names(const struct vhdl *vhdl, const char *path, enum vhdl_kind kind) {
    for (const struct vhdl_unit *unit = vhdl->units; unit; unit = unit->next)
        for (const struct vhdl_name *name = unit->names; name; name = name->next)
            if (name->kind == kind)
                printf("%s\t%s\t%s\t%s\n", path, unit->name, name->name, kind == VHDL_PORT ? name->word : name->text);
}

// Returns the exit code.
static int look_at(struct pool *pool, const char *what, const char *path) {
    const char *text = text_read(pool, path);
    if (!text) {
        fprintf(stderr, "vhdl: %s: %s\n", path, errno ? strerror(errno) : "is no text");
        return 2;
    }
    if (strcmp(what, "others") == 0) return vhdl_others(pool, text, stdout) ? 1 : 0;
    struct vhdl vhdl = {.pool = pool};
    vhdl_read(&vhdl, text);
    print_names(&vhdl, path, strcmp(what, "ports") == 0 ? VHDL_PORT : VHDL_INSTANCE);
    return 0;
}

int main(int argc, char **argv) {
    static const char *const what[] = {"ports", "instances", "others"};
    size_t which = 0;
    while (which < 3 && (argc < 3 || strcmp(argv[1], what[which]) != 0)) which++;
    if (which == 3) return usage();
    struct pool pool = {0};
    int worst = 0;
    for (int i = 2; i < argc; i++) {
        int code = look_at(&pool, argv[1], argv[i]);
        if (code > worst) worst = code;
    }
    pool_free(&pool);
    return worst;
}
