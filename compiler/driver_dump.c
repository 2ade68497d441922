/* SPDX-License-Identifier: Apache-2.0 */
/* Extracts the module from clang's messages, see driver_dump.h. */
#include "driver_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/begins.h"
#include "../assembler/base/memstream.h"
#include "child.h"

static const char MARK[] = "*** IR Dump Before ";
const char *const driver_dump_words[] = {"-mllvm", "-print-before=nvptx-assign-valid-global-names", "-mllvm",
                                         "-print-module-scope", NULL};

static bool rewrite_file(int file, const char *text, size_t size) {
    return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 && child_write_file(file, text, size);
}

/* The metadata are the end of a module. */
static void split_dump(const char *text, FILE *messages, FILE *module) {
    bool is_module = false, is_metadata = false;
    size_t length;
    for (const char *line = text; *line != '\0'; line += length) {
        length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        if (begins(line, MARK)) {
            is_module = true;
            is_metadata = false;
            fwrite(line, 1, length, module);
            continue;
        }
        if (is_metadata && *line != '!' && *line != '\n') is_module = false;
        is_metadata |= *line == '!';
        if (!is_module)
            fwrite(line, 1, length, messages);
        else if (*line == '!' || begins(line, "define "))
            fwrite(line, 1, length, module);
    }
}

bool driver_dump_reduce(int messages) {
    char *text = NULL, *said = NULL, *module = NULL;
    size_t size = 0, said_size = 0, module_size = 0;
    text = child_read_file(messages, &size);
    FILE *said_out = text != NULL ? open_memstream(&said, &said_size) : NULL,
         *module_out = said_out != NULL ? open_memstream(&module, &module_size) : NULL;
    if (module_out != NULL) split_dump(text, said_out, module_out);
    bool good = said_out != NULL && memstream_close(said_out, &said);
    good = module_out != NULL && memstream_close(module_out, &module) && good;
    good = good && rewrite_file(messages, said, said_size) && child_write_file(messages, module, module_size);
    free(text);
    free(said);
    free(module);
    return good;
}

bool driver_dump_extract(int messages, char **ir) {
    size_t size = 0;
    char *text = child_read_file(messages, &size), *module = text;
    *ir = NULL;
    if (text == NULL) return false;
    while (module != NULL && !begins(module, MARK))
        module = strchr(module, '\n') != NULL ? strchr(module, '\n') + 1 : NULL;
    const bool is_cut = module == NULL || rewrite_file(messages, text, (size_t)(module - text));
    if (module != NULL) *ir = strdup(module);
    free(text);
    return is_cut && (module == NULL || *ir != NULL);
}
