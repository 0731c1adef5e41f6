// Times three ways to fill the table of the cow digit game: prints the nanoseconds of each, over RUNS runs.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
using namespace std;

int smallest(int n) {
    int least = 10;
    for (; n; n /= 10)
        if (n % 10) least = min(least, n % 10);
    return least;
}

int largest(int n) {
    int most = 0;
    for (; n; n /= 10)
        if (n % 10) most = max(most, n % 10);
    return most;
}

// The document's: two passes over the digits of every number.
void two_functions(uint8_t *won, int limit) {
    won[0] = 0;
    for (int n = 1; n <= limit; n++) won[n] = !(won[n - smallest(n)] && won[n - largest(n)]);
}

// One pass over the digits of every number.
void one_pass(uint8_t *won, int limit) {
    won[0] = 0;
    for (int n = 1; n <= limit; n++) {
        int least = 10, most = 0;
        for (int rest = n; rest; rest /= 10) {
            int digit = rest % 10;
            most = max(most, digit);
            if (digit) least = min(least, digit);
        }
        won[n] = !(won[n - least] && won[n - most]);
    }
}

// The best we can write: extremes of n / 10 are known when n is reached, and ten numbers share them.
void carried(uint8_t *won, int limit) {
    static vector<uint8_t> least, most;
    least.assign(limit / 10 + 1, 10);
    most.assign(limit / 10 + 1, 0);
    won[0] = 0;
    for (int tens = 0; tens <= limit / 10; tens++) {
        int low = least[tens / 10], high = most[tens / 10], digit = tens % 10;
        low = digit ? min(low, digit) : low;
        high = max(high, digit);
        least[tens] = low;
        most[tens] = high;
        int first = 10 * tens;
        if (tens) won[first] = !(won[first - low] & won[first - high]);
        int last = min(9, limit - first);
        for (int d = 1; d <= last; d++) won[first + d] = !(won[first + d - min(low, d)] & won[first + d - max(high, d)]);
    }
}

int main(int argc, char **argv) {
    int limit = atoi(argv[1]), runs = atoi(argv[2]);
    void (*fill[])(uint8_t *, int) = {two_functions, one_pass, carried};
    vector<uint8_t> won(limit + 1), expected(limit + 1);
    two_functions(expected.data(), limit);
    for (int run = 0; run < runs; run++)
        for (auto way : fill) {
            auto start = chrono::steady_clock::now();
            way(won.data(), limit);
            auto stop = chrono::steady_clock::now();
            if (won != expected) return 1;
            printf("%lld ", (long long)chrono::duration_cast<chrono::nanoseconds>(stop - start).count());
        }
    puts("");
}
