/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "datagrams.h"
#include "now_ms.h"
#include "socket.h"

enum { SEND_MS = 5000, CHUNK = 4096 };

struct port {
    struct line line;
    int file;
};

static bool baud_code(unsigned baud, speed_t *code) {
    static const struct {
        unsigned baud;
        speed_t code;
    } RATES[] = {
        {9600,    B9600   },
        {19200,   B19200  },
        {38400,   B38400  },
        {57600,   B57600  },
        {115200,  B115200 },
        {230400,  B230400 },
        {460800,  B460800 },
        {500000,  B500000 },
        {921600,  B921600 },
        {1000000, B1000000},
        {2000000, B2000000},
        {3000000, B3000000},
    };
    for (size_t i = 0; i < sizeof RATES / sizeof RATES[0]; i++) {
        if (RATES[i].baud != baud) continue;
        *code = RATES[i].code;
        return true;
    }
    return false;
}

/* Eight bits, no parity, one stop bit, bytes unchanged. */
static enum status set_terminal(int file, const char *port, unsigned baud, struct diag *d) {
    struct termios t;
    speed_t code;
    if (!baud_code(baud, &code))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "--baud %u: not a rate of serial ports, such as 115200 or 1000000", baud);
    if (tcgetattr(file, &t) != 0) return diag_errno(d, port, "");
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    if (cfsetspeed(&t, code) != 0 || tcsetattr(file, TCSANOW, &t) != 0 || tcflush(file, TCIOFLUSH) != 0)
        return diag_errno(d, port, "");
    return STATUS_OK;
}

static enum status open_path(const char *port, unsigned baud, int *file, struct diag *d) {
    *file = open(port, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (*file < 0 && errno == EBUSY) return diag_set(d, STATUS_BAD_INPUT, port, 0, 0, "another program uses this port");
    if (*file < 0) return diag_errno(d, port, "");
    if (isatty(*file) == 0) return diag_set(d, STATUS_BAD_INPUT, port, 0, 0, "no serial port and no pseudo-terminal");
    if (flock(*file, LOCK_EX | LOCK_NB) != 0)
        return diag_set(d, STATUS_BAD_INPUT, port, 0, 0, "another program uses this port");
    return set_terminal(*file, port, baud, d);
}

static void port_close(struct line *line) {
    struct port *port = (struct port *)line;
    if (port->file >= 0) close(port->file);
    free(port);
}

/* Waits for the line to be ready for `events`; 1 if so, 0 after wait_ms, -1 if it is gone. */
static int wait_for(const struct port *port, short events, unsigned wait_ms) {
    struct pollfd p = {.fd = port->file, .events = events};
    int ready;
    do ready = poll(&p, 1, (int)wait_ms);
    while (ready < 0 && errno == EINTR);
    if (ready <= 0) return ready;
    return (p.revents & events) != 0 ? 1 : -1;
}

static bool is_passing(ssize_t count) { return count < 0 && (errno == EAGAIN || errno == EINTR); }

/* A socket with a closed other end would raise SIGPIPE, which ends the process. */
static ssize_t put(const struct port *port, const uint8_t *bytes, size_t size) {
    const ssize_t count = send(port->file, bytes, size, MSG_NOSIGNAL);
    return count < 0 && errno == ENOTSOCK ? write(port->file, bytes, size) : count;
}

static enum line_result port_send(struct line *line, const uint8_t *bytes, size_t size) {
    const struct port *port = (const struct port *)line;
    for (size_t done = 0; done < size;) {
        const int ready = wait_for(port, POLLOUT, line_patience(line, SEND_MS));
        if (ready <= 0) return ready == 0 ? LINE_SILENT : LINE_GONE;
        const ssize_t count = put(port, bytes + done, size - done);
        if (is_passing(count)) continue;
        if (count < 0) return LINE_GONE;
        done += (size_t)count;
    }
    return LINE_OK;
}

static enum line_result port_receive(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms) {
    const struct port *port = (const struct port *)line;
    for (size_t done = 0; done < size;) {
        const unsigned patience = line_patience(line, wait_ms);
        const int ready = wait_for(port, POLLIN, patience);
        if (ready < 0) return LINE_GONE;
        if (ready == 0 || (patience == 0 && wait_ms > 0)) return done == 0 ? LINE_SILENT : LINE_CUT;
        const ssize_t count = read(port->file, bytes + done, size - done);
        if (is_passing(count)) continue;
        if (count <= 0) return LINE_GONE;
        done += (size_t)count;
    }
    return LINE_OK;
}

static size_t port_drain(struct line *line, unsigned quiet_ms) {
    const struct port *port = (const struct port *)line;
    uint8_t waste[CHUNK];
    size_t all = 0;
    const long end_ms = now_ms() + (long)quiet_ms + LINE_DRAIN_MOST_MS;
    while (now_ms() < end_ms && wait_for(port, POLLIN, line_patience(line, quiet_ms)) > 0) {
        if (line_patience(line, 1) == 0) break;
        const ssize_t count = read(port->file, waste, sizeof waste);
        if (is_passing(count)) continue;
        if (count <= 0) break;
        all += (size_t)count;
    }
    return all;
}

enum status line_open(const char *name, unsigned baud, struct line **line, struct diag *d) {
    static const struct line_kind KIND = {port_send, port_receive, port_drain, port_close, false, NULL};
    if (socket_is_udp(name)) return datagrams_open(name, line, d);
    struct port *port = calloc(1, sizeof *port);
    *line = NULL;
    if (port == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    *port = (struct port){.line.kind = &KIND, .file = -1};
    const enum status status =
        socket_is_tcp(name) ? socket_open(name, &port->file, d) : open_path(name, baud, &port->file, d);
    if (status == STATUS_OK)
        *line = &port->line;
    else
        port_close(&port->line);
    return status;
}

void line_close(struct line *line) {
    if (line != NULL) line->kind->close(line);
}

enum line_result line_send(struct line *line, const uint8_t *bytes, size_t size) {
    return line->kind->send(line, bytes, size);
}

enum line_result line_receive(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms) {
    return line->kind->receive(line, bytes, size, line_patience(line, wait_ms));
}

long line_now_ms(struct line *line) { return line->kind->now_ms != NULL ? line->kind->now_ms(line) : now_ms(); }

unsigned line_patience(struct line *line, unsigned wait_ms) {
    const long left_ms = line->deadline_ms == 0 ? (long)wait_ms : line->deadline_ms - line_now_ms(line);
    return left_ms < 0 ? 0 : left_ms < (long)wait_ms ? (unsigned)left_ms : wait_ms;
}

size_t line_drain(struct line *line, unsigned quiet_ms) {
    return line->kind->drain(line, line_patience(line, quiet_ms));
}
