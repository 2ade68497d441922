/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets to a board: a free port, one that another program holds, invalid names. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../socket.h"

/* A socket of this computer at a free port number, which it then holds. */
static int take_port(const char *address, int type, unsigned *number) {
    struct sockaddr_in here = {.sin_family = AF_INET};
    socklen_t size = sizeof here;
    const int file = socket(AF_INET, type, 0);
    assert_int_equal(inet_pton(AF_INET, address, &here.sin_addr), 1);
    assert_true(file >= 0);
    assert_int_equal(bind(file, (struct sockaddr *)&here, sizeof here), 0);
    assert_int_equal(getsockname(file, (struct sockaddr *)&here, &size), 0);
    *number = ntohs(here.sin_port);
    return file;
}

static void check(const char *scheme, const char *host, unsigned number, const char *text) {
    char port[64];
    struct diag d = {0};
    int file = -1;
    snprintf(port, sizeof port, "%s:%s:%u", scheme, host, number);
    const enum status status = socket_open(port, &file, &d);
    if (text == NULL) {
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(close(file), 0);
        return;
    }
    assert_int_equal(status, STATUS_BAD_INPUT);
    assert_int_equal(file, -1);
    assert_string_equal(d.file, port);
    if (strstr(d.text, text) == NULL) fail_msg("%s: '%s', expected '%s'", port, d.text, text);
}

/* The board has 127.0.0.2, this end 127.0.0.1 and the same port number. */
static void test_socket_says_who_has_the_port(void **state) {
    unsigned number;
    (void)state;
    const int board = take_port("127.0.0.2", SOCK_DGRAM, &number);
    check("udp", "127.0.0.2", number, NULL);
    check("udp", "127.0.0.2", number, NULL); /* closed, and free again */
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number)};
    const int other = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, "127.0.0.1", &here.sin_addr);
    assert_int_equal(bind(other, (struct sockaddr *)&here, sizeof here), 0);
    check("udp", "127.0.0.2", number, "another program uses this port");
    close(other);
    check("udp", "127.0.0.2", number, NULL);
    close(board);
}

static void test_socket_connects(void **state) {
    unsigned number;
    (void)state;
    const int board = take_port("127.0.0.1", SOCK_STREAM, &number);
    check("tcp", "127.0.0.1", number, "Connection refused"); /* no listener yet */
    assert_int_equal(listen(board, 1), 0);
    check("tcp", "127.0.0.1", number, NULL);
    close(board);
}

/* getaddrinfo takes a number modulo 65536. */
static void test_socket_takes_no_port_that_is_none(void **state) {
    static const char NUMBER[] = "the port is a number from 1 to 65535";
    (void)state;
    check("tcp", "127.0.0.1", 65536 + 80, NUMBER);
    check("udp", "127.0.0.1", 65536, NUMBER);
    check("udp", "127.0.0.1", 0, NUMBER);
    check("tcp", "", 80, "expected tcp:HOST:PORT");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_socket_says_who_has_the_port),
        cmocka_unit_test(test_socket_connects),
        cmocka_unit_test(test_socket_takes_no_port_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
