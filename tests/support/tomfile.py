"""TOM files for tests, in TOM's own layout: tabs, stray blank and all."""

NAMES = [
    ("Zoë", "Müller-Lüdenscheidt"), ("José Ángel", "Núñez"), ("さくら", "田中"), ("محمد", "الفاتح"),
    ("Łukasz", "Żółć"), ("Siobhán", "O&apos;Connor"), ("Tom &amp; Jerry", "D’Angelo"),
    ("Nguyễn Thị", "Khai"),
    ("Ольга", "Кузнецова"), ("Björk", "Þórsdóttir"), ("Ada", "Lovelace"), ("Niccolò", "=cmd()"),
]  # fmt: skip
PAIR, BYE = "pair", "bye"


def person(number, born="02/27/1998", extra=""):
    first, last = NAMES[number % len(NAMES)]
    return (
        f'\t\t<player userid="{number}">\n\t\t\t<firstname>{first}</firstname>\n'
        f"\t\t\t<lastname>{last}</lastname>\n\t\t\t<birthdate>{born}</birthdate>\n{extra}"
        "\t\t\t<creationdate>01/17/2026 09:00:00</creationdate>\n"
        "\t\t\t<lastmodifieddate>01/17/2026 09:00:00</lastmodifieddate>\n\t\t</player>\n"
    )


DROPPED = (
    "\t\t\t<dropped>\n\t\t\t\t<status>1</status>\n\t\t\t\t<round>1</round>\n\t\t\t</dropped>\n"
)
LATE = "\t\t\t<starter>false</starter>\n\t\t\t<late>true</late>\n"


def match(outcome, table, *numbers):
    """Return a match's element: one number is a bye or a missed round."""
    names = ("player1", "player2") if len(numbers) == 2 else ("player",)
    seats = "".join(
        f'\t\t\t\t\t\t\t<{name} userid="{number}"/>\n'
        for name, number in zip(names, numbers, strict=True)
    )
    return (
        f'\t\t\t\t\t\t<match outcome="{outcome}">\n{seats}'
        "\t\t\t\t\t\t\t<timestamp>01/17/2026 10:11:17</timestamp>\n"
        f"\t\t\t\t\t\t\t<tablenumber>{table}</tablenumber>\n\t\t\t\t\t\t</match>\n"
    )


def round_(number, matches, kind=2, stage=2):
    """Return a round's element, with TOM's stray blank."""
    return (
        f'\t\t\t\t<round number="{number}" type="{kind}" stage="{stage}" >\n'
        "\t\t\t\t\t<timeleft>0</timeleft>\n\t\t\t\t\t<pairtime>01/17/2026 10:11:17</pairtime>\n"
        f"\t\t\t\t\t<matches>\n{''.join(matches)}\t\t\t\t\t</matches>\n\t\t\t\t</round>\n"
    )


def pod(category, numbers, rounds):
    roster = "".join(f'\t\t\t\t\t\t<player userid="{number}" />\n' for number in numbers)
    return (
        f'\t\t<pod category="{category}" stage="0">\n\t\t\t<poddata>\n'
        "\t\t\t\t<startingtable>1</startingtable>\n\t\t\t\t<subgroupcount>1</subgroupcount>\n\t\t\t</poddata>\n"
        '\t\t\t<subgroups>\n\t\t\t\t<subgroup number="1">\n\t\t\t\t\t<players>\n'
        f"{roster}\t\t\t\t\t</players>\n\t\t\t\t</subgroup>\n\t\t\t</subgroups>\n"
        f"\t\t\t<rounds>\n{''.join(rounds)}\t\t\t</rounds>\n\t\t</pod>\n"
    )


def tournament(
    people,
    pods,
    name="Coppa d&apos;Inverno",
    head='<?xml version="1.0" encoding="UTF-8"?>\n',
    standings="",
):
    """Return a file's text; ``standings`` is the element that TOM adds at the end."""
    return (
        f'{head}<tournament type="2" stage="4" version="1.86" gametype="TRADING_CARD_GAME"'
        ' mode="LEAGUECHALLENGE">\n'
        f"\t<data>\n\t\t<name>{name}</name>\n\t\t<id>26-01-000123</id>\n\t\t<city>Milano</city>\n"
        "\t\t<state></state>\n\t\t<country>Italy</country>\n\t\t<roundtime>50</roundtime>\n"
        '\t\t<finalsroundtime>75</finalsroundtime>\n\t\t<organizer popid="4711" name="Lega"/>\n'
        "\t\t<startdate>01/17/2026</startdate>\n\t\t<lessswiss>false</lessswiss>\n"
        "\t\t<autotablenumber>true</autotablenumber>\n\t\t<overflowtablestart>0</overflowtablestart>\n\t</data>\n"
        f"\t<timeelapsed>0</timeelapsed>\n\t<players>\n{''.join(people)}\t</players>\n"
        f"\t<pods>\n{''.join(pods)}\t</pods>\n{standings}\t<finalsoptions>\n\t</finalsoptions>\n</tournament>\n"
    )


