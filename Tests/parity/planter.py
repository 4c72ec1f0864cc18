"""Chooses where a difference is planted, and which."""

import random

import plants_access
import plants_legacy
import plants_server

KINDS = {**plants_server.KINDS, **plants_legacy.KINDS, **plants_access.KINDS}


class Planter:
    """Plants a share of the pairs; the kind that waits longest and fits goes first."""

    def __init__(self, rate: float, rng: random.Random, only: str = "", without: str | None = None):
        self.rate, self.random = rate, rng
        self.queue = [name for name in KINDS if name.startswith(only) and not (without and name.startswith(without))]

    def plant(self, event) -> tuple[str | None, dict[str, str | None]]:
        """Changes one of the two records; the kind, and the classes that this gives."""
        if self.rate <= 0 or self.random.random() >= self.rate:
            return None, {}
        for place, name in enumerate(self.queue):
            changes = KINDS[name](event, self.random)
            if changes is None:
                continue
            self.queue.append(self.queue.pop(place))
            for path, word in changes.items():
                if word is None:
                    event.classes.pop(path, None)
                else:
                    event.classes[path] = word
            return name, changes
        return None, {}
