// Grundy values of heaps: heaps CODE COUNT RUNS. CODE is that of an octal game, or "unequal" for Grundy's game.
// Prints for each of two ways the nanoseconds of every run and a checksum: by the definition (only up to 30,000 heaps),
// and with rare and common values, the mask chosen anew whenever the table has doubled.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static std::vector<int> single, split, none;  // numbers that may be taken
static bool unequal = false;
static int count_;

static std::vector<uint16_t> plain() {
    std::vector<uint16_t> g(count_);
    std::vector<uint32_t> seen(1 << 16);
    for (int n = 0; n < count_; n++) {
        uint32_t stamp = n + 1;
        for (int k : none) if (k == n) seen[0] = stamp;
        for (int k : single) if (n - k >= 1) seen[g[n - k]] = stamp;
        for (int k : split)
            for (int a = 1, m = n - k; 2 * a + unequal <= m; a++) seen[g[a] ^ g[m - a]] = stamp;
        int v = 0;
        while (seen[v] == stamp) v++;
        g[n] = v;
    }
    return g;
}

static uint32_t best_mask(const std::vector<uint16_t>& g, int n) {
    std::vector<long> h(1 << 16);
    int top = 1;
    for (int i = 0; i < n; i++) { h[g[i]]++; while (top <= g[i]) top *= 2; }
    for (int half = 1; half < top; half *= 2)
        for (int s = 0; s < top; s += 2 * half)
            for (int i = s; i < s + half; i++) { long a = h[i], b = h[i + half]; h[i] = a + b; h[i + half] = a - b; }
    int mask = 1;
    for (int m = 2; m < top; m++) if (h[m] < h[mask]) mask = m;
    return mask;
}

static std::vector<uint16_t> sparse() {
    std::vector<uint16_t> g(count_);
    std::vector<uint32_t> seen(1 << 16), at;
    std::vector<uint16_t> value;
    uint32_t mask = 0;
    for (int n = 0, next = 64; n < count_; n++) {
        if (n == next) {
            mask = best_mask(g, n);
            at.clear(), value.clear();
            for (int i = 0; i < n; i++)
                if (!__builtin_parity(g[i] & mask)) at.push_back(i), value.push_back(g[i]);
            next *= 2;
        }
        uint32_t stamp = n + 1;
        for (int k : none) if (k == n) seen[0] = stamp;
        for (int k : single) if (n - k >= 1) seen[g[n - k]] = stamp;
        if (!mask)
            for (int k : split)
                for (int a = 1, m = n - k; 2 * a + unequal <= m; a++) seen[g[a] ^ g[m - a]] = stamp;
        else
            for (int k : split) {
                int m = n - k;
                for (size_t i = 0; i < at.size() && (int)at[i] < m; i++)
                    if (at[i] && !(unequal && 2 * (int)at[i] == m)) seen[g[m - at[i]] ^ value[i]] = stamp;
            }
        int v = 0, missing = 0;
        for (;; v++)
            if (seen[v] != stamp) {
                if (!mask || __builtin_parity(v & mask)) break;
                missing++;
            }
        bool rare = false;
        if (missing) {
            for (int k : split)
                for (int a = 1, m = n - k; missing && 2 * a + unequal <= m; a++) {
                    int x = g[a] ^ g[m - a];
                    if (x < v && seen[x] != stamp) seen[x] = stamp, missing--;
                }
            if (missing) { rare = true; v = 0; while (seen[v] == stamp) v++; }
        }
        g[n] = v;
        if (rare) at.push_back(n), value.push_back(v);
    }
    return g;
}

int main(int argc, char** argv) {
    if (argc < 4) return 1;
    std::string code = argv[1];
    count_ = atoi(argv[2]);
    int runs = atoi(argv[3]);
    if (code == "unequal") unequal = true, split.push_back(0);
    else
        for (size_t i = 0, k = 0; i < code.size(); i++) {
            if (code[i] == '.') continue;
            int d = code[i] - '0';
            if (d & 1) none.push_back(k);
            if (d & 2) single.push_back(k);
            if (d & 4) split.push_back(k);
            k++;
        }
    for (auto way : {plain, sparse}) {
        if (way == plain && count_ > 30000) continue;
        for (int run = 0; run < runs; run++) {
            auto start = std::chrono::steady_clock::now();
            auto g = way();
            long spent = (std::chrono::steady_clock::now() - start).count();
            unsigned long sum = 0;
            for (int n = 0; n < count_; n++) sum = sum * 31 + g[n];
            printf("%s %ld %lu\n", way == plain ? "plain" : "sparse", spent, sum);
        }
    }
}
