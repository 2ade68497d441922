/* SPDX-License-Identifier: Apache-2.0 */
#include "load_options.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/options.h"
#include "../cmodel/run/argument.h"

enum { BAUD = 1000000, BAUD_MOST = 3000000, WAIT_MS = 400, WAIT_MOST_MS = 60000, REPEAT_MOST = 1000000 };

/* One of text, number and flag is not NULL. */
struct option {
    const char *name;
    const char **text;
    unsigned *number;
    unsigned most;
    bool *flag;
};

void load_options_print_help(FILE *out) {
    fputs(
        "  --port PORT                 serial port, pseudo-terminal, tcp:HOST:PORT or udp:HOST:PORT (Etherbone)\n"
        "                              (default $" LOAD_PORT_VARIABLE ")\n"
        "  --baud N                    bits a second of a serial port (default 1000000)\n"
        "  --timeout MS                timeout for a byte of an answer, or a datagram (default 400)\n"
        "  --repeat N                  run: repeat N times, stop at the first failure\n"
        "  --check                     run: compare with the model, and find the first instruction that differs\n"
        "  --kernels DIRECTORY         selftest: directory of its kernels (default kernels/bringup and kernels/traps)\n"
        "  --cycles FILE               selftest: compare cycles with an earlier output of a good board\n"
        "  --force                     use a design that did not meet timing\n"
        "  --help, --version           this text; the version\n",
        out);
}

static enum status take(const struct option *option, const char *value, struct diag *d) {
    uint64_t number;
    if (option->flag != NULL) {
        *option->flag = true;
        return STATUS_OK;
    }
    if (value == NULL) return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s needs a value", option->name);
    if (option->text != NULL) {
        *option->text = value;
        return STATUS_OK;
    }
    if (!argument_number(value, option->most, &number, NULL) || number == 0)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s %.40s: expected a number from 1 to %u", option->name, value,
                        option->most);
    *option->number = (unsigned)number;
    return STATUS_OK;
}

enum status load_options_take(int *argc, char **argv, struct load_options *o, struct diag *d) {
    const char *port = getenv(LOAD_PORT_VARIABLE);
    *o = (struct load_options){.port = port != NULL ? port : "", .baud = BAUD, .wait_ms = WAIT_MS, .repeat = 1};
    const struct option options[] = {
        {.name = "--port",      .text = &o->port   },
        {.name = "--kernels",   .text = &o->kernels},
        {.name = "--cycles",    .text = &o->cycles },
        {.name = "--baud",      .number = &o->baud,  .most = BAUD_MOST},
        {.name = "--timeout",                     .number = &o->wait_ms,                      .most = WAIT_MOST_MS},
        {.name = "--repeat", .number = &o->repeat,.most = REPEAT_MOST},
        {.name = "--check", .flag = &o->check  },
        {.name = "--force",     .flag = &o->force      },
    };
    int left = 1;
    bool only_files = false;
    for (int i = 1; i < *argc; i++) {
        char name[OPTIONS_NAME_MAX];
        const struct option *option = NULL;
        const char *joined = options_split(argv[i], name);
        only_files |= strcmp(argv[i], "--") == 0;
        for (size_t k = 0; k < sizeof options / sizeof options[0] && !only_files; k++)
            if (strcmp(joined != NULL ? name : argv[i], options[k].name) == 0) option = &options[k];
        if (option == NULL) {
            argv[left++] = argv[i];
            continue;
        }
        if (joined != NULL && option->flag != NULL)
            return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s takes no value", option->name);
        const enum status status = take(option, joined != NULL ? joined : argv[i + 1], d);
        if (status != STATUS_OK) return status;
        i += option->flag == NULL && joined == NULL;
    }
    argv[left] = NULL;
    *argc = left;
    return STATUS_OK;
}
