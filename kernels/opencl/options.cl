// SPDX-License-Identifier: Apache-2.0
// The price of a European call, twice: by the formula of Black and Scholes, and as the mean over random prices.
static float normal(float d) { return 0.5f * erfc(-d * M_SQRT1_2_F); }

// Prices of the stock, of the strike, years.
__kernel void formula(__global const float *stock, __global const float *strike, __global const float *years,
                      __global float *call, float rate, float volatility) {
    size_t i = get_global_id(0);
    float deviation = volatility * sqrt(years[i]);
    float d = (log(stock[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
    call[i] = stock[i] * normal(d) - strike[i] * exp(-rate * years[i]) * normal(d - deviation);
}

static uint draw(uint *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

// Each work item draws pairs of normally distributed numbers (Box and Muller) for one option.
__kernel void monte_carlo(float stock, float strike, float years, float rate, float volatility, uint pairs,
                          __global float *means) {
    size_t item = get_global_id(0);
    uint state = 2654435769u * (uint)(item + 1);
    float drift = (rate - 0.5f * volatility * volatility) * years, deviation = volatility * sqrt(years), sum = 0.0f;
    for (uint i = 0; i < pairs; i++) {
        float u = ((draw(&state) >> 8) + 1) * 0x1p-24f, v = (draw(&state) >> 8) * 0x1p-24f, c;
        float s = sincos(2.0f * M_PI_F * v, &c), radius = sqrt(-2.0f * log(u));
        sum += fmax(stock * exp(drift + deviation * radius * s) - strike, 0.0f);
        sum += fmax(stock * exp(drift + deviation * radius * c) - strike, 0.0f);
    }
    means[item] = exp(-rate * years) * sum / (2 * pairs);
}
