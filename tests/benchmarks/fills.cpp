// Tables filled by hand: `fills WAY TOP RUNS` prints the nanoseconds of each run, fresh memory included, and a checksum.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>
using namespace std;
typedef uint8_t u8;
typedef uint64_t u64;

static u64 sum(const vector<u8> &won) {
    u64 total = 0;
    for (size_t n = 0; n < won.size(); n++) total = total * 31 + won[n];
    return total;
}

static u64 sum_bits(const vector<u64> &bits, int top) {
    vector<u8> won(top + 1);
    for (int n = 0; n <= top; n++) won[n] = bits[n >> 6] >> (n & 63) & 1;
    return sum(won);
}

// --- cow digits ---

static int smallest(int n) {
    int least = 10;
    for (; n; n /= 10)
        if (n % 10) least = min(least, n % 10);
    return least;
}

static int largest(int n) {
    int most = 0;
    for (; n; n /= 10)
        if (n % 10) most = max(most, n % 10);
    return most;
}

static u64 cow_document(int top, bool check) {
    vector<u8> won(top + 1);
    for (int n = 1; n <= top; n++) won[n] = !(won[n - smallest(n)] && won[n - largest(n)]);
    return check ? sum(won) : won[top];
}

struct Prefixes {  // the extremes of the digits of all numbers up to a tenth of the top
    vector<u8> least, most;
    explicit Prefixes(int top) : least(top / 10 + 1, 10), most(top / 10 + 1, 0) {}
    void reach(int tens) {
        int low = least[tens / 10], high = most[tens / 10], digit = tens % 10;
        least[tens] = digit ? min(low, digit) : low;
        most[tens] = max(high, digit);
    }
};

static u64 cow_carried(int top, bool check) {
    vector<u8> won(top + 1);
    Prefixes digits(top);
    for (int tens = 0; tens <= top / 10; tens++) {
        digits.reach(tens);
        int low = digits.least[tens], high = digits.most[tens], first = 10 * tens, last = min(9, top - first);
        if (tens) won[first] = !(won[first - low] & won[first - high]);
        for (int d = 1; d <= last; d++) won[first + d] = !(won[first + d - min(low, d)] & won[first + d - max(high, d)]);
    }
    return check ? sum(won) : won[top];
}

// A bit a number; the last 64 in a register.
static u64 cow_window(int top, bool check) {
    vector<u64> won(top / 64 + 2);
    Prefixes digits(top);
    u64 recent = 0;
    for (int tens = 0, n = 0; tens <= top / 10; tens++) {
        digits.reach(tens);
        int low = digits.least[tens], high = digits.most[tens];
        for (int d = 0; d < 10; d++, n++) {
            u64 code = d ? ~((recent << (min(low, d) - 1)) & (recent << (max(high, d) - 1)))
                         : tens ? ~((recent << (low - 1)) & (recent << (high - 1))) : 0;
            recent = (recent >> 1) | (code & 1ull << 63);
            if ((n & 63) == 63) won[n >> 6] = recent;
        }
    }
    int n = top / 10 * 10 + 10;
    if (n & 63) won[n >> 6] = recent >> (64 - (n & 63));
    return check ? sum_bits(won, top) : won[top >> 6];
}

// Ten numbers at once: what comes of them is looked up by the extremes in front and the nine outcomes before.
static u64 cow_blocks(int top, bool check) {
    vector<uint16_t> step(10 * 10 * 512);
    for (int low = 1; low < 10; low++)
        for (int high = low; high < 10; high++)
            for (int before = 0; before < 512; before++) {
                unsigned window = before, out = 0;
                for (int d = 0; d < 10; d++) {
                    int a = d ? min(low, d) : low, b = d ? max(high, d) : high;
                    unsigned code = !((window >> (9 - a) & 1) & (window >> (9 - b) & 1));
                    out |= code << d;
                    window = (window >> 1) | code << 8;
                }
                step[(low * 10 + high) * 512 + before] = out;
            }
    vector<u64> won(top / 64 + 3);
    Prefixes digits(top);
    u64 word = 0x3fe, *place = won.data();
    int filled = 10;
    unsigned window = 0x1ff;
    for (int tens = 1; tens <= top / 10; tens++) {
        digits.reach(tens);
        u64 out = step[(digits.least[tens] * 10 + digits.most[tens]) * 512 + window];
        window = out >> 1;
        word |= out << filled;
        filled += 10;
        if (filled >= 64) {
            *place++ = word;
            filled -= 64;
            word = out >> (10 - filled);
        }
    }
    *place = word;
    return check ? sum_bits(won, top) : won[top >> 6];
}

// --- other games ---

