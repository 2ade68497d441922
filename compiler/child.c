/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program with files in memory, see child.h. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../assembler/base/memstream.h"

enum { EXTRA = 3 };

int child_create_file(void) { return memfd_create("warp-cc", MFD_CLOEXEC); }

bool child_write_file(int file, const char *text, size_t size) {
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

char *child_read_file(int file, size_t *size) {
    char *text = NULL;
    if (lseek(file, 0, SEEK_SET) == 0 && read_all(file, &text, size)) return text;
    free(text);
    return NULL;
}

/* Copies each descriptor above all targets, so that no target overwrites one. The targets stay open in the child,
 * the copies do not. */
static bool copy_files(const struct child *child, int output, int *copies, int count, posix_spawn_file_actions_t *to) {
    bool good = true;
    for (int i = 0; i < count; i++) {
        const int from = i == 0 ? child->input : i == 1 ? output : i == 2 ? child->messages : child->extras[i - EXTRA];
        copies[i] = fcntl(from, F_DUPFD_CLOEXEC, count);
        good = good && copies[i] >= 0 && posix_spawn_file_actions_adddup2(to, copies[i], i) == 0;
    }
    return good;
}

/* Starts the child by posix_spawn: fork would copy page tables, and run the application's fork handlers. Returns its
 * process id, or -1 with errno. */
static pid_t spawn_child(const struct child *child, int output) {
    const int count = EXTRA + (int)child->extra_count;
    int copies[EXTRA + CHILD_EXTRAS] = {-1};
    posix_spawn_file_actions_t actions;
    pid_t id = -1;
    int error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        error = copy_files(child, output, copies, count, &actions) && lseek(copies[0], 0, SEEK_SET) == 0 ? 0 : EMFILE;
        if (error == 0)
            error = posix_spawnp(&id, child->words[0], &actions, NULL, (char *const *)child->words, environ);
        for (int i = 0; i < count; i++)
            if (copies[i] >= 0) close(copies[i]);
        posix_spawn_file_actions_destroy(&actions);
    }
    errno = error;
    return error == 0 ? id : -1;
}

/* Returns the code for a child that did not start: -1 if the system lacks resources, else CHILD_NOT_RUN. */
static int start_error_code(int error) {
    return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE ? -1 : CHILD_NOT_RUN;
}

int child_run(const struct child *child, char **text, size_t *size) {
    int output[2], state = 0;
    *text = NULL;
    if (pipe2(output, O_CLOEXEC) != 0) return -1;
    const pid_t id = spawn_child(child, output[1]);
    const int error = errno;
    close(output[1]);
    const bool good = id > 0 && read_all(output[0], text, size);
    close(output[0]);
    if (id < 0) return start_error_code(error);
    while (waitpid(id, &state, 0) < 0) /* SIGCHLD is ignored: no exit status, so output means success */
        if (errno != EINTR) return !good ? -1 : *size == 0;
    return good && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}
