// SPDX-License-Identifier: Apache-2.0
#include <iostream>
__global__ void wrong(int *y) {
    y[threadIdx.x] = undeclared_name;
}
int main() {
    wrong<<<1, 1>>>(0);
    std::cout << "done";
}
