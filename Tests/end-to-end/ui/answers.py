"""The people of `people.py`, with the sentences written from the facts; all are judged 200 days after the start."""

from people import PAID, PREMIUM, SURE, UNKNOWN, YEARLY, Person, told
from world import BUNDLE

OFF = "the customer had turned auto-renew off, and the last period is over"
WAS_ON = "auto-renew was on, and no record shows a renewal or an end"
REFUNDED = "Apple refunded the purchase"
GAVE_UP = "a payment failed, and Apple does not try again"
RETRY = "a payment failed, and Apple tries again; renews when a payment succeeds"
DISPUTED = "not certain: V1 and V2 disagree"
FAMILY = "paid by another member of the family"


def has(day: float, rest: str, how: str = "") -> str:
    return f"Has access until {told(day)}{how}; {rest}."


def lacks(day: float, why: str, rest: str) -> str:
    return f"Has no access since {told(day)}: {why}; {rest}."


def unknown(day: float, why: str, rest: str) -> str:
    return f"Access after {told(day)} is not known: {why}; {rest}; {UNKNOWN}."


def also(sentence: str, words: str) -> str:
    return f"{sentence[:-1]}; {words}."


def disputed(sentence: str, side: str) -> str:
    """The sentence of a side, where the other one says something else of a refund."""
    sentence = sentence.replace(SURE, DISPUTED)
    return sentence.replace("nothing refunded", f"nothing refunded in {side}").replace("1 period refunded", f"1 period refunded in {side}")


def ended(people: "People") -> None:
    """Subscriptions that are over, and why."""
    said = lacks(170, OFF, f"3 periods paid; {PAID}")
    people.new("auto-renew off").months(80, 110, 140).off(150).event("EXPIRED/VOLUNTARY", 170, expirationIntent=1).says(
        said, said.replace(SURE, "inferred"), said)
    said = lacks(110, GAVE_UP, f"2 periods paid; {PAID}")
    one = people.new("retry without success: access ended when the payment failed, not when Apple gave up").months(50, 80).fail(110)
    one.pending, one.renews = {"is_in_billing_retry_period": "0", "expiration_intent": "2"}, False
    one.tell("DID_CHANGE_RENEWAL_STATUS", 170, auto_renew_status_change_date_ms="1750688000000")
    one.event("EXPIRED/BILLING_RETRY", 170, isInBillingRetryPeriod=False, expirationIntent=2).says(said)
    said = lacks(190, OFF, f"no period paid; {PAID}")
    people.new("a trial without a purchase").buy(183, 190, trial=True).tell("INITIAL_BUY", 183).event(
        "SUBSCRIBED/INITIAL_BUY", 183).off(184).event("EXPIRED/VOLUNTARY", 190, expirationIntent=1).says(
        said, said.replace(SURE, "inferred"), said)
    for name, why, intent in (
        ("PRICE_INCREASE", "the customer did not agree to a higher price", 3),
        ("PRODUCT_NOT_FOR_SALE", "the product was not for sale when the period ended", 4),
    ):
        said = lacks(190, why, f"2 periods paid; {PAID}")
        one = people.new(name).months(130, 160)
        one.renews = False
        one.event(f"EXPIRED/{name}", 190, expirationIntent=intent).says(
            also(said, "V1 does not say"), unknown(190, WAS_ON, "2 periods paid"), said)
    people.new("silence").months(110, 140).says(unknown(170, WAS_ON, "2 periods paid"))
    # Apple tries for 60 days.
    people.new("retry that Apple gave up, without a message").months(70, 100).fail(130).says(
        lacks(130, GAVE_UP, "2 periods paid; nothing refunded; inferred"))
    people.new("in billing retry").months(130, 160).fail(190).says(lacks(190, RETRY, f"2 periods paid; {PAID}"))
    people.new("in billing retry after grace").months(120, 150).fail(180, 196).event(
        "GRACE_PERIOD_EXPIRED", 196, isInBillingRetryPeriod=True, expirationIntent=2).says(lacks(196, RETRY, f"2 periods paid; {PAID}"))


