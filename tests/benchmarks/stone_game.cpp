// The stone game by its theorem, in exact arithmetic.
#include <cmath>
#include <cstdio>

int value(long long size, long long stones) {
    for (;;) {
        long long barrier = sqrtl((long double)size);
        while (barrier > 0 && barrier * (barrier + 1) >= size) barrier--;
        if (stones > barrier) return size - stones;
        if (stones == barrier || size == 0) return 0;
        size = barrier;
    }
}

int main() {
    int n;
    for (int number = 1; scanf("%d", &n) == 1 && n; number++) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            long long size, stones;
            if (scanf("%lld%lld", &size, &stones) != 2) return 1;
            sum ^= value(size, stones);
        }
        printf("Case %d:\n%s\n", number, sum ? "Yes" : "No");
    }
}
