"""Fast simulation of data in typical large shapes, in bounded memory."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

# Genotypes: the variants of a block share founders, so that they are correlated (LD).
BLOCK = 128
FOUNDERS = 8
# Number of blocks that are simulated and written together.
TOGETHER = 64
# Number of masks for missing calls and for mutations. Each variant uses one mask of each kind.
POOL = 2048
MISSING, CHANGED = 0.03, 0.01  # largest fractions, each row of the pool has a random one
CAUSAL_BLOCKS = 20

# The bits of a byte, moved to every other bit of 16.
SPREAD = np.array([sum((b >> k & 1) << 2 * k for k in range(8)) for b in range(256)], "<u2")


def write_bed(path, n_samples, n_variants, seed=0, workers=2):
    """Write genotypes in PLINK 1 format, .bed with .bim and .fam, and return the path.

    Allele frequencies are beta-distributed. Each block of 128 variants has eight founders, and each
    chromosome of a sample comes from one founder. 1.5 % of the calls are missing. In a few evenly
    spaced causal blocks, cases and controls have different founder probabilities.
    """
    path = Path(path)
    rng = np.random.default_rng(seed)
    cases = rng.random(n_samples) < 0.5
    cases[:2] = True, False  # both classes exist for any number of samples
    _write_fam(path.with_suffix(".fam"), cases, rng)
    _write_bim(path.with_suffix(".bim"), n_variants, rng)
    maker = _BlockMaker(cases, n_variants, seed)
    batches = range(0, maker.n_blocks, TOGETHER)
    with open(path, "wb") as file, ThreadPoolExecutor(workers) as pool:
        file.write(b"\x6c\x1b\x01")
        for start in range(0, len(batches), 2 * workers):  # keeps few batches in memory
            for made in pool.map(maker.batch, batches[start : start + 2 * workers]):
                file.write(made)
    return path


class _BlockMaker:
    """Simulates blocks of variants, each from its own seed, so that threads do not matter."""

    def __init__(self, cases, n_variants, seed):
        self.cases, self.n_variants, self.seed = cases, n_variants, seed
        self.n_blocks = -(-n_variants // BLOCK)
        self.causal = set(np.linspace(0, self.n_blocks - 1, CAUSAL_BLOCKS + 2)[1:-1].astype(int))
        self.n_bytes = -(-len(cases) // 4)
        rng = np.random.default_rng([seed, 1])
        self.missing = _masks(rng, len(cases), MISSING)
        self.changed = _masks(rng, len(cases), CHANGED)

    def batch(self, first):
        """Return the bytes of some blocks."""
        blocks = range(first, min(first + TOGETHER, self.n_blocks))
        packed = np.concatenate([self._block(block) for block in blocks])
        return packed[: self.n_variants - first * BLOCK].tobytes()

    def _block(self, block):
        rng = np.random.default_rng([self.seed, 2, block])
        shares = rng.dirichlet(np.full(FOUNDERS, 0.7))
        first, second = _subsets(self._founders(rng, shares, block in self.causal))
        carriers = _carriers(rng, shares)
        # One bit per sample, set if its chromosome has the second allele.
        one = first[carriers] ^ self._some(rng, self.changed)
        other = second[carriers] ^ self._some(rng, self.changed)
        absent = self._some(rng, self.missing)
        low, high = one & other | absent, (one | other) & ~absent
        return self._interleaved(low, high)

    def _founders(self, rng, shares, causal):
        """Return the founders of each sample's two chromosomes, of shape (2, samples)."""
        drawn = rng.random((2, len(self.cases)), dtype=np.float32)
        taken = np.searchsorted(np.cumsum(shares)[:-1].astype(np.float32), drawn)
        if causal:  # half of the chromosomes of cases come from founder 0
            moved = (rng.random(taken.shape) < 0.5) & self.cases
            taken[moved] = 0
        return taken

    def _some(self, rng, pool):
        return pool[rng.integers(0, POOL, BLOCK)]

    def _interleaved(self, low, high):
        spread = SPREAD[low.view(np.uint8)] | SPREAD[high.view(np.uint8)] << 1
        packed = spread.view(np.uint8)[:, : self.n_bytes]
        if len(self.cases) % 4:
            packed[:, -1] &= (1 << 2 * (len(self.cases) % 4)) - 1
        return packed


