/* SPDX-License-Identifier: Apache-2.0 */
#include "runner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../../test/fixture.h"
#include "../../test/scratch.h"

int runner_run(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "D=%s; %s %s >$D/out 2>$D/err", scratch, RUNNER_TOOL, arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int runner_run_full(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "D=%s; %s %s >/dev/full 2>$D/err", scratch, RUNNER_TOOL, arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void runner_check(const char *arguments, int code, const char *file, const char *text) {
    char content[8192];
    const int actual = runner_run(arguments);
    scratch_read(file, content, sizeof content);
    if (actual != code || strstr(content, text) == NULL)
        fail_msg("warp-run %s: exit %d, '%s'; expected %d, '%s'", arguments, actual, content, code, text);
}
