// SPDX-License-Identifier: Apache-2.0
// Prices of a call and of a put for each option: price of the stock, price of the strike, years. The normal
// distribution is the polynomial 26.2.17 of Abramowitz and Stegun.
__device__ float normal(float d) {
    float t = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float sum = t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float tail = 0.39894228f * __expf(-0.5f * d * d) * sum;
    return d < 0.0f ? tail : 1.0f - tail;
}

__global__ void black_scholes(const float *options, float *prices, float rate, float volatility, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float stock = options[3 * i], strike = options[3 * i + 1], years = options[3 * i + 2];
    float deviation = volatility * sqrtf(years);
    float d1 = (__logf(stock / strike) + (rate + 0.5f * volatility * volatility) * years) / deviation;
    float now = strike * __expf(-rate * years);
    float call = stock * normal(d1) - now * normal(d1 - deviation);
    prices[2 * i] = call;
    prices[2 * i + 1] = call + now - stock;
}
