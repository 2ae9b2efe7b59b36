// Counting of values of one byte: compiled once for each instruction set, plain loops only.
// Rows of one class are copied to lines of bytes, whatever the strides; where the lines hold few
// different values, each is looked for in all columns of a line at once, else cells are counted up.
#include "summaries/byte_counts.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

typedef Matrix<std::uint8_t> Values;
typedef std::uint8_t Bytes __attribute__((vector_size(BYTE_LANES)));

// Values that are found faster by looking for each than by counting up cells.
constexpr std::uint32_t FEW_VALUES = 48;
// Lines from which on it is worth to have a table of their own and to add it up.
constexpr std::size_t MANY_LINES = 64;
// Rows that memory is asked for ahead, and the bytes that it gives at once.
constexpr std::size_t AHEAD = 8, MEMORY_LINE = 64;

inline Bytes loaded(const std::uint8_t* source) {
    Bytes bytes;
    __builtin_memcpy(&bytes, source, sizeof bytes);
    return bytes;
}

// Columns `first` and on, of which the first `skip` belong to the tile before; and the least and
// the largest value that its table counts.
struct Tile {
    std::size_t first, skip;
    ByteLine* lines;
    ByteCells* table;
    std::uint32_t low, high;
};

// Tiles of some columns. Where X has fewer columns than a line has bytes, a line holds several
// rows: cells of one column then are several, and no increment waits for the one before it.
struct Panel {
    Tile tiles[BYTE_TILES];
    std::size_t number, columns, rows_a_line, used;  // bytes of a line that are used

    Panel(const Values& X, std::size_t begin, ByteScratch& scratch)
        : number(0),
          columns(X.columns < BYTE_LANES ? X.columns : BYTE_LANES),
          rows_a_line(BYTE_LANES / columns),
          used(columns * rows_a_line) {
        for (; number < BYTE_TILES && begin < X.columns; ++number, begin += BYTE_LANES) {
            const std::size_t last = X.columns - columns, first = begin < last ? begin : last;
            tiles[number] = {
                first, begin - first, scratch.lines[number], scratch.tables[number], BYTE_VALUES,
                0};
        }
    }
    std::size_t begin() const { return tiles[0].first + tiles[0].skip; }
    std::size_t end() const { return tiles[number - 1].first + columns; }
};

// The rows of one class, in the order of memory, as distances from `X.data` in rows.
struct Rows {
    const std::uint32_t* order;
    std::size_t number;
};

inline const std::uint8_t* row_of(const Values& X, const Rows& rows, std::size_t r) {
    return X.data +
           std::ptrdiff_t(rows.order[r < rows.number ? r : rows.number - 1]) * X.row_stride;
}

// Rows whose bytes lie side by side.
void copy_rows(const Values& X, const Rows& rows, std::size_t from, std::size_t lines,
               const Panel& panel) {
    const std::size_t begin = panel.tiles[0].first, end = panel.end();
    for (std::size_t i = 0; i < lines; ++i) {
        const std::uint8_t* ahead = row_of(X, rows, from + i + AHEAD);
        for (std::size_t at = begin; at < end; at += MEMORY_LINE) __builtin_prefetch(ahead + at);
        const std::uint8_t* row = row_of(X, rows, from + i);
        for (std::size_t t = 0; t < panel.number; ++t)
            __builtin_memcpy(panel.tiles[t].lines[i], row + panel.tiles[t].first, BYTE_LANES);
    }
}

// Any strides, a column after the other.
void copy_columns(const Values& X, const Rows& rows, std::size_t from, std::size_t lines,
                  const Panel& panel, const Tile& tile) {
    for (std::size_t l = 0; l < panel.used; ++l) {
        const std::size_t j = tile.first + l % panel.columns;
        const std::uint8_t* column = X.data + std::ptrdiff_t(j) * X.column_stride;
        const std::uint32_t* order = rows.order + from + l / panel.columns;
        for (std::size_t i = 0; i < lines; ++i)
            tile.lines[i][l] = column[std::ptrdiff_t(order[i * panel.rows_a_line]) * X.row_stride];
    }
}

