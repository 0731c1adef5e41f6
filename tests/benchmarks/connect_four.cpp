// Connect-4 on a small board: every position that play reaches, with the distance to its end, by recursion and a map.
// Prints positions, won, drawn and lost for the player to move, and the value of the start (3 * distance + outcome).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

using Board = uint64_t;

static int wide, high;
static std::unordered_map<Board, uint8_t> table;
static uint64_t counts[3];  // lost, won, drawn

static bool four(Board b) {  // columns are high + 1 bits apart
    for (int step : {1, high, high + 1, high + 2}) {
        Board pairs = b & b >> step;
        if (pairs & pairs >> 2 * step) return true;
    }
    return false;
}

// The stones of the player to move and of the other.
static int value(Board own, Board other) {
    Board full = own | other, tops = 0;
    for (int c = 0; c < wide; c++) tops |= Board(1) << (c * (high + 1));
    Board key = own + full + tops;  // a stone above each column marks its height
    auto found = table.find(key);
    if (found != table.end()) return found->second;
    int best = -1, longest = 0;
    bool drawn = false;
    if (four(other)) {
        best = 0;
    } else {
        bool moved = false;
        for (int c = 0; c < wide; c++) {
            Board column = ((Board(1) << high) - 1) << (c * (high + 1));
            Board free = (full + (Board(1) << (c * (high + 1)))) & column;
            if (!free) continue;
            moved = true;
            int after = value(other, own | free), distance = after / 3 + 1;
            if (after % 3 == 0) {
                if (best < 0 || distance < best / 3) best = 3 * distance + 1;
            } else if (after % 3 == 1) {
                if (distance > longest) longest = distance;
            } else {
                drawn = true;
            }
        }
        if (!moved) drawn = true;
    }
    if (best < 0) best = drawn ? 2 : 3 * longest;
    counts[best % 3]++;
    table[key] = best;
    return best;
}

int main(int argc, char** argv) {
    if (argc != 3) return 64;
    wide = atoi(argv[1]);
    high = atoi(argv[2]);
    int start = value(0, 0);
    printf("%zu %llu %llu %llu %d\n", table.size(), (unsigned long long)counts[1], (unsigned long long)counts[2],
           (unsigned long long)counts[0], start);
}
