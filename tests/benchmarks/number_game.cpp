// The winning moves of the number game's opening {2..top}: recursion that tries numbers ascending, over a hash table.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
using namespace std;
typedef uint64_t Set;

int top;
Set all;
vector<Set> keys;  // an open position plus 1, or 0 for a free slot; the highest bit says that it is won
size_t used = 0;
const Set WON = Set(1) << 63;

size_t slot_of(const vector<Set> &table, Set open) {
    size_t mask = table.size() - 1, slot = (open * 0x9E3779B97F4A7C15ull >> 20) & mask;
    while (table[slot] && (table[slot] & ~WON) != open + 1) slot = (slot + 1) & mask;
    return slot;
}

void grow() {
    vector<Set> bigger(2 * keys.size());
    for (Set key : keys)
        if (key) bigger[slot_of(bigger, (key & ~WON) - 1)] = key;
    keys.swap(bigger);
}

Set strike(Set open, int x) {
    Set struck = (all & ~open) | Set(1) << x;
    for (int step = x; step <= top; step *= 2) struck |= struck << step;  // x, 2x, 4x, …: every multiple
    return open & ~struck;
}

bool wins(Set open) {
    size_t slot = slot_of(keys, open);
    if (keys[slot]) return keys[slot] & WON;
    bool won = false;
    for (Set left = open; left && !won; left &= left - 1) won = !wins(strike(open, __builtin_ctzll(left)));
    if (2 * ++used > keys.size()) grow();
    keys[slot_of(keys, open)] = (open + 1) | (won ? WON : 0);
    return won;
}

int main(int argc, char **argv) {
    top = atoi(argv[1]);
    all = (Set(1) << (top + 1)) - 4;
    keys.resize(1 << 16);
    for (int x = 2; x <= top; x++)
        if (!wins(strike(all, x))) printf("%d ", x);
    puts("");
}
