// The cow digit game as its document solves it, with the headers that the document includes: two digit functions for
// each number, then answers from the table.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
using namespace std;

const int N = 1000000;
bool won[N + 1];

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

int main() {
    for (int n = 1; n <= N; n++) won[n] = !(won[n - smallest(n)] && won[n - largest(n)]);
    int cases, n;
    if (scanf("%d", &cases) != 1) return 1;
    while (cases-- && scanf("%d", &n) == 1) puts(won[n] ? "YES" : "NO");
}
