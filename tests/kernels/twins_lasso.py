"""The path of the lasso in plain NumPy: every step solves its equations anew."""

import numpy as np

TIE, OUTSIDE, SLOWER = 1e-10, 1e-10, 1e-9


def changes(target, products, most, floor, positive, ends_full):
    """Yield the penalty, the features in use and their weights wherever these change.

    ``products`` is the matrix of all products of features.
    """
    used, signs, spanned, left = [], [], set(), None
    penalty = np.max(target if positive else np.abs(target), initial=0.0)
    while True:
        line = np.array([target[used], signs]).T if used else np.empty((0, 2))
        fixed_weights, slopes = np.linalg.solve(products[np.ix_(used, used)], line).T
        fixed, slope = target - fixed_weights @ products[used], slopes @ products[used]
        barred = {*used, *spanned}
        if left is not None and left[1] * fixed[left[0]] > 0:
            barred.add(left[0])
        feature, entry = _entry(fixed, slope, barred, penalty, positive)
        place, exit_ = _exit(fixed_weights, slopes, signs, penalty)
        reached = max(entry, exit_)
        full = len(used) == most and entry > exit_
        if not reached > floor or (full and ends_full):
            if ends_full:
                penalty = reached if full and reached > floor else 0.0
            yield penalty, list(used), fixed_weights - penalty * slopes
            return
        penalty = reached
        if exit_ >= entry:
            left = used.pop(place), signs.pop(place)
            spanned = set()
        elif len(used) == most or not _outside(products, used, feature):
            spanned.add(feature)
        else:
            used.append(feature)
            signs.append(1.0 if fixed[feature] + entry * slope[feature] > 0 else -1.0)
            left = None
        weights = _weights(target, products, used, signs, penalty)
        yield penalty, list(used), weights


def _entry(fixed, slope, barred, penalty, positive):
    side = np.ones_like(fixed) if positive else np.copysign(1.0, fixed)
    room = 1 - side * slope
    met = [
        side[j] * fixed[j] / room[j] if room[j] > SLOWER and j not in barred else 0.0
        for j in range(len(fixed))
    ]
    entry = min(max(met, default=0.0), penalty)
    return next((j for j, at in enumerate(met) if at >= entry * (1 - TIE)), 0), entry


def _exit(fixed_weights, slopes, signs, penalty):
    zero = [
        weight / slope if sign * slope < 0 else 0.0
        for weight, slope, sign in zip(fixed_weights, slopes, signs, strict=True)
    ]
    place = int(np.argmax(zero)) if zero else -1
    return place, min(max(zero, default=0.0), penalty)


def _outside(products, used, feature):
    own = products[feature, used]
    rest = products[feature, feature] - own @ np.linalg.solve(products[np.ix_(used, used)], own)
    return rest > OUTSIDE * products[feature, feature]


def _weights(target, products, used, signs, penalty):
    right = target[used] - penalty * np.array(signs)
    return np.linalg.solve(products[np.ix_(used, used)], right)