void copy(const Values& X, const Rows& rows, std::size_t from, std::size_t lines,
          const Panel& panel) {
    if (X.column_stride == 1 && panel.columns == BYTE_LANES) {
        copy_rows(X, rows, from, lines, panel);
        return;
    }
    for (std::size_t t = 0; t < panel.number; ++t)
        copy_columns(X, rows, from, lines, panel, panel.tiles[t]);
}

struct Span {
    std::uint32_t low, high;
};

Span span_of(const ByteLine* lines, std::size_t number, std::size_t used) {
    Bytes low = loaded(lines[0]), high = low;
    for (std::size_t i = 1; i < number; ++i) {
        const Bytes values = loaded(lines[i]);
        low = values < low ? values : low;
        high = values > high ? values : high;
    }
    Span span = {low[0], high[0]};
    for (std::size_t l = 1; l < used; ++l) {
        span.low = low[l] < span.low ? low[l] : span.low;
        span.high = high[l] > span.high ? high[l] : span.high;
    }
    return span;
}

// Looks for BYTE_SOUGHT values. Those past the last are the first ones again, which are not there.
void count_sought(const ByteLine* lines, std::size_t number, std::uint32_t first,
                  ByteCells* table) {
    Bytes sought[BYTE_SOUGHT], found[BYTE_SOUGHT];
    for (std::size_t k = 0; k < BYTE_SOUGHT; ++k) {
        sought[k] = Bytes{} + std::uint8_t(first + k);
        found[k] = Bytes{};
    }
    for (std::size_t i = 0; i < number; ++i) {
        const Bytes values = loaded(lines[i]);
        for (std::size_t k = 0; k < BYTE_SOUGHT; ++k) found[k] -= Bytes(values == sought[k]);
    }
    for (std::size_t k = 0; k < BYTE_SOUGHT; ++k)
        for (std::size_t l = 0; l < BYTE_LANES; ++l)
            table[first + k][l] = std::uint16_t(table[first + k][l] + found[k][l]);
}

// Eight bytes are read at once, as reads of single ones would wait for the writes.
void count_up(const ByteLine* lines, std::size_t number, ByteCells* table) {
    for (std::size_t i = 0; i < number; ++i)
        for (std::size_t l = 0; l < BYTE_LANES; l += sizeof(std::uint64_t)) {
            std::uint64_t word;
            __builtin_memcpy(&word, lines[i] + l, sizeof word);
            for (std::size_t b = 0; b < sizeof word; ++b, word >>= 8) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
                ++table[word & 255][l + b];
#else
                ++table[word & 255][l + sizeof word - 1 - b];
#endif
            }
        }
}

void count_lines(Tile& tile, std::size_t number, std::size_t used) {
    const Span span = span_of(tile.lines, number, used);
    tile.low = span.low < tile.low ? span.low : tile.low;
    tile.high = span.high > tile.high ? span.high : tile.high;
    if (span.high - span.low >= FEW_VALUES) {
        count_up(tile.lines, number, tile.table);
        return;
    }
    for (std::uint32_t first = span.low; first <= span.high; first += BYTE_SOUGHT)
        count_sought(tile.lines, number, first, tile.table);
}

// Counts of one class; those of the next column are `stride` further.
template <class Count>
struct ClassCounts {
    Count* counts;
    std::size_t stride;
};

// Adds up what a tile has counted, and leaves zeros.
template <class Count>
void add_tile(const Tile& tile, const Panel& panel, const ClassCounts<Count>& out) {
    for (std::size_t k = 0; k < panel.rows_a_line; ++k)
        for (std::size_t j = tile.skip; j < panel.columns; ++j) {
            Count* counts = out.counts + (tile.first + j) * out.stride;
            const std::size_t l = k * panel.columns + j;
            for (std::uint32_t v = tile.low; v <= tile.high; ++v) counts[v] += tile.table[v][l];
        }
    for (std::uint32_t v = tile.low; v <= tile.high; ++v)
        for (std::size_t l = 0; l < BYTE_LANES; ++l) tile.table[v][l] = 0;
}

