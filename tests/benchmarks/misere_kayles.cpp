// Misère Kayles by memo over sorted multisets of rows, as one writes it: reads cases `k n1 … nk` until the end of file.
#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>

static std::unordered_map<std::string, bool> memo;

static bool wins(const std::string& rows) {
    if (rows.empty()) return true;
    auto found = memo.find(rows);
    if (found != memo.end()) return found->second;
    bool won = false;
    for (size_t i = 0; i < rows.size() && !won; i++) {
        if (i && rows[i] == rows[i - 1]) continue;
        for (int taken = 1; taken <= 2 && !won; taken++) {
            for (int a = 0, b = rows[i] - taken; a <= b && !won; a++, b--) {
                std::string left = rows;
                left.erase(i, 1);
                if (a) left += char(a);
                if (b) left += char(b);
                std::sort(left.begin(), left.end());
                won = !wins(left);
            }
        }
    }
    return memo[rows] = won;
}

int main() {
    int count, row;
    while (std::scanf("%d", &count) == 1) {
        std::string rows;
        while (count--) {
            if (std::scanf("%d", &row) != 1) return 1;
            if (row) rows += char(row);
        }
        std::sort(rows.begin(), rows.end());
        std::puts(wins(rows) ? "won" : "lost");
    }
}
