/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program with files in memory, see child.h. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../assembler/base/memstream.h"

enum { EXTRA = 3 };

int child_file(void) { return memfd_create("warp-cc", MFD_CLOEXEC); }

bool child_write(int file, const char *text, size_t size) {
    while (size > 0) {
        const ssize_t n = write(file, text, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text += n;
        size -= (size_t)n;
    }
    return true;
}

static bool read_all(int from, char **text, size_t *size) {
    FILE *out = open_memstream(text, size);
    char room[65536];
    ssize_t n = 0;
    if (out == NULL) return false;
    while ((n = read(from, room, sizeof room)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) fwrite(room, 1, (size_t)n, out);
    return memstream_close(out, text) && n == 0;
}

char *child_text(int file, size_t *size) {
    char *text = NULL;
    if (lseek(file, 0, SEEK_SET) == 0 && read_all(file, &text, size)) return text;
    free(text);
    return NULL;
}

/* Moves the descriptors above all targets first, so that dup2 overwrites none. Copies made by dup2 stay open on
 * exec, the moved ones do not. */
static void be_child(const struct child *child, int output) {
    int from[EXTRA + CHILD_EXTRAS] = {child->input, output, child->messages}, safe[EXTRA + CHILD_EXTRAS];
    const int count = EXTRA + (int)child->extra_count;
    for (int i = EXTRA; i < count; i++) from[i] = child->extras[i - EXTRA];
    for (int i = 0; i < count; i++) safe[i] = fcntl(from[i], F_DUPFD_CLOEXEC, count);
    for (int i = 0; i < count; i++) dup2(safe[i], i);
    lseek(0, 0, SEEK_SET);
    execvp(child->words[0], (char *const *)child->words);
    _exit(CHILD_NOT_RUN);
}

int child_run(const struct child *child, char **text, size_t *size) {
    int output[2], state = 0;
    *text = NULL;
    if (pipe2(output, O_CLOEXEC) != 0) return -1;
    const pid_t id = fork();
    if (id == 0) be_child(child, output[1]);
    close(output[1]);
    const bool good = id > 0 && read_all(output[0], text, size);
    close(output[0]);
    while (id > 0 && waitpid(id, &state, 0) < 0) /* SIGCHLD is ignored: no exit status, so output means success */
        if (errno != EINTR) return !good ? -1 : *size == 0;
    return good && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}