// Rows that are too few for a table.
template <class Count>
void add_rows(const Values& X, const Rows& rows, std::size_t from, const Panel& panel,
              const ClassCounts<Count>& out) {
    for (std::size_t r = from; r < rows.number; ++r) {
        const std::uint8_t* row = row_of(X, rows, r);
        for (std::size_t j = panel.begin(); j < panel.end(); ++j)
            ++out.counts[j * out.stride + row[std::ptrdiff_t(j) * X.column_stride]];
    }
}

template <class Count>
void count_class(const Values& X, const Rows& rows, Panel panel, const ClassCounts<Count>& out) {
    const std::size_t lines = rows.number / panel.rows_a_line;
    std::size_t done = 0;
    if (lines >= MANY_LINES) {
        for (std::size_t line = 0; line < lines; line += BYTE_LINES) {
            const std::size_t some = lines - line < BYTE_LINES ? lines - line : BYTE_LINES;
            copy(X, rows, line * panel.rows_a_line, some, panel);
            for (std::size_t t = 0; t < panel.number; ++t)
                count_lines(panel.tiles[t], some, panel.used);
        }
        for (std::size_t t = 0; t < panel.number; ++t) add_tile(panel.tiles[t], panel, out);
        done = lines * panel.rows_a_line;
    }
    add_rows(X, rows, done, panel, out);
}

// Puts rows in the order of their classes; those of class c begin at starts[c].
void group(const std::int32_t* codes, std::size_t rows, std::size_t classes, std::size_t* starts,
           std::uint32_t* order) {
    for (std::size_t c = 0; c <= classes; ++c) starts[c] = 0;
    for (std::size_t r = 0; r < rows; ++r)
        if (codes[r] >= 0) ++starts[codes[r]];
    for (std::size_t c = 0, sum = 0; c <= classes; ++c) {
        sum += starts[c];
        starts[c] = sum;
    }
    for (std::size_t r = rows; r-- > 0;)
        if (codes[r] >= 0) order[--starts[codes[r]]] = std::uint32_t(r);
}

}  // namespace

template <class Count>
void byte_counts(const Matrix<std::uint8_t>& X, const std::int32_t* codes, std::size_t classes,
                 std::size_t* starts, ByteScratch& scratch, Count* counts) {
    for (std::size_t begin = 0; begin < X.rows; begin += BYTE_ROWS) {
        Values part = X;
        part.data += std::ptrdiff_t(begin) * X.row_stride;
        part.rows = X.rows - begin < BYTE_ROWS ? X.rows - begin : BYTE_ROWS;
        group(codes + begin, part.rows, classes, starts, scratch.order);
        for (std::size_t first = 0; first < X.columns; first += BYTE_TILES * BYTE_LANES)
            for (std::size_t c = 0; c < classes; ++c) {
                const std::size_t rows = starts[c + 1] - starts[c];
                look_for_signals(rows * BYTE_TILES);
                count_class(part, Rows{scratch.order + starts[c], rows},
                            Panel(part, first, scratch),
                            ClassCounts<Count>{counts + c * BYTE_VALUES, classes * BYTE_VALUES});
            }
    }
}

#define FEATRANK_INSTANTIATE(Count)                                                          \
    template void byte_counts(const Matrix<std::uint8_t>&, const std::int32_t*, std::size_t, \
                              std::size_t*, ByteScratch&, Count*);
FEATRANK_INSTANTIATE(std::int32_t)
FEATRANK_INSTANTIATE(std::int64_t)

}  // namespace FEATRANK_ISA
}  // namespace featrank
