"""Kinds of archives: how often each thing happens in the lives of their customers."""

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Mapping

import model

# Shares of the actions in a running period, and chances of what follows it.
ACTIONS = MappingProxyType({
    "toggle": 8, "downgrade": 4, "revert": 3, "upgrade": 4, "refund": 2, "older": 2, "notice": 2, "consent": 2,
    "offer_on_active": 1, "upgraded": 1, "revoke": 1,
})  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """One kind of archive."""

    start: tuple[int, int] = (model.day("2018-06-01"), model.day("2025-01-01"))
    actions: Mapping[str, float] = field(default_factory=lambda: ACTIONS)
    # The chance of each number of actions in a period, from 0 on.
    busy: tuple[float, ...] = (60, 25, 10, 5)
    # Actions follow each other within minutes.
    bursts: float = 0.05
    fail: float = 0.12
    offers: float = 0.2
    back: float = 0.6
    # The chance that a body is written long after its event.
    late: float = 0.01
    # Every body states the last change of auto-renew; Apple documents the key, not that only one type has it.
    dated: bool = False
    sandbox: bool = False
    family: bool = False
    subscriptions: tuple[int, ...] = (1, 1, 1, 2)
    purchases: float = 0.1
    periods: tuple[int, int] = (3, 20)
    # Its ambiguous lines count in the share that may remain of all kinds.
    is_common: bool = True


def mostly(**shares: float) -> Mapping[str, float]:
    return {**ACTIONS, **shares}


KINDS = {
    "mixed": Kind(),
    "calm": Kind(busy=(85, 15), fail=0.06, late=0, bursts=0, subscriptions=(1,), periods=(5, 120)),
    "early": Kind(start=(model.day("2018-06-01"), model.day("2020-12-01")), subscriptions=(1, 1, 2)),
    "billing": Kind(fail=0.5, back=0.8),
    "plans": Kind(actions=mostly(upgrade=14, downgrade=12, revert=8), busy=(25, 40, 20, 15)),
    "upgrades2021": Kind(
        start=(model.day("2020-06-01"), model.day("2022-01-15")), periods=(2, 8),
        actions=mostly(upgrade=20, downgrade=8),
    ),
    "refunds": Kind(actions=mostly(refund=12, older=8, upgraded=4), busy=(40, 40, 20), back=0.9),
    "returns": Kind(actions=mostly(toggle=20), back=0.95, offers=0.3),
    "prices": Kind(start=(model.day("2020-11-01"), model.day("2025-01-01")), actions=mostly(notice=20, consent=12)),
    "family": Kind(start=(model.day("2020-12-10"), model.day("2025-01-01")), family=True),
    "purchases": Kind(start=(model.day("2020-06-01"), model.day("2025-01-01")), purchases=1.0, periods=(1, 4)),
    "sandbox": Kind(start=(model.day("2019-12-01"), model.day("2025-01-01")), sandbox=True, purchases=0.2),
    "several": Kind(subscriptions=(2, 2, 3)),
    "busy": Kind(busy=(10, 20, 30, 20, 20), bursts=0.7, late=0.05),
    "late": Kind(late=0.3, busy=(30, 40, 20, 10)),
    "dated": Kind(
        start=(model.day("2020-06-01"), model.day("2025-01-01")), dated=True, bursts=0.7, busy=(20, 40, 25, 15),
        back=0.9, subscriptions=(1,),
        actions=mostly(toggle=20, upgrade=14),
    ),
    # Everything at once: what is rare by itself meets.
    "storm": Kind(
        is_common=False, fail=0.35, back=0.85, late=0.1, bursts=0.5, busy=(20, 30, 30, 20), offers=0.4,
        subscriptions=(1, 2, 3), periods=(3, 14),
        actions=mostly(upgrade=10, downgrade=8, refund=6, older=4, upgraded=4, notice=6, consent=4, offer_on_active=3),
    ),
    "storm-family": Kind(
        is_common=False, start=(model.day("2020-12-10"), model.day("2025-01-01")), family=True, fail=0.35, back=0.85,
        late=0.05, bursts=0.4, busy=(30, 30, 30, 10), actions=mostly(upgrade=10, downgrade=6, refund=6, older=4, revoke=6),
    ),
    "storm-sandbox": Kind(
        is_common=False, start=(model.day("2019-12-01"), model.day("2025-01-01")), sandbox=True, fail=0.35, back=0.85,
        bursts=0.5, busy=(20, 30, 30, 20), actions=mostly(upgrade=10, downgrade=8, refund=6, older=4),
    ),
    # Lists that do not hold all periods, of lives with everything.
    "storm-long": Kind(
        is_common=False, fail=0.15, back=0.9, late=0.05, bursts=0.3, busy=(70, 20, 8, 2), offers=0.3,
        subscriptions=(1, 1, 2), periods=(90, 160), start=(model.day("2018-06-01"), model.day("2021-06-01")),
        actions=mostly(upgrade=8, downgrade=8, refund=3, older=6, upgraded=3, notice=4, consent=4),
    ),
}
