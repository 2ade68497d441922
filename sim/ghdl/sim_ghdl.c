/* SPDX-License-Identifier: Apache-2.0 */
/* The GHDL build of the RTL as a simulation (checker/port/sim.h). GHDL requires to be the main program, so the
 * simulation is a child process: the executable that ghdl-llvm linked (ghdl/gpu_tb beside this shared object), or
 * without it, `ghdl -r` with mcode. This side sends requests over a socket (link.h) and never waits forever: a child
 * that dies or stops answering becomes SIM_FAILED with its last output, and the kernel kills a child whose parent dies.
 * Linux only; needs -D_GNU_SOURCE. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../checker/port/host_plan.h"
#include "../../checker/port/machine_build.h"
#include "../../checker/port/sim.h"
#include "../../spec/host_regs.h"
#include "link.h"

#ifndef WARPSTEP_GHDL
#define WARPSTEP_GHDL "ghdl" /* the command that analysed the RTL; set by the Makefile */
#endif

enum {
    ANSWER_SECONDS = 300, /* wall time for one answer: LINK_CYCLES clocks, or a load */
    CLOSE_MILLISECONDS = 20000,
    LAST_WORDS = 400, /* bytes shown of a failing child's output */
    MAX_ARGUMENT = PATH_MAX + 32,
    MAX_ARGS = 20,
};

struct sim {
    struct sim_options options;
    pid_t child;
    int socket, output; /* output: the child's output, in memory */
    struct link_answer answer;
    struct retire batch[LINK_BATCH];
    uint32_t batch_at;   /* next record of the batch to return */
    enum sim_event held; /* the event after the records of the batch, not returned yet; SIM_RECORD: none */
    uint64_t cycle;
    bool failed;
    char why[LAST_WORDS + 200];
};

/* The child's command line, with its storage. */
struct command {
    char text[MAX_ARGS][MAX_ARGUMENT];
    char *argv[MAX_ARGS + 1];
    unsigned count;
};

__attribute__((format(printf, 2, 3))) static void add_argument(struct command *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(c->text[c->count], MAX_ARGUMENT, format, args);
    va_end(args);
    c->argv[c->count] = c->text[c->count];
    c->argv[++c->count] = NULL;
}

/* An address in this shared object, from which it finds its own file. */
static const char HERE = 0;

static bool own_directory(char *directory) {
    Dl_info info;
    if (dladdr(&HERE, &info) == 0 || realpath(info.dli_fname, directory) == NULL) return false;
    char *slash = strrchr(directory, '/');
    if (slash != NULL) *slash = 0;
    return slash != NULL;
}

static void make_command(struct command *c, const struct sim_options *o, const char *directory) {
    char executable[MAX_ARGUMENT];
    snprintf(executable, sizeof executable, "%s/ghdl/gpu_tb", directory);
    if (access(executable, X_OK) == 0) {
        add_argument(c, "%s/ghdl/gpu_tb", directory);
    } else {
        add_argument(c, WARPSTEP_GHDL);
        add_argument(c, "-r");
        add_argument(c, "--std=08");
        add_argument(c, "--workdir=%s/ghdl", directory);
        add_argument(c, "gpu_tb");
    }
    /* Without atomics if the launch does not need them: Verilator's machines have them, disabled, and must behave
     * equally. */
    struct machine_build build = machine_build_of(&o->machine, o->cores, o->bus.used ? o->bus.words : 0);
    char name[MACHINE_NAME_BYTES];
    build.seed = o->seed & 0x7fffffff;
    machine_name(&build, name);
    add_argument(c, "-gMACHINE=%s", name);
    if (o->bus.used) {
        add_argument(c, "-gMEMORY_LATENCY=%u", o->bus.latency);
        add_argument(c, "-gMEMORY_STALL=%u", o->bus.stall * 256 / 100);
        add_argument(c, "-gMEMORY_SEED=%u", (unsigned)o->bus.seed);
    }
    add_argument(c, "--assert-level=error");
    add_argument(c, "--ieee-asserts=disable"); /* data outside of beats is legitimately X */
    add_argument(c, "--max-stack-alloc=0");    /* memories are process variables with an initial value */
    const char *suffix = o->wave_path != NULL ? strrchr(o->wave_path, '.') : NULL;
    const bool ghw = suffix != NULL && strcmp(suffix, ".ghw") == 0; /* with records, and names of enumerations */
    if (o->wave_path != NULL) add_argument(c, "--%s=%s", ghw ? "wave" : "fst", o->wave_path);
}