def running(people: "People") -> None:
    """Subscriptions that give access."""
    people.new("in grace").months(130, 160).fail(190, 206).says(
        has(206, "renews when a payment succeeds; 2 periods paid; nothing refunded; certain", ", in the billing grace period"))
    one = people.new("upgraded").months(140, 170)
    one.periods[-1] |= {"back": 180, "upgraded": True}
    one.next = YEARLY
    one.buy(180, 545, YEARLY).tell("INTERACTIVE_RENEWAL", 180).event("DID_CHANGE_RENEWAL_PREF/UPGRADE", 180).says(
        has(545, f"renews; 3 periods paid; {PAID}"))
    one = people.new("a smaller plan next")
    one.next = PREMIUM
    one.months(185, product=PREMIUM)
    one.next = f"{BUNDLE}.monthly"
    one.tell("DID_CHANGE_RENEWAL_PREF", 190).event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", 190).says(
        has(215, f"renews as {BUNDLE}.monthly; 1 period paid; {PAID}"))
    people.new("in a trial").buy(200, 207, trial=True).tell("INITIAL_BUY", 200).event("SUBSCRIBED/INITIAL_BUY", 200).says(
        has(207, f"renews; no period paid; {PAID}", ", in a free trial"))
    people.new("auto-renew off, still running").months(155, 185).off(190).says(has(215, f"does not renew; 2 periods paid; {PAID}"))
    one = people.new("came back").months(80).off(90).event("EXPIRED/VOLUNTARY", 110, expirationIntent=1)
    one.renews = True
    one.buy(175).tell("INTERACTIVE_RENEWAL", 175).event("SUBSCRIBED/RESUBSCRIBE", 175).says(has(205, f"renews; 2 periods paid; {PAID}"))
    one = people.new("recovered").months(125, 155).fail(185)
    one.pending = {}
    one.buy(195).tell("DID_RECOVER", 195).event("DID_RENEW/BILLING_RECOVERY", 195).says(has(225, f"renews; 3 periods paid; {PAID}"))
    one = people.new("an old message with two readings").months(20, 50).fail(80)
    one.off(82)
    one.renews, one.pending = True, {}
    one.buy(85).tell("DID_RECOVER", 85).event("DID_RENEW/BILLING_RECOVERY", 85)
    for day in (115, 145, 175):
        one.buy(day).tell("DID_RENEW", day).event("DID_RENEW", day)
    one.says(has(205, f"renews; 6 periods paid; {PAID}"))
    said = has(215, f"renews; 2 periods paid; {PAID}")
    people.new("V1 alone").months(155, 185, sides="1").says(said, v2=None)
    people.new("V2 alone").months(155, 185, sides="2").says(said, v1=None)
    said = has(215, f"renews; {FAMILY}; {PAID}")
    people.new("the family").months(155, 185, family=True).says(said)


def taken_back(people: "People") -> None:
    """Refunds, of which none may be lost, and what Apple took away."""
    # That V1 means this period is a reading of Slipcast.
    said, read = (lacks(195, REFUNDED, f"1 period paid; 1 period refunded; {how}") for how in (SURE, "inferred"))
    people.new("refunded").months(150, 180).back(195).says(said, read)
    people.new("an earlier period refunded after its end").months(120, 150, 180).back(190, period=1).says(
        has(210, f"renews; 2 periods paid; 1 period refunded; {SURE}"))
    one = people.new("a refund that Apple took back").months(150, 180).back(185)
    lost = f"1 period paid; 1 period refunded; {SURE}"
    del one.periods[-1]["back"]
    said = has(210, f"renews; 2 periods paid; {PAID}")
    one.event("REFUND_REVERSED", 190).says(
        also(said, f"V1 differs: no access since {told(185)} (V1 never reports that Apple takes a refund back)"),
        lacks(185, REFUNDED, "1 period paid; 1 period refunded; inferred"), said)
    said = lacks(190, REFUNDED, lost)
    people.new("a refund that V1 does not have").months(150, 180).back(190, sides="2").says(
        also(disputed(said, "V2"), f"V1 has no refund: access until {told(210)}"), has(210, f"renews; 2 periods paid; {PAID}"), said)
    one = people.new("refunded, and bought again").months(150).buy(170, 200).tell("DID_RENEW", 170).event("DID_RENEW", 170).back(180)
    one.buy(190).tell("INTERACTIVE_RENEWAL", 190).event("SUBSCRIBED/RESUBSCRIBE", 190).says(
        has(220, f"renews; 2 periods paid; 1 period refunded; {SURE}"))
    people.new("the family, revoked").months(155, 185, family=True).back(190, kind="REVOKE").says(
        lacks(190, "Family Sharing or an assignment ended", f"{FAMILY}; {PAID}"))


