// SPDX-License-Identifier: Apache-2.0
// The simulated board: the LiteX design around the machine, in Verilator, behind a pseudo-terminal or a TCP port. The
// serial line is one byte a handshake instead of bits; all else is as on a board. Time stands still while nobody talks
// to it.
//
//     board_sim [--tcp PORT]      prints the port to give to warp-load, then runs until it is stopped; PORT 0: a free one
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "Vsim.h"
#include "verilated.h"

namespace {

constexpr int RESET_CYCLES = 16;
constexpr int CYCLES_A_LOOK = 32;   // between two looks at the line
constexpr int PATIENCE_SECONDS = 2; // for which the clock goes on when nobody talks
constexpr const char *LOOPBACK = "127.0.0.1";

[[noreturn]] void fail(const char *what) {
    std::perror(what);
    std::exit(2);
}

// A line to whoever opens it, again and again.
class Line {
  public:
    Line() { open_terminal(); }
    explicit Line(int tcp_port) { open_tcp(tcp_port); }

    // Looks for bytes; waits for them where asked to. False: none.
    bool look(bool wait) {
        struct pollfd p = {file_ >= 0 ? file_ : listener_, POLLIN, 0};
        if (poll(&p, 1, wait ? -1 : 0) <= 0) return false;
        if (file_ < 0) {
            file_ = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK);
            return false;
        }
        size_ = at_ = 0;
        const ssize_t count = read(file_, bytes_, sizeof bytes_);
        if (count > 0) size_ = static_cast<size_t>(count);
        if (count == 0 && listener_ >= 0) hang_up();
        return size_ > 0;
    }

    bool empty() const { return at_ == size_; }
    uint8_t front() const { return bytes_[at_]; }
    void pop() { at_++; }

    void put(uint8_t byte) {
        while (file_ >= 0 && write(file_, &byte, 1) < 0) {
            struct pollfd p = {file_, POLLOUT, 0};
            if (poll(&p, 1, 1000) <= 0 || (p.revents & POLLOUT) == 0) return; // nobody reads it
        }
    }

  private:
    int file_ = -1, listener_ = -1;
    uint8_t bytes_[4096];
    size_t size_ = 0, at_ = 0;

    void hang_up() {
        close(file_);
        file_ = -1;
    }

    // The far end is kept open, so that the line stays when a program closes it.
    void open_terminal() {
        struct termios t;
        char name[64];
        file_ = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
        if (file_ < 0 || grantpt(file_) != 0 || unlockpt(file_) != 0 || ptsname_r(file_, name, sizeof name) != 0)
            fail("pseudo-terminal");
        const int far = open(name, O_RDWR | O_NOCTTY);
        if (far < 0 || tcgetattr(far, &t) != 0) fail(name);
        cfmakeraw(&t);
        tcsetattr(far, TCSANOW, &t);
        std::printf("%s\n", name);
    }

    void open_tcp(int port) {
        const int one = 1;
        struct sockaddr_in where = {};
        where.sin_family = AF_INET;
        where.sin_port = htons(static_cast<uint16_t>(port));
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        listener_ = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        auto *address = reinterpret_cast<struct sockaddr *>(&where);
        socklen_t size = sizeof where;
        if (bind(listener_, address, size) != 0 || listen(listener_, 1) != 0) fail("TCP port");
        getsockname(listener_, address, &size);
        std::printf("tcp:%s:%d\n", LOOPBACK, ntohs(where.sin_port));
    }
};

class Board {
  public:
    explicit Board(Line &line) : line_(line) {
        // Memories and registers begin with noise, the same each time.
        context_.randReset(2);
        context_.randSeed(1);
        top_ = std::make_unique<Vsim>(&context_);
        top_->serial_source_ready = 1;
        top_->sys_rst = 1;
        for (int i = 0; i < RESET_CYCLES; i++) clock();
        top_->sys_rst = 0;
    }

    // One cycle: what crosses the line before the edge is what both sides agree on.
    void clock() {
        top_->serial_sink_valid = !line_.empty() && top_->sys_rst == 0;
        if (top_->serial_sink_valid) top_->serial_sink_data = line_.front();
        top_->eval();
        const bool taken = top_->serial_sink_valid && top_->serial_sink_ready;
        const bool said = top_->serial_source_valid && top_->sys_rst == 0;
        const uint8_t byte = top_->serial_source_data;
        top_->sys_clk = 1;
        top_->eval();
        top_->sys_clk = 0;
        if (taken) line_.pop();
        if (said) line_.put(byte);
    }

  private:
    Line &line_;
    VerilatedContext context_;
    std::unique_ptr<Vsim> top_;
};

bool is_port(const char *text) {
    char *end = nullptr;
    const long port = std::strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && port >= 0 && port <= 65535;
}

} // namespace

int main(int argc, char **argv) {
    const bool tcp = argc == 3 && std::strcmp(argv[1], "--tcp") == 0 && is_port(argv[2]);
    if (argc != 1 && !tcp) {
        std::fprintf(stderr, "usage: board_sim [--tcp PORT]\n");
        return 2;
    }
    Line line = tcp ? Line(std::atoi(argv[2])) : Line();
    std::fflush(stdout);
    Board board(line);
    for (time_t last = std::time(nullptr);;) {
        if (line.empty() && line.look(std::time(nullptr) - last > PATIENCE_SECONDS)) last = std::time(nullptr);
        for (int i = 0; i < CYCLES_A_LOOK; i++) board.clock();
    }
}