/* In the child, between fork and exec: only async-signal-safe calls. Errors are written to `trouble`, which a
 * successful exec closes. PR_SET_PDEATHSIG would end the child with the thread that started it, and a thread may end
 * before its process; the end of the process closes the child's socket. */
static void become_child(const struct command *c, int socket, int output, int trouble, pid_t parent, bool in_main,
                         char **environment) {
    if (in_main) prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Ctrl-C is for the parent, which may continue, and so are other signals to all processes of a terminal. */
    static const int PARENTS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof PARENTS / sizeof PARENTS[0]; i++) signal(PARENTS[i], SIG_IGN);
    if (getppid() != parent) _exit(127);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0)
        _exit(127);
    if (socket == LINK_FD)
        fcntl(socket, F_SETFD, 0);
    else if (dup2(socket, LINK_FD) < 0)
        _exit(127);
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) == 0) {
        stack.rlim_cur = stack.rlim_max;
        setrlimit(RLIMIT_STACK, &stack);
    }
    execvpe(c->argv[0], c->argv, environment);
    const int error = errno;
    _exit(write(trouble, &error, sizeof error) == sizeof error ? 127 : 126);
}

/* The result of exec: 0, or its errno. */
static int await_exec(int trouble) {
    int error = 0;
    ssize_t got = 0;
    do got = read(trouble, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    return got == sizeof error ? error : 0;
}

/* The environment with LD_LIBRARY_PATH extended by the directory in which mcode finds the C side: entry 0, which the
 * caller frees before the array. NULL if out of memory. */
static char **child_environment(const char *directory) {
    static const char NAME[] = "LD_LIBRARY_PATH=";
    const char *before = getenv("LD_LIBRARY_PATH");
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **copy = calloc(count + 2, sizeof *copy);
    if (copy == NULL) return NULL;
    if (asprintf(&copy[0], "%s%s%s%s", NAME, directory, before != NULL ? ":" : "", before != NULL ? before : "") < 0) {
        free(copy);
        return NULL;
    }
    size_t kept = 1;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], NAME, sizeof NAME - 1) != 0) copy[kept++] = environ[i];
    return copy;
}

/* Starts the command, whose end of the socket is `theirs`; false with errno set if it cannot run. */
static bool run_command(struct sim *s, const struct command *c, int theirs, const char *directory) {
    int trouble[2];
    char **environment = child_environment(directory);
    if (environment == NULL) return false;
    if (pipe2(trouble, O_CLOEXEC) != 0) {
        free(environment[0]);
        free(environment);
        return false;
    }
    const pid_t parent = getpid();
    const bool in_main = gettid() == parent;
    s->child = fork();
    if (s->child == 0) become_child(c, theirs, s->output, trouble[1], parent, in_main, environment);
    free(environment[0]);
    free(environment);
    close(trouble[1]);
    const int error = s->child > 0 ? await_exec(trouble[0]) : errno;
    close(trouble[0]);
    errno = error;
    return error == 0;
}

static bool start_child(struct sim *s, const char *directory, char *why, size_t why_size) {
    static const struct command EMPTY;
    struct command c = EMPTY;
    int pair[2] = {-1, -1};
    make_command(&c, &s->options, directory);
    s->output = memfd_create("warpstep-ghdl", MFD_CLOEXEC);
    const bool linked = s->output >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
    s->socket = pair[0];
    const bool started = linked && run_command(s, &c, pair[1], directory);
    if (!started) snprintf(why, why_size, "cannot run %s: %s", c.argv[0], strerror(errno));
    if (linked) close(pair[1]);
    return started;
}

static bool is_there(const char *directory, const char *file) {
    char path[MAX_ARGUMENT];
    snprintf(path, sizeof path, "%s/ghdl/%s", directory, file);
    return access(path, R_OK) == 0;
}

/* True if a file of the build has this suffix. */
static bool has_suffix(const char *directory, const char *suffix) {
    char path[MAX_ARGUMENT];
    snprintf(path, sizeof path, "%s/ghdl", directory);
    DIR *files = opendir(path);
    bool found = false;
    for (const struct dirent *e; files != NULL && !found && (e = readdir(files)) != NULL;) {
        const size_t length = strlen(e->d_name), tail = strlen(suffix);
        found = length > tail && strcmp(e->d_name + length - tail, suffix) == 0;
    }
    if (files != NULL) closedir(files);
    return found;
}

