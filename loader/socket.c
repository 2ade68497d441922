/* SPDX-License-Identifier: Apache-2.0 */
#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SCHEME = 4, PART_BYTES = 256 };

bool socket_is_tcp(const char *port) { return strncmp(port, "tcp:", SCHEME) == 0; }
bool socket_is_udp(const char *port) { return strncmp(port, "udp:", SCHEME) == 0; }

/* -1, with errno of the failure. */
static int give_up(int file) {
    const int why = errno;
    close(file);
    errno = why;
    return -1;
}

static int connected(const struct addrinfo *where) {
    const int file = socket(where->ai_family, where->ai_socktype | SOCK_CLOEXEC, where->ai_protocol);
    return file < 0 || connect(file, where->ai_addr, where->ai_addrlen) == 0 ? file : give_up(file);
}

static int connect_tcp(const struct addrinfo *where) {
    const int one = 1, file = connected(where);
    if (file >= 0) setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return file;
}

/* Finds this end's address with a socket that has no port of its own. */
static int connect_udp(const struct addrinfo *where) {
    struct sockaddr_in here;
    socklen_t size = sizeof here;
    int file = connected(where);
    if (file < 0) return -1;
    if (getsockname(file, (struct sockaddr *)&here, &size) != 0) return give_up(file);
    close(file);
    here.sin_port = ((const struct sockaddr_in *)where->ai_addr)->sin_port;
    file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0) return -1;
    if (bind(file, (struct sockaddr *)&here, size) != 0) return give_up(file);
    return connect(file, where->ai_addr, where->ai_addrlen) == 0 ? file : give_up(file);
}

/* A number; names of services are not accepted. getaddrinfo would take it modulo 65536. */
static bool is_port_number(const char *text) {
    enum { MOST = 65535, DIGITS = 5 };
    const size_t length = strlen(text);
    const long number = length <= DIGITS && strspn(text, "0123456789") == length ? strtol(text, NULL, 10) : 0;
    return number > 0 && number <= MOST;
}

static enum status find_host(const char *port, struct addrinfo **found, struct diag *d) {
    char host[PART_BYTES];
    const bool udp = socket_is_udp(port);
    const char *at = port + SCHEME;
    const char *colon = strrchr(at, ':');
    if (colon == NULL || colon == at || colon[1] == '\0' || (size_t)(colon - at) >= sizeof host)
        return diag_set(d, STATUS_BAD_INPUT, port, 0, 0, "expected %.*sHOST:PORT", SCHEME, port);
    if (!is_port_number(colon + 1))
        return diag_set(d, STATUS_BAD_INPUT, port, 0, 0, "the port is a number from 1 to 65535");
    memcpy(host, at, (size_t)(colon - at));
    host[colon - at] = '\0';
    const struct addrinfo hints = {.ai_family = udp ? AF_INET : AF_UNSPEC,
                                   .ai_socktype = udp ? SOCK_DGRAM : SOCK_STREAM};
    const int trouble = getaddrinfo(host, colon + 1, &hints, found);
    return trouble == 0 ? STATUS_OK : diag_set(d, STATUS_BAD_INPUT, port, 0, 0, "%s", gai_strerror(trouble));
}

enum status socket_open(const char *port, int *file, struct diag *d) {
    struct addrinfo *found = NULL;
    *file = -1;
    const enum status status = find_host(port, &found, d);
    if (status != STATUS_OK) return status;
    for (const struct addrinfo *a = found; a != NULL && *file < 0; a = a->ai_next)
        *file = socket_is_udp(port) ? connect_udp(a) : connect_tcp(a);
    freeaddrinfo(found);
    if (*file < 0 && errno == EADDRINUSE)
        return diag_set(d, STATUS_BAD_INPUT, port, 0, 0, "another program uses this port");
    if (*file < 0) return diag_errno(d, port, "");
    fcntl(*file, F_SETFL, O_NONBLOCK);
    return STATUS_OK;
}
