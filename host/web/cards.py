"""The JSON objects that pages get: the shape of each card. Times are event time in ms."""

from typing import NotRequired, TypeAlias, TypedDict

from host.event.call_claims import ClaimCard
from host.web.match_part import MatchPart

Part: TypeAlias = object
"""A piece of the state for pages: a card or other JSON, which is compared and sent, not
inspected.
"""
Path: TypeAlias = tuple[str, str | None]
"""Where a piece belongs: its section, and its id if the section has many."""
Parts: TypeAlias = dict[Path, Part]


class MemberCard(TypedDict):
    """A team's member: position, A or B, and how many prizes this player sets out."""

    position: str
    name: str
    number: str
    prizes: int


class PlayerCard(TypedDict):
    """A player, with a squad's obstacles, or a team's home and members."""

    name: str
    number: str
    obstacles: NotRequired[list[str]]
    home: NotRequired[str]
    members: NotRequired[list[MemberCard]]


class CallCard(TypedDict):
    """Why a judge is needed; ``asked``: there is no call, but the table's state requires a judge;
    ``again``: the call was ended and put back.
    """

    table: int
    type: str
    since_ms: int
    arrived_ms: int | None
    claimed: ClaimCard | None
    asked: bool
    again: bool


class PastCallCard(TypedDict):
    """A call that is over."""

    table: int
    since_ms: int
    arrived_ms: int | None
    ended_ms: int


class BoardResultCard(TypedDict):
    """A board's result that differs from the one typed from paper."""

    outcome: str
    games: list[int]


class ResultCard(TypedDict):
    """A result; ``outcome`` is A, B, tie or neither; ``author`` and ``reason`` if it was typed from
    paper; ``against`` as in ``Result``.
    """

    outcome: str
    games: list[int]
    narrow: bool
    section: str | None
    by: str
    ended_ms: int
    incomplete: bool
    points: list[int | None]
    destroyed: list[int] | None
    author: str
    reason: str
    against: BoardResultCard | None


class PairingPart(TypedDict):
    """A table card's players; ``feature``: it is a feature table, ``kept``: one of them keeps it in
    every round.
    """

    table: int
    pairing: int
    a: PlayerCard
    b: PlayerCard
    feature: bool
    kept: bool


class BoardPart(TypedDict):
    """A table card's board and its records; ``need`` is the rank of the most urgent need.

    ``boardless``: the table has no board; ``missing_board``: it has none, or it was never heard.
    """

    need: int
    uncertain: bool
    silent: bool
    low: bool
    missing_board: bool
    boardless: bool
    incomplete: bool


class TableCard(PairingPart, MatchPart, BoardPart):
    """A table as staff see it; ``needs`` are codes of ``needs``, ``need`` their rank, ``offers``
    the acts that are possible there.
    """

    result: ResultCard | None
    call: CallCard | None
    device: int | None
    needs: list[str]
    offers: list[str]
    extend_proposed: int | None


class ExpectedCard(TypedDict):
    """When a table is likely to end, None if unknown; ``why`` is a word of ``forecast``."""

    end_ms: int | None
    why: str


class ForecastCard(TypedDict):
    """When the round is likely to end, and the tables that delay it."""

    end_ms: int | None
    holding: list[int]


class BoardCard(TypedDict):
    """A board; ``battery`` is unknown, low or ok, ``head`` its news head, ``refused`` frames by
    reason.
    """

    device: int
    table: int
    heard_ms: int | None
    silent: bool
    battery: str
    firmware: int | None
    head: int
    unarchived: int
    unsent: bool
    linked: bool
    listens: bool
    refused: dict[str, int]


class OrderCard(TypedDict):
    """An order; ``what`` is its intent's word, ``why`` the reason of a refusal."""

    id: int
    table: int
    what: str
    state: str
    why: str
    author: str
    reason: str
    asked_ms: int


class RoundFacts(TypedDict):
    """The constant facts of a stored round; ``points_cap`` is a squad's points, 0 without a cap;
    ``counts_turns``: its boards can count turns before time; ``narrow``: a win by a count at time
    is worth other points.
    """

    number: int
    format: str
    system: str | None
    minutes: int
    elimination: bool
    hidden: bool
    untimed: bool
    best_of: int
    counts_turns: bool
    points_cap: int
    narrow: bool
    tables: int


class ShortRoundCard(RoundFacts):
    """A round in short; ``results`` is their number."""

    state: str
    results: int


class RoundCard(ShortRoundCard):
    """The published round with its clock and counts of tables.

    ``zero_ms`` is later by ``stood_ms``, during which the whole room was stopped.
    """

    start_ms: int | None
    zero_ms: int | None
    stood_ms: int
    seated: int
    overtime: int
    extended: int


class StandingTableCard(TypedDict):
    """A table that is not stopped while the room is; ``why`` is a code of ``room_stop``."""

    table: int
    why: str


class PausedCard(TypedDict):
    """The room is stopped: since when, by whom and why, and which tables are not.

    ``since_ms`` is None if its tables were stopped individually.
    """

    since_ms: int | None
    by: str
    reason: str
    left: list[StandingTableCard]


class MessageCard(TypedDict):
    """A numbered message that boards show; ``next_ms`` is when the next round begins."""

    number: int
    next_ms: int | None
    at_ms: int


class RollCard(TypedDict):
    """A roll as its board recorded it; ``id`` is its audit id, ``many`` how many flips were
    requested (255: until tails), ``face`` the result (``firmware.core.luck``).
    """

    number: int
    randomizer: int
    purpose: int
    many: int
    face: int
    id: str


class SeedCard(TypedDict):
    """A seed that its board has revealed, in hex, with its rolls.

    ``nonce`` is None if a roll was requested before a nonce arrived, ``place`` is what the
    commitment binds the seed to, ``after`` the number of the match's last roll before this seed.
    """

    seed: str
    nonce: str | None
    place: list[int]
    after: int
    rolls: list[RollCard]


class MatchCommitmentCard(TypedDict):
    """A board's commitment for a match, in hex, and whether the match is over and the seed
    revealed.
    """

    commitment: str
    heard_ms: int
    over: bool
    told: bool
    rolls: int | None
    seed: SeedCard | None