def contradicted(people: "People") -> None:
    """What one side says of a refund or of an end, and the other one does not."""
    hour, has_none = 1 / 24, "V2 has no refund"
    paid = f"2 periods paid; {PAID}"
    said = lacks(195, REFUNDED, f"1 period paid; 1 period refunded; {SURE}")
    people.new("a refund that V2 does not have").months(150, 180).back(195, kind="CANCEL", sides="1").says(
        also(disputed(said, "V1"), f"{has_none}: access until {told(210)}"), said, has(210, f"renews; {paid}"))
    said = lacks(170, REFUNDED, f"1 period paid; 1 period refunded; {SURE}")
    people.new("a refund that V2 does not have, in a life that is over").months(135, 165).back(170, kind="CANCEL", sides="1").says(
        also(disputed(said, "V1"), has_none), said, unknown(195, WAS_ON, "2 periods paid"))
    said = has(210, f"renews; 2 periods paid; 1 period refunded; {SURE}")
    people.new("a refund of an earlier period that V2 does not have").months(120, 150, 180).back(190, 1, kind="CANCEL", sides="1").says(
        also(disputed(said, "V1"), has_none), said, has(210, f"renews; 3 periods paid; {PAID}"))
    said = lacks(191, REFUNDED, f"1 period paid; 1 period refunded; {SURE}")
    people.new("a refund of another day").months(150, 180).back(190, kind="CANCEL", v2=191).says(
        also(disputed(said, "V2"), f"V1 dates the refund {told(190)}"), said.replace(told(191), told(190)), said)
    said = f"Bought a consumable on {told(140)}, which gives no lasting access; nothing refunded; certain."
    coins = people.new("coins whose refund only V1 has").buy(140, 0, f"{BUNDLE}.coins", type="Consumable").event("ONE_TIME_CHARGE", 140)
    coins.tell_bare("REFUND", 150).event("CONSUMPTION_REQUEST", 151).says(
        also(disputed(said.replace("certain", DISPUTED), "V2"), "V1 has a refund, of which no record states the time"),
        "Has no access: Apple refunded the purchase; certain.", said)
    one = people.new("another end of a period that is over").months(110, 140, sides="1")
    one.periods[-1]["v2 end"] = 170 + hour
    one.event("SUBSCRIBED/INITIAL_BUY", 110, 0).event("DID_RENEW", 140).says(
        also(unknown(170 + hour, WAS_ON, "2 periods paid"), f"V1 differs: the last period ends {told(170)}"),
        unknown(170, WAS_ON, "2 periods paid"), unknown(170 + hour, WAS_ON, "2 periods paid"))
    for name, later in (("another end", hour), ("an end in the same minute", hour / 120)):
        one = people.new(name).months(155, 185, sides="1")
        one.periods[-1]["v2 end"] = 215 + later
        one.event("SUBSCRIBED/INITIAL_BUY", 155, 0).event("DID_RENEW", 185)
        said = has(215 + later, f"renews; {paid}")
        differing = also(said.replace(SURE, DISPUTED), f"V1 differs: access until {told(215)}")
        one.says(differing if later == hour else said, has(215, f"renews; {paid}"), said)
    one = people.new("extended by Apple").months(155, 185)
    one.periods[-1]["v2 end"] = 225
    said = has(225, f"renews; {paid}")
    one.event("RENEWAL_EXTENDED", 190).says(
        also(said, f"V1 differs: access until {told(215)} (V1 never reports that Apple extends a period)"), has(215, f"renews; {paid}"), said)


def one_time(people: "People") -> None:
    """Purchases without an end."""
    people.new("for life").buy(100, 0, f"{BUNDLE}.lifetime", type="Non-Consumable").event("ONE_TIME_CHARGE", 100).says(
        "Has access without an end; nothing refunded; certain.", v1=None)
    one = people.new("for life, refunded").buy(100, 0, f"{BUNDLE}.lifetime", type="Non-Consumable").event("ONE_TIME_CHARGE", 100).back(150)
    one.says(lacks(150, REFUNDED, "certain"), lacks(150, REFUNDED, "inferred"))
    people.new("coins").buy(140, 0, f"{BUNDLE}.coins", type="Consumable").event("ONE_TIME_CHARGE", 140).event("CONSUMPTION_REQUEST", 150).says(
        f"Bought a consumable on {told(140)}, which gives no lasting access; nothing refunded; certain.", v1=None)
    people.new("a season").buy(140, 0, f"{BUNDLE}.season", type="Non-Renewing Subscription").event("ONE_TIME_CHARGE", 140).says(
        f"Bought a subscription that does not renew on {told(140)}: only the app knows its end; nothing refunded; certain.", v1=None)


class People(list[Person]):
    def __init__(self) -> None:
        super().__init__()
        for kind in (ended, running, taken_back, contradicted, one_time):
            kind(self)

    def new(self, name: str) -> Person:
        self.append(Person(name, len(self) + 1))
        return self[-1]
