/* SPDX-License-Identifier: Apache-2.0 */
/* A TCP port of this computer in front of a serial one: what a board at a socket is like.
 *
 *     struct relay *relay = relay_start("/dev/pts/5");
 *     run("board:tcp:127.0.0.1:", relay_port(relay));
 *     relay_stop(relay);                            // the connection ends
 */
#ifndef WARPSTEP_TEST_RELAY_H
#define WARPSTEP_TEST_RELAY_H

struct relay;
struct relay *relay_start(const char *serial); /* the test fails on an error */
unsigned relay_port(const struct relay *relay);
void relay_stop(struct relay *relay);

#endif
