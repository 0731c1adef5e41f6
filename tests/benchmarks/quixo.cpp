// Quixo on 3 by 3: all boards and both players to move, backwards from the ends of play, with distances.
// Prints positions, won, drawn and lost for the player to move, and the value of the start (3 * distance + outcome).
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int N = 3, CELLS = N * N, BOARDS = 19683;
using Board = std::array<int, CELLS>;  // 0 blank, 1 and 2 the players

static Board decode(int code) {
    Board board;
    for (int& cell : board) {
        cell = code % 3;
        code /= 3;
    }
    return board;
}

static int encode(const Board& board) {
    int code = 0;
    for (int i = CELLS; i--;) code = 3 * code + board[i];
    return code;
}

static bool line(const Board& board, int player) {
    bool down = true, up = true;
    for (int i = 0; i < N; i++) {
        bool row = true, column = true;
        for (int j = 0; j < N; j++) {
            row &= board[i * N + j] == player;
            column &= board[j * N + i] == player;
        }
        if (row || column) return true;
        down &= board[i * N + i] == player;
        up &= board[i * N + N - 1 - i] == player;
    }
    return down || up;
}

static Board push(Board board, int from, int to, int step, int player) {
    for (int at = from; at != to; at += step) board[at] = board[at + step];
    board[to] = player;
    return board;
}

int main() {
    const int size = 2 * BOARDS;  // 2 * board + player to move
    std::vector<std::vector<int>> sources(size);
    std::vector<int> degree(size), value(size, -1), queue;
    for (int code = 0; code < BOARDS; code++) {
        Board board = decode(code);
        for (int turn = 0; turn < 2; turn++) {
            int at = 2 * code + turn, own = turn + 1, other = 2 - turn;
            if (line(board, own) || line(board, other)) {
                value[at] = line(board, own) ? 1 : 0;
                queue.push_back(at);
                continue;
            }
            for (int r = 0; r < N; r++)
                for (int c = 0; c < N; c++) {
                    int from = r * N + c;
                    if (board[from] == other || (r > 0 && r < N - 1 && c > 0 && c < N - 1)) continue;
                    std::pair<int, int> targets[] = {{r * N, -1}, {r * N + N - 1, 1}, {c, -N}, {(N - 1) * N + c, N}};
                    for (auto [to, step] : targets)
                        if (to != from) {
                            sources[2 * encode(push(board, from, to, step, own)) + 1 - turn].push_back(at);
                            degree[at]++;
                        }
                }
        }
    }
    for (size_t head = 0; head < queue.size(); head++) {
        int after = value[queue[head]], distance = after / 3 + 1;
        for (int source : sources[queue[head]]) {
            if (value[source] >= 0) continue;
            if (after % 3 == 0)
                value[source] = 3 * distance + 1;
            else if (--degree[source] == 0)
                value[source] = 3 * distance;
            else
                continue;
            queue.push_back(source);
        }
    }
    int counts[3] = {0, 0, 0};
    for (int& one : value) {
        if (one < 0) one = 2;
        counts[one % 3]++;
    }
    printf("%d %d %d %d %d\n", size, counts[1], counts[2], counts[0], value[0]);
}
