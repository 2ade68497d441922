#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prices of options: by the formula of Black and Scholes, and by Monte Carlo for the first of them.

    options.py [OPTIONS [FILE]]
"""
import math

import numpy as np
import pyopencl as cl

import host

RATE, VOLATILITY, ITEMS, PAIRS = np.float32(0.02), np.float32(0.3), 256, 16


def expected(stock, strike, years):
    """The formula in double precision."""
    def normal(d):
        return 0.5 * np.array([math.erfc(-v / math.sqrt(2)) for v in d])
    stock, strike, years = (a.astype(float) for a in (stock, strike, years))
    rate, volatility = float(RATE), float(VOLATILITY)
    deviation = volatility * np.sqrt(years)
    d = (np.log(stock / strike) + (rate + 0.5 * volatility ** 2) * years) / deviation
    return stock * normal(d) - strike * np.exp(-rate * years) * normal(d - deviation)


def main():
    count = host.size(500)
    random = np.random.default_rng(8)
    inputs = [random.uniform(low, high, count).astype(np.float32) for low, high in ((5, 30), (1, 100), (0.25, 10))]
    stock, strike, years = inputs
    strike[0] = stock[0]
    queue = host.queue()
    program = host.build(queue, "options.cl")
    flags = cl.mem_flags
    buffers = [cl.Buffer(queue.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a) for a in inputs]
    prices, means = np.empty(count, np.float32), np.empty(ITEMS, np.float32)
    price_buffer = cl.Buffer(queue.context, flags.WRITE_ONLY, prices.nbytes)
    mean_buffer = cl.Buffer(queue.context, flags.WRITE_ONLY, means.nbytes)
    first = program.formula(queue, (count,), None, *buffers, price_buffer, RATE, VOLATILITY)
    last = program.monte_carlo(queue, (ITEMS,), (32,), stock[0], strike[0], years[0], RATE, VOLATILITY,
                               np.uint32(PAIRS), mean_buffer)
    cl.enqueue_copy(queue, prices, price_buffer, is_blocking=False)
    cl.enqueue_copy(queue, means, mean_buffer, is_blocking=False)
    queue.finish()
    print(f"options: {count}, {host.milliseconds(first, last):.3f} ms")
    error = np.abs(prices - expected(*inputs)).max()
    drawn, spread = means.mean(), means.std() / math.sqrt(ITEMS)
    print(f"options: largest error {error:.2g}; the first is {prices[0]:.3f}, drawn {drawn:.3f}")
    host.finish("options", np.concatenate((prices, means)), error < 1e-4 and abs(drawn - prices[0]) < 4 * spread)


main()