/* GHDL reports missing files late, as a failure of the simulation: better reported here. LLVM leaves objects and links
 * them, mcode does neither. */
static bool is_built(const char *directory, char *why, size_t why_size) {
    const char *missing = !is_there(directory, "work-obj08.cf")                           ? "work-obj08.cf"
                          : !is_there(directory, "gpu_tb") && has_suffix(directory, ".o") ? "gpu_tb"
                                                                                          : NULL;
    if (missing != NULL)
        snprintf(why, why_size, "not built: no %s/ghdl/%s (run 'make build/sim/ghdl/built')", directory, missing);
    return missing == NULL;
}

/* Appends the child's last output to why. */
static void add_last_words(struct sim *s) {
    char words[LAST_WORDS + 1] = "";
    const off_t size = lseek(s->output, 0, SEEK_END);
    const off_t from = size > LAST_WORDS ? size - LAST_WORDS : 0;
    ssize_t got = size > 0 ? pread(s->output, words, LAST_WORDS, from) : 0;
    while (got > 0 && words[got - 1] == '\n') got--;
    words[got > 0 ? got : 0] = 0;
    const size_t length = strlen(s->why);
    snprintf(s->why + length, sizeof s->why - length, "%s%s", words[0] != 0 ? ": " : "", words);
}

/* Waits up to `milliseconds` for the child to end by itself, then kills it. */
static void reap(struct sim *s, long milliseconds) {
    if (s->child <= 0) return;
    const struct timespec tick = {.tv_nsec = 1000000};
    for (long waited = 0; waitpid(s->child, NULL, WNOHANG) == 0; waited++) {
        if (waited >= milliseconds) kill(s->child, SIGKILL);
        nanosleep(&tick, NULL);
    }
    s->child = 0;
}

static int fail(struct sim *s, const char *what) {
    snprintf(s->why, sizeof s->why, "%s", what);
    s->failed = true;
    if (s->socket >= 0) close(s->socket);
    s->socket = -1;
    return -1;
}

static int lose(struct sim *s, const char *what) {
    fail(s, what);
    reap(s, 1000);
    add_last_words(s);
    return -1;
}

static int ask(struct sim *s, const struct link_request *request, const void *payload, size_t payload_size) {
    if (s->failed) return -1;
    if (link_send(s->socket, request, sizeof *request) != 0 || link_send(s->socket, payload, payload_size) != 0)
        return lose(s, "the GHDL simulation ended");
    struct pollfd p = {.fd = s->socket, .events = POLLIN};
    int ready = 0;
    do ready = poll(&p, 1, ANSWER_SECONDS * 1000);
    while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        kill(s->child, SIGKILL);
        return lose(s, "the GHDL simulation does not answer");
    }
    s->batch_at = 0;
    if (link_receive(s->socket, &s->answer, sizeof s->answer) != 0 || s->answer.count > LINK_BATCH ||
        link_receive(s->socket, s->batch, s->answer.count * sizeof s->batch[0]) != 0) {
        s->answer.count = 0;
        return lose(s, "the GHDL simulation ended");
    }
    s->cycle = s->answer.cycle;
    s->held = s->answer.count > 0 ? s->answer.event : SIM_RECORD;
    if (s->answer.event == SIM_FAILED && s->answer.count == 0) return fail(s, s->answer.why);
    snprintf(s->why, sizeof s->why, "%s", s->answer.why);
    return 0;
}

static void sim_close(struct sim *s) {
    if (s->socket >= 0) close(s->socket);
    reap(s, CLOSE_MILLISECONDS);
    if (s->output >= 0) close(s->output);
    free(s);
}

static struct sim *sim_open(const struct sim_options *options, char *why, size_t why_size) {
    char directory[PATH_MAX];
    struct sim *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(why, why_size, "out of memory");
        return NULL;
    }
    s->options = *options;
    s->socket = s->output = -1;
    const struct link_hello hello = {
        .cores = options->cores, .machine = options->machine, .unchecked = options->unchecked};
    const bool found = own_directory(directory);
    if (!found) snprintf(why, why_size, "where this library is: %s", strerror(errno));
    if (!found || !is_built(directory, why, why_size) || !start_child(s, directory, why, why_size)) {
        sim_close(s);
        return NULL;
    }
    if (link_send(s->socket, &hello, sizeof hello) != 0) lose(s, "the GHDL simulation ended");
    return s;
}

