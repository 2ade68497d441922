/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end a tool, see stop.h. The state shared with the handlers is global, because a handler has no argument
 * for it. */
#include "stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 16, SHELL_CODE = 128, SAME_MS = 100 };

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof SIGNALS[0] };

static _Atomic(const char *) files[FILES];
static volatile sig_atomic_t came, held;
static struct timespec came_at; /* time of `came`; used by handlers alone */

_Static_assert(sizeof(sigset_t) <= sizeof(struct stop_blocked), "a set of signals fits");

/* Removes the files and ends the process when the handler returns. */
static void end_process(int number) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < FILES; i++) {
        const char *path = atomic_load(&files[i]);
        if (path != NULL) unlink(path);
    }
    sigaction(number, &usual, NULL);
    raise(number);
}

/* timeout(1) and other tools signal the process and then its group, and so the process twice. */
static bool is_repeated(int number) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t ms = (int64_t)(now.tv_sec - came_at.tv_sec) * 1000 + (now.tv_nsec - came_at.tv_nsec) / 1000000;
    return came == number && ms < SAME_MS;
}

static void handle(int number) {
    const bool ends = held == 0 || came != 0 || number == SIGPIPE;
    if (ends && !(held != 0 && is_repeated(number))) end_process(number);
    if (ends) return;
    clock_gettime(CLOCK_MONOTONIC, &came_at);
    came = number;
}

/* Leaves an ignored signal ignored, as in a tool started by nohup. */
static void set_handler(int number, int flags) {
    const struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    struct sigaction before;
    sigaction(number, NULL, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

static void set_handlers(int flags) {
    for (size_t i = 0; i < SIGNAL_COUNT; i++) set_handler(SIGNALS[i], flags);
}

void stop_install(void) {
    set_handlers(SA_RESTART);
    set_handler(SIGPIPE, SA_RESTART);
    signal(SIGXFSZ, SIG_IGN);
}

void stop_hold(void) {
    if (held == 0) came = 0;
    held = held + 1;
    set_handlers(SA_RESTART);
}

void stop_release(void) {
    if (held > 0) held = held - 1;
}

int stop_signal(void) { return came; }

const char *stop_name(void) {
    static const char *const NAMES[SIGNAL_COUNT] = {"SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"};
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        if (came == SIGNALS[i]) return NAMES[i];
    return "the prompt";
}

int stop_code(void) { return SHELL_CODE + (came != 0 ? came : SIGINT); }

bool stop_take_interrupt(void) {
    if (came != SIGINT) return came == 0;
    came = 0;
    return true;
}

void stop_begin_read(void (*interrupt)(int number)) {
    const struct sigaction action = {.sa_handler = interrupt};
    set_handlers(0);
    if (interrupt != NULL) sigaction(SIGINT, &action, NULL);
}

void stop_end_read(void) { set_handlers(SA_RESTART); }

void stop_ignore(void) {
    for (size_t i = 0; i < SIGNAL_COUNT; i++) signal(SIGNALS[i], SIG_IGN);
}

void stop_block(struct stop_blocked *before) {
    sigset_t set, old;
    sigemptyset(&set);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) sigaddset(&set, SIGNALS[i]);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    memcpy(before, &old, sizeof old);
}

void stop_unblock(const struct stop_blocked *before) {
    sigset_t set;
    memcpy(&set, before, sizeof set);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
}

void stop_note_file(const char *path) {
    for (size_t i = 0; i < FILES; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&files[i], &none, path)) return;
    }
}

void stop_forget_file(const char *path) {
    for (size_t i = 0; i < FILES; i++) {
        const char *noted = path;
        if (path != NULL && atomic_compare_exchange_strong(&files[i], &noted, NULL)) return;
    }
}
