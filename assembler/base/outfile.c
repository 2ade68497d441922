/* SPDX-License-Identifier: Apache-2.0 */
/* Files that appear complete or not at all, see outfile.h. */
#include "outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "stop.h"

/* Pipes and devices cannot be replaced by a rename; they are written directly. */
static bool is_replaceable(const char *path) {
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static void release(struct outfile *f) {
    stop_forget_file(f->temporary);
    free(f->path);
    free(f->temporary);
    *f = (struct outfile){0};
}

static enum status fail(struct outfile *f, struct diag *d, int error) {
    errno = error;
    const enum status status = diag_errno(d, f->path != NULL ? f->path : "", "cannot write");
    if (f->temporary != NULL) unlink(f->temporary);
    release(f);
    return status;
}

/* Makes a file that is removed if a signal ends the process. */
static int make_noted(char *temporary) {
    struct stop_blocked before;
    stop_block(&before);
    const int fd = mkstemp(temporary), error = errno;
    if (fd >= 0) stop_note_file(temporary);
    stop_unblock(&before);
    errno = error;
    return fd;
}

/* Opens a new file beside `path`, with the permissions that a plain fopen would give. */
static FILE *open_beside(struct outfile *f, const char *path) {
    const size_t size = strlen(path) + sizeof ".XXXXXX";
    f->temporary = malloc(size);
    if (f->temporary == NULL) return NULL;
    snprintf(f->temporary, size, "%s.XXXXXX", path);
    const int fd = make_noted(f->temporary);
    if (fd < 0) {
        const int error = errno;
        free(f->temporary);
        f->temporary = NULL;
        errno = error;
        return NULL;
    }
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    return fdopen(fd, "wb");
}

/* Finds the reason of an earlier failed write, which errno no longer holds: writes a line end, which does no harm, and
 * fails again. */
static void find_reason(void) {
    if (errno == 0) (void)!write(STDOUT_FILENO, "\n", 1);
}

int outfile_finish(int code) {
    struct diag d = {0};
    const bool failed_before = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !failed_before) return code;
    find_reason();
    diag_errno(&d, "standard output", "cannot write");
    return diag_report(stderr, &d);
}

/* Closes stdout alone, with its buffered data. */
static FILE *open_standard_output(void) {
    const int fd = fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;
    return fd >= 0 ? fdopen(fd, "wb") : NULL;
}

enum status outfile_open(struct outfile *f, const char *path, struct diag *d) {
    *f = (struct outfile){0};
    f->path = strdup(path);
    if (f->path == NULL) return fail(f, d, ENOMEM);
    f->stream = file_is_standard(path) ? open_standard_output()
                : is_replaceable(path) ? open_beside(f, path)
                                       : fopen(path, "wb");
    return f->stream != NULL ? STATUS_OK : fail(f, d, errno);
}

enum status outfile_check(const char *path, struct diag *d) {
    struct outfile f;
    if (file_is_standard(path)) return STATUS_OK;
    if (!is_replaceable(path)) { /* opening a pipe would wait for its reader */
        struct stat info;
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            errno = EISDIR;
        else if (access(path, W_OK) == 0)
            return STATUS_OK;
        return diag_errno(d, path, "cannot write");
    }
    const enum status status = outfile_open(&f, path, d);
    return status == STATUS_OK ? outfile_close(&f, false, d) : status;
}

enum status outfile_close(struct outfile *f, bool keep, struct diag *d) {
    if (f->stream == NULL) return STATUS_OK;
    const bool bad = ferror(f->stream) != 0;
    errno = 0;
    if (fclose(f->stream) != 0 || bad) return fail(f, d, errno != 0 ? errno : EIO);
    if (f->temporary != NULL) {
        if (!keep)
            unlink(f->temporary);
        else if (rename(f->temporary, f->path) != 0)
            return fail(f, d, errno);
    }
    release(f);
    return STATUS_OK;
}

enum status outfile_copy(FILE *from, const char *path, struct diag *d) {
    struct outfile f;
    char chunk[4096];
    const enum status status = outfile_open(&f, path, d);
    if (status != STATUS_OK) return status;
    rewind(from);
    for (size_t count; (count = fread(chunk, 1, sizeof chunk, from)) > 0;) fwrite(chunk, 1, count, f.stream);
    if (ferror(from) != 0) {
        const int error = errno;
        outfile_close(&f, false, d);
        errno = error;
        return diag_errno(d, path, "cannot write");
    }
    return outfile_close(&f, true, d);
}