def _packed(bits):
    """Return one bit per sample in 64-bit words, the first sample in the lowest bit."""
    width = -(-bits.shape[-1] // 64) * 8
    packed = np.packbits(bits, axis=-1, bitorder="little")
    filler = [(0, 0)] * (bits.ndim - 1) + [(0, width - packed.shape[-1])]
    return np.ascontiguousarray(np.pad(packed, filler)).view("<u8")


def _masks(rng, n_samples, most):
    return _packed(rng.random((POOL, n_samples), np.float32) < rng.random((POOL, 1)) * most)


def _subsets(founders):
    """Return, for both chromosomes, the bits of samples from any of a set of founders.

    A set is a number with one bit per founder.
    """
    single = _packed(founders[:, np.newaxis] == np.arange(FOUNDERS)[:, np.newaxis])
    table = np.zeros((2, 2**FOUNDERS, single.shape[-1]), "<u8")
    for founder in range(FOUNDERS):
        known = 2**founder
        table[:, known : 2 * known] = table[:, :known] | single[:, founder, np.newaxis]
    return table


def _carriers(rng, shares):
    """Return, for each variant, the set of founders with the second, more frequent allele."""
    wanted = np.clip(rng.beta(0.5, 1.5, BLOCK), 0.005, 0.5)
    order = rng.permuted(np.tile(np.arange(FOUNDERS), (BLOCK, 1)), axis=1)
    before = np.cumsum(shares[order], axis=1) - shares[order] / 2
    rare = (1 << order) * (before < wanted[:, np.newaxis])
    sets = rare.sum(axis=1)
    sets[sets == 0] = 1 << int(np.argmin(shares))
    return 2**FOUNDERS - 1 - sets


def _write_fam(path, cases, rng):
    sexes = rng.integers(1, 3, len(cases)).tolist()
    rows = zip(sexes, (cases + 1).tolist(), strict=True)
    path.write_text("".join(f"f{t} i{t} 0 0 {sex} {case}\n" for t, (sex, case) in enumerate(rows)))


def _write_bim(path, n_variants, rng, size=1_000_000):
    import polars as pl

    alleles = np.array(["A\tG", "C\tT", "G\tA", "T\tC"])
    each = -(-n_variants // 22)
    with open(path, "wb") as file:
        for start in range(0, n_variants, size):
            places = pl.int_range(start, min(start + size, n_variants), eager=True)
            frame = pl.DataFrame(
                {
                    "chromosome": places // each + 1,
                    "id": pl.select(pl.lit("rs") + places.cast(pl.String)).to_series(),
                    "centimorgans": 0,
                    "position": 10_000 + places % each * 280,
                    "alleles": alleles[rng.integers(0, 4, len(places))],
                }
            )
            frame.write_csv(file, include_header=False, separator="\t", quote_style="never")


def write_ecbdl(path, rows, columns=631, seed=0, workers=2, size=1 << 23):
    """Write one-byte codes (ECBDL14's shape) and labels as .npy files, and return both paths.

    Columns have 2 to 32 values, skewed in every other column. 2 % of the rows are positive, and
    their values are larger in one column of twenty.
    """
    path = Path(path)
    rng = np.random.default_rng(seed)
    labels = (rng.random(rows) < 0.02).astype(np.uint8)
    labels[:2] = 0, 1
    levels = rng.integers(2, 33, columns, dtype=np.uint16)
    X = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=(rows, columns))
    step = max(1, size // columns)

    def write(start):
        own = labels[start : start + step]
        X[start : start + step] = _codes(np.random.default_rng([seed, start]), own, levels)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(write, range(0, rows, step)))
    X.flush()
    beside = path.with_name(f"{path.stem}_labels.npy")
    np.save(beside, labels)
    return path, beside


def _codes(rng, labels, levels):
    """Return random bytes, squared in every other column, as integers below the levels."""
    shape = len(labels), len(levels)
    words = rng.integers(0, 2**64, -(-shape[0] * shape[1] // 8), dtype=np.uint64)
    values = words.view(np.uint8)[: shape[0] * shape[1]].reshape(shape).astype(np.uint16)
    cases = np.flatnonzero(labels)
    telling = np.arange(7, len(levels), 20)
    again = rng.integers(0, 256, (len(cases), len(telling)), dtype=np.uint16)
    places = np.ix_(cases, telling)
    values[places] = np.maximum(values[places], again)
    skewed = values[:, ::2]
    skewed *= skewed
    skewed >>= 8
    values *= levels
    values >>= 8
    return values


def write_zarr(path, rows, columns, seed=0, chunk=4096):
    """Write a group of X (float32, chunked by rows, uncompressed) and y, and return the path.

    Each column has its own mean and standard deviation. Every hundredth column separates the three
    classes.
    """
    import zarr

    rng = np.random.default_rng(seed)
    mean, spread = rng.normal(0, 5, columns), rng.lognormal(0, 1, columns)
    gap = np.where(np.arange(columns) % 100 == 3, spread / 2, 0)
    labels = rng.integers(0, 3, rows)
    group = zarr.open_group(str(path), mode="w")
    shape = (rows, columns)
    chunks = (min(chunk, rows), columns)
    X = group.create_array("X", shape=shape, chunks=chunks, dtype="f4", compressors=None)
    for start in range(0, rows, chunk):
        own = labels[start : start + chunk, np.newaxis]
        values = rng.standard_normal((len(own), columns), dtype=np.float32)
        X[start : start + chunk] = values * spread.astype("f4") + (mean + own * gap).astype("f4")
    group.create_array("y", data=labels)
    return Path(path)


def power_law_csr(rows, columns, entries, seed=0, size=1 << 24):
    """Return a sparse matrix whose column frequencies follow a power law (kddb's shape).

    A row of k entries has one entry in each of k ranges of columns, which widen with the fourth
    power. A column's frequency therefore falls with its place to the power of -3/4. Indices ascend
    and are distinct.
    """
    from scipy.sparse import csr_array

    rng = np.random.default_rng(seed)
    lengths = _lengths(rng, rows, columns, entries)
    indptr = np.zeros(rows + 1, np.int32 if entries < 2**31 else np.int64)
    np.cumsum(lengths, out=indptr[1:])
    indices, data = np.empty(entries, np.int32), np.empty(entries, np.float32)
    starts, first = _ranges(int(lengths.max()), columns)
    step = max(1, size * rows // max(1, entries))
    for row in range(0, rows, step):
        own = lengths[row : row + step]
        begin, end = int(indptr[row]), int(indptr[row] + own.sum())
        place = np.repeat(first[own] - (indptr[row : row + len(own)] - begin), own)
        place += np.arange(end - begin)
        low = starts[place]
        width = starts[place + 1] - low
        indices[begin:end] = low + (rng.random(end - begin, np.float32) * width).astype(np.int32)
        data[begin:end] = rng.integers(1, 9, end - begin, dtype=np.int8)
    data /= 8
    return csr_array((data, indices, indptr), shape=(rows, columns))


def _lengths(rng, rows, columns, entries):
    """Return the number of entries of each row, at least 1, with the requested total."""
    mean = entries / rows
    if not 1 <= mean <= columns:
        raise ValueError(f"{entries} entries do not fit into {rows} × {columns}.")
    spread = int(min(mean - 1, columns - mean, mean / 2))
    lengths = np.floor(mean + rng.random(rows)).astype(np.int64)
    lengths += rng.integers(-spread, spread + 1, rows)
    np.clip(lengths, 1, columns, out=lengths)
    while missing := entries - int(lengths.sum()):
        free = np.flatnonzero(lengths < columns if missing > 0 else lengths > 1)
        lengths[rng.permutation(free)[: abs(missing)]] += np.sign(missing)
    return lengths


def _ranges(longest, columns):
    """Return the range borders for rows of 1, 2, … entries, and where those of each begin."""
    borders = [
        np.arange(k + 1) + np.floor((columns - k) * np.linspace(0, 1, k + 1) ** 4)
        for k in range(longest + 1)
    ]
    first = np.cumsum([0, *(len(one) for one in borders[:-1])])
    return np.concatenate(borders).astype(np.int32), first
