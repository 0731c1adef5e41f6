// The stone game by its rules: the Grundy values of all fillings of a box, the fullest first, for each box.
#include <algorithm>
#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    for (int number = 1; scanf("%d", &n) == 1 && n; number++) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int size, stones;
            if (scanf("%d%d", &size, &stones) != 2) return 1;
            vector<int> grundy(size + 1), seen(size + 2, -1);
            for (int c = size; c >= stones; c--) {
                for (long long to = c + 1; to <= min<long long>(size, c + 1ll * c * c); to++) seen[grundy[to]] = c;
                while (seen[grundy[c]] == c) grundy[c]++;
            }
            sum ^= grundy[stones];
        }
        printf("Case %d:\n%s\n", number, sum ? "Yes" : "No");
    }
}
