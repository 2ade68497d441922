/* SPDX-License-Identifier: Apache-2.0 */
#include "elf_load.h"

#include "cubin/cubin.h"
#include "image/elf_reader.h"
#include "image/image_elf.h"

enum status elf_load(const char *path, char *text, size_t size, const struct image_choice *choice, struct image **img,
                     struct diag *d) {
    struct elf_reader r;
    if (!elf_reader_open(&r, path, text, size, d)) return STATUS_BAD_INPUT;
    struct image *result = image_create();
    enum status status;
    int version = image_elf_version(&r);
    if (result == NULL)
        status = elf_no_memory(&r);
    else if (version < 0)
        status = diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "image is of an unknown version");
    else if (version > 0)
        status = image_elf_read(&r, choice, result);
    else
        status = cubin_from_elf(&r, choice, result);
    elf_reader_close(&r);
    if (status == STATUS_OK)
        *img = result;
    else
        image_destroy(result);
    return status;
}