/* Frees the writes; NULL: out of memory. */
static int ask_writes(struct sim *s, enum link_command command, struct host_write_op *writes, size_t count) {
    if (count == 0) return fail(s, "out of memory");
    const struct link_request request = {.command = command, .count = (uint32_t)count};
    const int result = ask(s, &request, writes, count * sizeof *writes);
    free(writes);
    return result;
}

static int sim_load(struct sim *s, const struct launch *run) {
    struct host_write_op *writes = NULL;
    const size_t count = host_plan(run, &s->options.machine, &writes);
    return ask_writes(s, LINK_LOAD, writes, count);
}

static int sim_load_again(struct sim *s, const struct launch *run) {
    struct host_write_op *writes = NULL;
    const size_t count = host_plan_again(run, &s->options.machine, &writes);
    return ask_writes(s, LINK_LOAD_AGAIN, writes, count);
}

static int sim_clear(struct sim *s) {
    const struct host_write_op clear = {HOST_CONTROL, HOST_CLEAR_GLOBAL};
    const struct link_request request = {.command = LINK_WRITE, .count = 1};
    return ask(s, &request, &clear, sizeof clear);
}

static int sim_poke(struct sim *s, uint32_t addr, const uint8_t *bytes, size_t size) {
    int result = 0;
    for (size_t done = 0, now; done < size && result == 0; done += now) {
        struct host_write_op *writes = NULL;
        now = size - done < LINK_PEEK_BYTES ? size - done : LINK_PEEK_BYTES;
        const size_t count = host_plan_poke(addr + (uint32_t)done, bytes + done, now, &writes);
        result = ask_writes(s, LINK_WRITE, writes, count);
    }
    return result;
}

/* Requests the next batch; false if there is an event but no record. */
static bool refill(struct sim *s, uint64_t limit, enum sim_event *event) {
    *event = s->held;
    s->held = SIM_RECORD;
    if (*event == SIM_FAILED) fail(s, s->answer.why);
    if (*event != SIM_RECORD && *event != SIM_SILENT) return false;
    for (uint64_t silent = 0;;) {
        const uint64_t part = limit - silent < LINK_CYCLES ? limit - silent : LINK_CYCLES;
        const struct link_request request = {.command = LINK_NEXT, .limit = part};
        if (ask(s, &request, NULL, 0) != 0)
            *event = SIM_FAILED;
        else if (s->answer.count > 0)
            return true;
        else
            *event = s->answer.event;
        if (*event != SIM_SILENT) return false;
        silent += part;
        if (silent >= limit) return false;
    }
}

static enum sim_event sim_next(struct sim *s, struct retire *record, uint64_t limit) {
    enum sim_event event = SIM_RECORD;
    if (s->batch_at == s->answer.count && (limit == 0 || !refill(s, limit, &event)))
        return limit == 0 ? SIM_SILENT : event;
    *record = s->batch[s->batch_at++];
    return SIM_RECORD;
}

static int sim_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        const size_t part = size - done < LINK_PEEK_BYTES ? size - done : LINK_PEEK_BYTES;
        const struct link_request request = {
            .command = LINK_PEEK, .memory = memory, .addr = addr + (uint32_t)done, .size = (uint32_t)part};
        if (ask(s, &request, NULL, 0) != 0) return -1;
        if (s->answer.size != part || link_receive(s->socket, bytes + done, part) != 0)
            return lose(s, "the GHDL simulation ended");
        done += part;
    }
    return 0;
}

static void sim_counters(struct sim *s, struct sim_counters *counters) {
    const struct link_request request = {.command = LINK_COUNTERS};
    ask(s, &request, NULL, 0);
    *counters = s->answer.counters;
}

static void sim_trap(struct sim *s, struct sim_trap *trap) { *trap = s->answer.trap; }
/* Counts returned records: the simulation itself is ahead by the rest of a batch. */
static uint64_t sim_cycle(struct sim *s) {
    return s->batch_at > 0 && s->batch_at < s->answer.count ? s->batch[s->batch_at - 1].cycle : s->cycle;
}
static const char *sim_why(struct sim *s) { return s->why; }

__attribute__((visibility("default"))) const struct sim_api *warpstep_sim(void) {
    static const struct sim_api API = {
        SIM_API_VERSION, "ghdl",         sim_open,  sim_load, sim_next, sim_peek,    sim_counters, sim_trap,
        sim_cycle,       sim_why,        sim_close, NULL,     NULL,     ".ghw .fst", NULL,         NULL,
        sim_clear,       sim_load_again, sim_poke,  NULL,     NULL};
    return &API;
}
