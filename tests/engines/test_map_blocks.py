"""Blocks shared by threads: every one once, in order, and errors as on one thread."""

import threading

import pytest

from featrank._utils import threads


@pytest.mark.parametrize("n_jobs", [1, 2, 3, 8])
def test_results_come_in_order(n_jobs):
    found = threads.map_blocks(lambda block: (block.start, block.stop), 10, 3, n_jobs)
    assert found == [(0, 3), (3, 6), (6, 9), (9, 10)]


def test_threads_work_at_the_same_time():
    both = threading.Barrier(2, timeout=10)
    threads.map_blocks(lambda block: both.wait(), 2, 1, 2)


@pytest.mark.parametrize("failing", ["here", "elsewhere"])
def test_an_error_on_any_thread_is_raised(failing):
    caller, both = threading.current_thread(), threading.Barrier(2, timeout=10)

    def work(block):
        both.wait()
        if (threading.current_thread() is caller) == (failing == "here"):
            raise ArithmeticError(failing)

    with pytest.raises(ArithmeticError, match=failing):
        threads.map_blocks(work, 2, 1, 2)


def test_after_an_error_no_block_begins():
    begun = []

    def work(block):
        begun.append(block)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        threads.map_blocks(work, 100, 1, 2)
    assert len(begun) <= 2


def test_a_block_may_be_mapped_itself():
    def outer(block):
        return sum(threads.map_blocks(lambda inner: inner.start, 4, 1, 2))

    assert threads.map_blocks(outer, 6, 1, 2) == [6] * 6
