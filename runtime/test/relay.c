/* SPDX-License-Identifier: Apache-2.0 */
#include "relay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

enum { CHUNK = 4096 };

struct relay {
    pthread_t thread;
    int listener, serial, stop[2]; /* a pipe: closed where it is to stop */
    unsigned port;
};

/* Forwards bytes from one side to the other; returns false if a side has closed. */
static bool pass(int from, int to) {
    uint8_t bytes[CHUNK];
    const ssize_t count = read(from, bytes, sizeof bytes);
    for (ssize_t done = 0, now; done < count; done += now)
        if ((now = write(to, bytes + done, (size_t)(count - done))) < 0) return false;
    return count > 0;
}

static void *run(void *of) {
    const struct relay *r = of;
    struct pollfd p[] = {
        {.fd = r->stop[0],  .events = POLLIN},
        {.fd = r->listener, .events = POLLIN},
        {.fd = r->serial,   .events = POLLIN}
    };
    if (poll(p, 2, -1) <= 0 || p[0].revents != 0) return NULL;
    p[1].fd = accept(r->listener, NULL, NULL);
    while (poll(p, 3, -1) > 0 && p[0].revents == 0) {
        if (p[1].revents != 0 && !pass(p[1].fd, r->serial)) break;
        if (p[2].revents != 0 && !pass(r->serial, p[1].fd)) break;
    }
    close(p[1].fd);
    return NULL;
}

struct relay *relay_start(const char *serial) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    struct termios t;
    struct relay *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->serial = open(serial, O_RDWR | O_NOCTTY);
    assert_true(r->serial >= 0 && tcgetattr(r->serial, &t) == 0);
    cfmakeraw(&t);
    assert_int_equal(tcsetattr(r->serial, TCSANOW, &t), 0);
    r->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(r->listener, (const struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(r->listener, 1), 0);
    assert_int_equal(getsockname(r->listener, (struct sockaddr *)&at, &size), 0);
    r->port = ntohs(at.sin_port);
    assert_int_equal(pipe(r->stop), 0);
    assert_int_equal(pthread_create(&r->thread, NULL, run, r), 0);
    return r;
}

unsigned relay_port(const struct relay *r) { return r->port; }

void relay_stop(struct relay *r) {
    close(r->stop[1]);
    pthread_join(r->thread, NULL);
    close(r->stop[0]);
    close(r->listener);
    close(r->serial);
    free(r);
}