def swiss(players=8):
    numbers = list(range(101, 101 + players))
    half = players // 2
    first = [match(1 + n % 3, n + 1, numbers[n], numbers[n + half]) for n in range(half)]
    second = [match(0, n + 1, numbers[2 * n], numbers[2 * n + 1]) for n in range(half)]
    return tournament(
        [person(n) for n in numbers],
        [pod(2, numbers, [round_(1, first, stage=6), round_(2, second)])],
    )


def event(*rounds, people=range(101, 106), tables=None, extra=None):
    """Return TOM's file of such rounds; ``tables``: those of the last round."""
    found = []
    for number, told in enumerate(rounds, 1):
        places = tables if tables and number == len(rounds) else range(1, 1 + len(told))
        matches = [
            match(outcome, place if len(who) == 2 else 0, *who)
            for place, (outcome, *who) in zip(places, told, strict=False)
        ]
        found.append(round_(number, matches))
    elements = [person(n, extra=(extra or {}).get(n, "")) for n in people]
    return tournament(elements, [pod(2, people, found)])


def cut():
    """A Swiss round that is over, and the semi-finals."""
    numbers = list(range(201, 205))
    rounds = [
        round_(1, [match(1, 1, 201, 202), match(2, 2, 203, 204)], stage=6),
        round_(2, [match(0, 1, 201, 204), match(0, 2, 203, 202)], kind=1),
    ]
    return tournament([person(n) for n in numbers], [pod(10, numbers, rounds)])


def byes():
    """Byes, a drop, a late entry with a missed round, a deleted match, a double loss."""
    people = [person(n) for n in range(301, 306)] + [
        person(306, extra=DROPPED),
        person(307, extra=LATE),
    ]
    first = [
        match(1, 1, 301, 302), match(10, 2, 303, 306), match(5, 0, 304), match(4, 0, 305),
        match(8, 0, 307),
    ]  # fmt: skip
    second = [match(0, 2, 307, 301), match(0, 1, 302, 303), match(5, 0, 304), match(9, 9, 305, 306)]
    rounds = [round_(1, first, stage=6), round_(2, second)]
    return tournament(people, [pod(2, range(301, 308), rounds)])


def pods():
    """Three ages, each its own pod, tables one after the other."""
    people, groups = [], []
    for category, born in ((0, "05/09/2015"), (1, "11/30/2011"), (2, "02/27/1998")):
        numbers = [400 + 10 * category + n for n in range(4)]
        people += [person(n, born) for n in numbers]
        matches = [match(0, 2 * category + n + 1, *numbers[2 * n : 2 * n + 2]) for n in (0, 1)]
        groups.append(pod(category, numbers, [round_(1, matches)]))
    return tournament(people, groups)


def standings(category, numbers, gone=()):
    """Return a pod's final standings: who finished, by place, and who did not."""
    places = "".join(
        f'\t\t\t<player id="{number}" place="{place}"/>\n'
        for place, number in enumerate(numbers, 1)
    )
    left = "".join(f'\t\t\t<player id="{number}"/>\n' for number in gone)
    return (
        f'\t<standings>\n\t\t<pod category="{category}" type="finished">\n{places}\t\t</pod>\n'
        f'\t\t<pod category="{category}" type="dnf">\n{left}\t\t</pod>\n\t</standings>\n'
    )


def evening(rounds=3, places=(), bracket=()):
    """Eight players, every round decided but the last where no ``places`` are given; 508 left after
    round 1. ``bracket``: the matches of each elimination round, as (outcome, number, number).
    """
    numbers, played = list(range(501, 509)), []
    for number in range(1, rounds + 1):
        here = [one for one in numbers if one != 508 or number == 1]
        seats = [here[0], *(here[1:][number:] + here[1:][:number])]
        won = 0 if number == rounds and not places else 1
        pairs = zip(seats[: len(seats) // 2], seats[len(seats) // 2 :], strict=False)
        matches = [match(won, place, *pair) for place, pair in enumerate(pairs, 1)]
        matches += [match(5, 0, seats[-1])] if len(seats) % 2 else []
        played.append(round_(number, matches, stage=6 if won else 2))
    for number, told in enumerate(bracket, rounds + 1):
        matches = [match(won, place, *pair) for place, (won, *pair) in enumerate(told, 1)]
        played.append(round_(number, matches, kind=1))
    people = [person(n) for n in numbers[:-1]] + [person(508, extra=DROPPED)]
    told = standings(2, places, (508,)) if places else ""
    return tournament(people, [pod(2, numbers, played)], standings=told)


WHOLE = {"swiss": swiss, "cut": cut, "byes": byes, "pods": pods}
