/* SPDX-License-Identifier: Apache-2.0 */
/* warp-cc: OpenCL C, CUDA C and PTX to machine code of sm_10. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/base/file.h"
#include "../assembler/base/outfile.h"
#include "compile.h"

int main(int argc, char **argv) {
    struct compile_options o = COMPILE_DEFAULT;
    struct compiled p;
    struct diag d = {0};
    const char *out = NULL;
    bool listing = false;
    char *text;
    size_t size;
    o.file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0) out = argv[++i];
        else if (strcmp(argv[i], "-S") == 0) listing = true;
        else if (strcmp(argv[i], "--contract") == 0) o.contract = COMPILE_CONTRACT_FAST;
        else if (strcmp(argv[i], "--max-registers") == 0) o.max_registers = (unsigned)atoi(argv[++i]);
        else o.file = argv[i];
    }
    if (file_read(o.file, &text, &size, &d) != STATUS_OK) return diag_report(stderr, &d);
    if (compile_ptx(text, size, &o, &p, &d) != STATUS_OK) return diag_report(stderr, &d);
    fputs(p.notes, stderr);
    if (listing) fwrite(p.listing, 1, p.listing_size, stdout);
    int code = 0;
    if (out != NULL && image_write_file(p.kernels[0].image, out, &d) != STATUS_OK) code = diag_report(stderr, &d);
    compiled_release(&p);
    free(text);
    return code;
}
