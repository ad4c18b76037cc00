"""The remaining time of a piece of work."""

import pytest

from perturbfs._support import pace
from perturbfs._support.pace import Work, describe_progress, readable_time


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    now = [100.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])

    def go_on(seconds):
        now[0] += seconds

    return go_on


def test_the_remaining_time_is_that_of_the_pace_so_far(clock):
    work = Work({"splits": 5})
    assert work.seconds_left() is None
    clock(4)
    work.advance("splits")
    clock(4)
    work.advance("splits")
    assert work.seconds_left() == pytest.approx(12)
    clock(5)  # within the third step
    assert work.seconds_left() == pytest.approx(7)
    clock(20)  # a slow step never gives a negative time
    assert work.seconds_left() == 0


def test_a_split_is_expected_to_take_as_long_as_the_selection_before_it(clock):
    work = Work({"selecting": 2, "estimating": 5})
    clock(3)
    work.advance("selecting")
    assert work.seconds_left() == pytest.approx(3 + 5 * 6)
    clock(3)
    work.advance("selecting")
    assert work.seconds_left() == pytest.approx(5 * 6)
    clock(4)
    work.advance("estimating")
    assert work.seconds_left() == pytest.approx(4 * 4)


def test_steps_that_run_at_the_same_time_are_counted_in_rounds(clock):
    work = Work({"splits": 8}, at_once=4)
    clock(10)
    work.advance("splits")
    assert work.seconds_left() == pytest.approx(10)


def test_a_part_that_advances_means_that_those_before_it_are_complete(clock):
    work = Work({"selecting": 10, "estimating": 2})
    clock(10)
    work.advance("estimating")
    assert [part.done for part in work.parts.values()] == [10, 1]
    assert work.current == "estimating"
    work.advance("estimating")
    assert work.current is None
    assert work.seconds_left() == 0


def test_the_line_has_no_remaining_time_before_it_is_known(clock):
    work = Work({"experiments": None})
    clock(10)
    assert describe_progress(work) == "experiments: 0 done, 10 s so far"
    work.set_total("experiments", 4)
    work.advance("experiments")
    clock(60)
    work.advance("experiments")
    line = describe_progress(work)
    assert line == "experiments: 2 of 4 done, 70 s so far, about 70 s left"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (89.5, "90 s"), (91, "2 min"), (5400, "2 h")]
)
def test_times_are_rounded_up(seconds, text):
    assert readable_time(seconds) == text
