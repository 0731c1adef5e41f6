// Many one-number cases of a small table: what scanf and printf cost.
#include <cstdio>

bool won[1001];

int main() {
    for (int n = 1; n <= 1000; n++)
        for (int k = 1; k <= n; k *= 2) won[n] |= !won[n - k];
    int n;
    while (scanf("%d", &n) == 1) printf(won[n] ? "Kiki\n" : "Cici\n");
}
