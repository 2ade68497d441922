/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

bool terminals_exist(void) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0) return false;
    const char *name = grantpt(master) == 0 && unlockpt(master) == 0 ? ptsname(master) : NULL;
    const int slave = name != NULL ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (slave >= 0) close(slave);
    close(master);
    return slave >= 0;
}
