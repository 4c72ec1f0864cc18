"""One customer's use of one subscription group: what its changes share."""

import random

from kinds import Kind
from model import GROUPS, Customer, Subscription
from teller import Teller


class Person:
    """The state of a life; `sub` is the subscription under its newest original transaction id."""

    def __init__(self, teller: Teller, kind: Kind, group: int) -> None:
        self.teller, self.kind, self.products = teller, kind, GROUPS[group]
        self.customer: Customer = teller.customer
        self.random: random.Random = teller.random
        self.is_family = kind.family
        self.sub: Subscription

    @property
    def now(self) -> int:
        return self.teller.now

    def span(self, production: int, sandbox: int) -> int:
        return sandbox if self.customer.sandbox else production

