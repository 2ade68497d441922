// SPDX-License-Identifier: Apache-2.0
// A program with its host code: headers, a class of the library, lambdas, launches. Constants and types that kernels use
// stay.
#include <cstdio>
#include <cuda_runtime.h>
#include <iostream>
#include <no_such_header_anywhere.hpp>
#include <sys/time.h>
#include <vector>

using namespace std;
using std::cout;

#define CHECK(call)                                          \
    {                                                        \
        cudaError_t error = (call);                          \
        if (error != cudaSuccess) {                          \
            printf("%s\n", cudaGetErrorString(error));       \
            exit(1);                                         \
        }                                                    \
    }

static const int FACTOR = 3, OTHER[] = {1, 2};
const double START = now(); // of the host: no kernel names it
enum { SHIFT = 1, UNUSED };
typedef struct {
    int low, high;
} pair;
FILE *log_file;
int counter = OTHER[0] + 1;

class Timer {
  public:
    explicit Timer(const std::string &name) : name_(name), begin_(0) { cudaEventCreate(&event_); }
    virtual ~Timer() { cout << name_ << endl; }

  private:
    std::string name_;
    double begin_;
    cudaEvent_t event_;
};

struct Point {
    Point(pair p) : x(p.low), y(p.high) { counter++; }
    __host__ __device__ Point(int x, int y) : x(x), y(y) {}
    __device__ int sum() const { return x + y; }
    void print(std::ostream &out) const { out << x << '{' << y; }
    int x, y;
};

__device__ int twice(int a);
void check(const std::vector<int> &got, int (*compare)(int, int));

extern "C" {
int c_function(void) { return "}{"[0]; }
__device__ int c_device(int a) { return a << SHIFT; }
}

namespace inner {
int host_only() { return R"(}})"[0]; }
__device__ int plus_one(int a) { return a + 1; }
} // namespace inner

__global__ void scale(int *data, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Point p(data[i] * FACTOR, inner::plus_one(c_device(i)));
    if (i < count) data[i] = twice(p.sum());
}

__device__ int twice(int a) { return 2 * a; }

static double now() {
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + 1e-6 * t.tv_usec;
}

int main(int argc, char **argv) {
    vector<int> data(argc > 1 ? atoi(argv[1]) : 1000);
    Timer timer("scale");
    int *d;
    CHECK(cudaMalloc((void **)&d, data.size() * sizeof(int)));
    scale<<<(data.size() + 31) / 32, 32>>>(d, (int)data.size());
    auto more = [&](int a) { return a + argc; };
    for (auto &x : data) printf("%d ", more(x));
    return 0;
}
