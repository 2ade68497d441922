/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STREAMS = 3 }; /* standard input, output, error */

/* A file of its own, of a number that is none of the streams'. -1 where there is none. */
static int open_scratch(void) {
    const int fd = memfd_create("warpstep", MFD_CLOEXEC);
    if (fd < 0 || fd >= STREAMS) return fd;
    const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STREAMS);
    close(fd);
    return higher;
}

static bool write_all(int to, const char *text, size_t left) {
    while (left > 0) {
        const ssize_t n = write(to, text, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text += n;
        left -= (size_t)n;
    }
    return true;
}

/* All of a file, NULL where that cannot be. */
static char *read_all(int from, size_t *size) {
    const off_t end = lseek(from, 0, SEEK_END);
    char *text = end < 0 ? NULL : malloc((size_t)end + 1);
    *size = 0;
    while (text != NULL && *size < (size_t)end) {
        const ssize_t n = pread(from, text + *size, (size_t)end - *size, (off_t)*size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        *size += (size_t)n;
    }
    if (text != NULL) text[*size] = '\0';
    return text;
}

/* Starts it with these files as its streams; 0, or what errno would be. */
static int start(const char *const *words, const int streams[STREAMS], pid_t *child) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    for (int i = 0; i < STREAMS && error == 0; i++) error = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    if (error == 0) error = posix_spawnp(child, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Where the program that called ignores the ends of its children, what this one wrote tells how it ended. */
static enum child_end finish(pid_t child, int out) {
    int state = 0;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return lseek(out, 0, SEEK_END) > 0 ? CHILD_GOOD : CHILD_FAILED;
    return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? CHILD_GOOD : CHILD_FAILED;
}

static enum child_end run(const char *const *words, const char *input, size_t size, const int streams[STREAMS],
                          struct child_texts *texts) {
    pid_t child;
    if (!write_all(streams[0], input, size) || lseek(streams[0], 0, SEEK_SET) < 0) return CHILD_NO_MEMORY;
    const int error = start(words, streams, &child);
    if (error != 0) return error == ENOMEM || error == EAGAIN ? CHILD_NO_MEMORY : CHILD_ABSENT;
    const enum child_end end = finish(child, streams[1]);
    texts->out = read_all(streams[1], &texts->out_size);
    texts->said = read_all(streams[2], &texts->said_size);
    return texts->out == NULL || texts->said == NULL ? CHILD_NO_MEMORY : end;
}

enum child_end child_run(const char *const *words, const char *input, size_t size, struct child_texts *texts) {
    int streams[STREAMS];
    bool good = true;
    *texts = (struct child_texts){0};
    for (int i = 0; i < STREAMS; i++) good = (streams[i] = open_scratch()) >= 0 && good;
    const enum child_end end = good ? run(words, input, size, streams, texts) : CHILD_NO_MEMORY;
    for (int i = 0; i < STREAMS; i++)
        if (streams[i] >= 0) close(streams[i]);
    return end;
}

void child_release(struct child_texts *texts) {
    free(texts->out);
    free(texts->said);
    *texts = (struct child_texts){0};
}