static u64 mark(int top, bool check) {
    vector<u8> won(top + 1);
    for (int n = 1; n <= top; n++) won[n] = !won[n - 1] | (n > 1 && !won[n / 2]);
    return check ? sum(won) : won[top];
}

static u64 squares_pulled(int top, bool check) {
    vector<u8> won(top + 1);
    for (int n = 1; n <= top; n++)
        for (int k = 1; k * k <= n; k++)
            if (!won[n - k * k]) {
                won[n] = 1;
                break;
            }
    return check ? sum(won) : won[top];
}

static u64 squares_marked(int top, bool check) {
    vector<u8> won(top + 1);
    for (int n = 0; n <= top; n++)
        if (!won[n])
            for (int k = 1; k * k <= top - n; k++) won[n + k * k] = 1;
    return check ? sum(won) : won[top];
}

static u64 divisors_tried(int top, bool check) {
    vector<u8> grundy(top + 1);
    for (int n = 1; n <= top; n++) {
        u64 seen = 0;
        for (int d = 1; d * d <= n; d++)
            if (n % d == 0) {
                seen |= 1ull << grundy[n - d];
                if (d > 1) seen |= 1ull << grundy[n - n / d];
            }
        if (n == 1) seen = 0;
        grundy[n] = __builtin_ctzll(~seen);
    }
    return check ? sum(grundy) : grundy[top];
}

// All divisors of all numbers by a harmonic sum: each number marks those that it divides.
static u64 divisors_sieved(int top, bool check) {
    vector<u8> grundy(top + 1);
    vector<int> start(top + 2), of;
    for (int d = 1; d <= top; d++)
        for (int n = 2 * d; n <= top; n += d) start[n + 1]++;
    for (int n = 0; n <= top; n++) start[n + 1] += start[n];
    of.resize(start[top + 1]);
    vector<int> next(start);
    for (int d = 1; d <= top; d++)
        for (int n = 2 * d; n <= top; n += d) of[next[n]++] = d;
    for (int n = 2; n <= top; n++) {
        u64 seen = 0;
        for (int i = start[n]; i < start[n + 1]; i++) seen |= 1ull << grundy[n - of[i]];
        grundy[n] = __builtin_ctzll(~seen);
    }
    return check ? sum(grundy) : grundy[top];
}

static u64 wythoff(int top, bool check) {
    int size = top + 1;
    vector<u8> won(size * size);
    for (int a = 0; a <= top; a++)
        for (int b = 0; b <= top; b++) {
            u8 found = 0;
            for (int k = 1; !found && k <= a; k++) found = !won[(a - k) * size + b];
            for (int k = 1; !found && k <= b; k++) found = !won[a * size + b - k];
            for (int k = 1; !found && k <= min(a, b); k++) found = !won[(a - k) * size + b - k];
            won[a * size + b] = found;
        }
    return check ? sum(won) : won[size * size - 1];
}

// The number game on {2..top}: all sets in the order of their words, element x at bit x - 2.
static u64 numbers(int top, bool check) {
    int count = top - 1;
    u64 every = (1ull << count) - 1;
    vector<u8> won(1ull << count);
    for (u64 open = 1; open <= every; open++)
        for (u64 left = open; left; left &= left - 1) {
            int x = __builtin_ctzll(left) + 2;
            u64 struck = (every & ~open) << 2 | 1ull << x;
            for (int step = x; step <= top; step *= 2) struck |= struck << step;
            if (!won[open & ~(struck >> 2)]) {
                won[open] = 1;
                break;
            }
        }
    return check ? sum(won) : won[every];
}

int main(int argc, char **argv) {
    map<string, function<u64(int, bool)>> ways = {
        {"cow_document", cow_document}, {"cow_carried", cow_carried}, {"cow_window", cow_window},
        {"cow_blocks", cow_blocks}, {"mark", mark}, {"squares_pulled", squares_pulled},
        {"squares_marked", squares_marked}, {"divisors_tried", divisors_tried},
        {"divisors_sieved", divisors_sieved}, {"wythoff", wythoff},
        {"numbers", numbers},
    };
    auto way = ways.at(argv[1]);
    int top = atoi(argv[2]), runs = atoi(argv[3]);
    u64 kept = 0;
    for (int run = 0; run < runs; run++) {
        auto start = chrono::steady_clock::now();
        kept += way(top, false);
        auto stop = chrono::steady_clock::now();
        printf("%lld ", (long long)chrono::duration_cast<chrono::nanoseconds>(stop - start).count());
    }
    if (argc > 4) printf("%llu", (unsigned long long)way(top, true));
    puts("");
    return kept == 1234567;
}
