"""An event in a browser: the desk over virtual boards, and what people click, counted."""

import contextlib
import json
import re

import browser
from commands import plusthree
from playwright.sync_api import expect
from virtualdesk import VirtualDesk

from firmware.core import intents, phases
from firmware.core import luck as roll
from host.archive.store import Archive
from host.sim.programme import RandomProgramme
from host.sim.stage import ARCHIVE

_COUNT = """
window.clicks = 0;
addEventListener("pointerdown", (event) => { if (event.isTrusted) window.clicks += 1; }, true);
"""


_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_TAPS = 10
_OVER_MIN = 150  # no round is longer
_WALK_MIN = 5  # of a judge past the tables that wait; every page is drawn anew after it
_PACKED_MIN = 6  # until every board has been visited once more, over an air that loses frames


STANDS_MS = 320  # a touch sooner after a list moved is not counted by the page


class Imported(RandomProgramme):
    """The event that an archive holds: as many boards as its first round has tables."""

    def __init__(self, path, seed):
        with Archive(path) as archive:
            roster = archive.roster
            form, pairings = roster.format_of(1), roster.pairings_of(1)
            event = roster.event.name
        super().__init__(max(one.table or 0 for one in pairings), seed)
        self.event, self.format = event, form


class ToBegin(RandomProgramme):
    """No event yet: ``tables`` boards wait for what begins in a page; others write slips."""

    event = ""

    def __init__(self, tables, system, seed=7):
        super().__init__(tables, seed, system)


def imported(folder, file, text, *options):
    (folder / file).write_text(text, encoding="utf-8")
    path = folder / ARCHIVE
    assert plusthree("import", folder / file, path, *options) == 0
    return path


class EveningDesk(VirtualDesk):
    """A VirtualDesk over the event that was imported into a folder, or over a ``programme``."""

    def __init__(self, folder, seed=7, programme=None):
        programme = programme or Imported(folder / ARCHIVE, seed)
        self.title = programme.event or folder.name
        self.spare = programme.tables + 1  # the number of the board that lies in the box
        super().__init__(folder, tables=programme.tables, seed=seed, programme=programme, spares=1)

    def sit(self, number):
        """Let people play a round by themselves as soon as their boards show it."""
        self.ask(lambda station: self._web.stage.sit(number))

    @property
    def state(self):
        service = self._web.service
        return self.ask(lambda station: service.change_feed.state("staff", service.now_ms))

    def round(self, number):
        return self.state["rounds"][str(number)]

    def board(self, table):
        return self._web.stage.venue.tables[table].app

    def break_board(self, table):
        """A table's board goes dark in mid-match."""

        def halt(station):
            one = self._web.stage.venue.tables[table]
            one.board.wake = lambda: None
            one._timer.cancel()

        self.ask(halt)

    def left_ms(self, table):
        return self.ask(
            lambda station: self.board(table).match.remaining_ms(station.collector.now_ms)
        )

    def go_on_at(self, table, device):
        def move(station):
            stage = self._web.stage
            stage.venue.tables[table] = stage.people[table].table = stage.venue.spares[device]

        self.ask(move)

    @contextlib.contextmanager
    def host_down(self):
        """Let nothing be heard of either side meanwhile."""
        air = self._web.stage.venue._air
        loss, air.loss = air.loss, 1.0
        yield
        air.loss = loss

    def play_out(self, number, walk):
        """Let a round come to its end, ``walk()`` what judges do every few minutes."""
        for _ in range(_OVER_MIN // _WALK_MIN):
            self.advance(60 * _WALK_MIN)
            walk()
            if self.round(number)["state"] == "closed":
                return
        every = self.ask(
            lambda station: {
                one: station.hall.results(one) for one in station.archive.roster.rounds
            }
        )
        raise AssertionError(
            f"round {number} is not over after {_OVER_MIN} minutes: {self.round(number)};"
            f" tables {self.state['tables']}; results {every}"
        )


class Person:
    """Somebody with a personal link before a page; ``clicks(act)`` counts what an act takes."""

    def __init__(self, chromium, desk, role, size, locale):
        self.desk = desk
        self.page = chromium.open(desk.links[role], size, locale=locale, script=_COUNT)
        self.page.on("dialog", self._answer)
        self.asked, self._noted, self.counted = [], "", {}

    def _answer(self, dialog):
        self.asked.append(dialog.message)
        dialog.accept()

    def open_sheet(self, table):
        """Open a table's sheet; where the list has just moved the page wants another tap."""
        for _ in range(_TAPS):
            self.touch_card(table)
            self.page.evaluate(_PAINTED)
            if self.page.locator("dialog.sheet").count():
                return
        raise AssertionError(f"table {table} did not open after {_TAPS} taps")

    def go(self, place):
        """Open a page, or a panel of the desk as ``#name``."""
        path = f"/desk{place}" if place.startswith("#") else place
        self.page.goto(self.desk.url + path)
        return self.page

    def panel(self, name):
        self.page.locator(f"nav.panels a[href='#{name}']").click()
        panel = self.page.locator(f".panel-{name}")
        expect(panel).to_be_visible()
        return panel

    @contextlib.contextmanager
    def clicks(self, what, most):
        """Fail where ``what`` is done inside takes more than ``most`` clicks; keep the count."""
        before = self.page.evaluate("window.clicks")
        yield
        taken = self.page.evaluate("window.clicks") - before
        self.counted[what] = taken
        assert taken <= most, f"{what}: {taken} clicks, not {most}"

    def touch_card(self, table):
        """Touch a table's card once the list has stood as long as a touch needs (steady.js)."""
        stands_ms = self.page.evaluate("performance.now()") + STANDS_MS
        self.page.wait_for_function("ms => performance.now() >= ms", arg=stands_ms)
        self.page.locator(f".card[data-table='{table}']").click()

    def done(self):
        """Wait for a new note that an act was done, which the next one would take for its own."""
        note = self.page.locator(f".note.good:not([data-key='{self._noted}'])")
        expect(note).to_be_visible()
        self._noted = note.get_attribute("data-key")

    def fill(self, form, **fields):
        browser.fill(form, fields)
        return form

    def submit(self, form, **fields):
        self.fill(form, **fields).locator("[type=submit]").first.click()


class Evening:
    """The people at their pages; each method is a part of the evening.

    ``coin`` is what a seat asks of the board for a coin (ROLL's a), ``consents`` whether both
    seats approve of it first. ``wall``: whether one hangs there, which draws all the time.
    """

    def __init__(self, chromium, desk, locale, coin, consents, wall=True):
        self.desk, self.chromium = desk, chromium
        self._coin, self._consents = coin, consents
        self.organiser = Person(chromium, desk, "organiser", "laptop", locale)
        self.judge = Person(chromium, desk, "judge", "phone", locale)
        self.player = Person(chromium, desk, "viewer", "phone", locale)
        self.wall = Person(chromium, desk, "viewer", "projector", locale) if wall else None
        self.receipt = ""

    def begin(self, name, players, pack="", **played):
        """Begin an event in its page: a system and perhaps a kind of match; players are pasted."""
        form = self.organiser.page.locator("[data-form=begin]")
        form.locator("[name=name]").fill(name)
        form.locator(f"[name=system][value={played.pop('system')}]").check()
        self.organiser.fill(form, **played)
        if pack:
            form.locator(f"[name=pack][value='{pack}']").check()
        form.locator("[name=players]").fill(players)
        expect(form.locator(".list .sentence bdi")).to_be_visible()
        form.locator("[type=submit]").click()
        expect(self.organiser.page.locator("[data-act=draw_first]")).to_be_visible()
        self.organiser.done()

    def call_it(self, name):
        """Correct the event's name where what is played is changed."""
        panel = self.organiser.page.locator(
            "details", has=self.organiser.page.locator("[data-form=rename_event]")
        )
        panel.locator("summary").click()
        self.organiser.submit(panel.locator("[data-form=rename_event]"), name=name)
        self.organiser.done()
        for one in (self.organiser, self.judge):
            expect(one.page.locator(".bar .event")).to_have_text(name)

    def draw(self):
        self.organiser.panel("begin").locator("[data-act=draw_first]").click()
        self.organiser.done()
        expect(self.organiser.page.locator("[data-act=publish]")).to_be_visible()

    def seats(self, number):
        """Return the numbers of who sits at each table of a round, None beside a bye."""
        pairings = self.desk.ask(lambda station: station.archive.roster.pairings_of(number))
        return {one.table: (one.a.number, one.b and one.b.number) for one in pairings}

    def touch(self, *players):
        for number in players:
            self.organiser.page.locator(f".seat[data-number='{number}']").click()

    def exchange(self, number, one, other):
        """Two players change places in a draft with three clicks; return what the page warns of."""
        before = self.seats(number)
        self.organiser.panel("rounds")
        shown = self.organiser.page.locator(".draft-bar")
        with self.organiser.clicks("swap two players", 3):
            self.touch(one, other)
            expect(shown.locator(".does li").first).to_be_visible()
            warned = shown.locator(".warns li").all_inner_texts()
            shown.locator("[data-act=do_change]").click()
            self.organiser.done()
        moved = {one: other, other: one}
        after = {
            place: tuple(moved.get(who, who) for who in pair) for place, pair in before.items()
        }
        assert self.seats(number) == after
        return warned

    def penalty(self, table, seat, level, prizes=True):
        """A judge gives a penalty at a table's sheet with four clicks; return the player's number.

        ``prizes``: whether the sheet offers a prize penalty.
        """
        page = self.judge.go("/judge")
        with self.judge.clicks("a penalty", 4):
            self.judge.open_sheet(table)
            form = page.locator("dialog [data-form=penalize]")
            who = form.locator("[name=number]").nth(seat)
            number = who.get_attribute("value")
            who.click()
            expect(form.locator("[value=prizes]")).to_have_count(int(prizes))
            self.judge.submit(form, level=level, reason="twice")
            self.judge.done()
        expect(page.locator("dialog .before li").first).to_be_visible()
        page.keyboard.press("Escape")
        return number

    def read_file(self, name, text, what="read a file"):
        """Read a file at the desk with two clicks; return what the page showed before it was taken."""
        page = self.organiser.page
        self.organiser.panel("files")
        with self.organiser.clicks(what, 2):
            with page.expect_file_chooser() as choosing:
                page.locator(".picked").click()
            choosing.value.set_files({"name": name, "mimeType": "", "buffer": text.encode()})
            take = page.locator(".file [data-act=read_file][data-step=take]")
            expect(take).to_be_visible()
            shown = page.locator(".file").inner_text()
            take.click()
            expect(take).to_have_count(0)
        expect(page.locator(".file .row button").last).to_be_visible()
        return shown

    def saved(self, form):
        page = self.organiser.page
        link = self.organiser.panel("files").locator(f"a[href='/api/export/{form}']")
        with self.organiser.clicks(f"save {form}", 1), page.expect_download() as saving:
            link.click()
        return saving.value.path().read_bytes()

    @property
    def asked(self):
        """What the organiser was asked so far, in a text."""
        return "\n".join(self.organiser.asked)

    def late(self, number, name, missed):
        """Somebody comes late; the rounds before count as the organiser says."""
        form = self.organiser.panel("people").locator("[data-form=add_player]")
        self.organiser.submit(form, number=number, name=name, missed=missed)
        self.organiser.done()

    def leave_by_name(self, member, team):
        """Whoever drops is typed by name; the question names the team."""
        form = self.organiser.panel("people").locator("[data-form=drop]")
        self.organiser.submit(form, number=member, reason="ill")
        self.organiser.done()
        assert team in self.asked

    def show_standings(self, number):
        """Publish the standings after a round; return what players read of them."""
        panel = self.organiser.panel("standings")
        panel.locator(f"[data-act=publish_standings][data-round='{number}']").click()
        self.organiser.done()
        page = self.player.go("/standings")
        expect(page.locator(".ranks tbody tr").first).to_be_visible()
        return page.locator("main").inner_text()

    def publish(self, number):
        """Publish a round."""
        self.organiser.panel("rounds").locator(f"[data-act=publish][data-round='{number}']").click()
        self.organiser.done()
        self.desk.advance(20)

    def find_seat(self, number):
        """A player finds the own table with one click and the name."""
        one = next(iter(self.desk.ask(lambda station: station.archive.roster.pairings_of(number))))
        page = self.player.go("/seats")
        with self.player.clicks("find a player", 1):
            page.get_by_role("searchbox").click()
            page.keyboard.type(one.b.name)
            expect(page.locator(".seats li")).not_to_have_count(0)
        places = page.locator(".seats li .place").all_inner_texts()
        assert any(re.search(rf"\b{one.table}\b", place) for place in places)

    def start(self, number):
        """Start it with one click; people sit down, and it runs."""
        self.desk.sit(number)
        self.begin_round(number)
        self.desk.advance(330)
        assert self.state(number) == "running"

    def begin_round(self, number):
        form = self.organiser.panel("rounds").locator("[data-form=start]")
        with self.organiser.clicks("start a round", 1):
            form.locator("[type=submit]").click()
            self.organiser.done()

    @property
    def counted(self):
        people = (self.player, self.organiser, self.judge)
        return [f"{what}: {clicks}" for one in people for what, clicks in one.counted.items()]

    def state(self, number):
        return self.desk.round(number)["state"]

    def call(self, table):
        self.desk.call_judge(table)
        call = self.judge.page.locator(".call", has_text=str(table))
        with self.judge.clicks("answer a call", 2):
            for act in ("arrive", "resolve"):
                call.locator(f"[data-act={act}]").click()
                self.judge.done()
        self.desk.advance(20)
        expect(call).to_have_count(0)

    def minutes(self, table):
        """Four minutes with three clicks, and taken back with one."""
        page = self.judge.page
        with self.judge.clicks("give 4 minutes", 3):
            self.judge.touch_card(table)
            form = page.locator("dialog [data-form=extend]")
            form.locator(".chip", has_text="+4").click()
            form.locator("[type=submit]").click()
            self.judge.done()
        assert self.desk.ask(lambda station: station.desk.extension_s(table)) == 240
        self.desk.advance(20)
        page.locator(".note.good [data-act=undo]").click()
        self.judge.done()
        self.desk.advance(20)
        assert self.desk.ask(lambda station: station.desk.extension_s(table)) == 0
        assert self.desk.board(table).match.extension_s == 0
        page.keyboard.press("Escape")

    def alarm(self):
        """The whole room stands still at once, and runs on."""
        room = self.organiser.panel("room")
        self.organiser.submit(room.locator("[data-form=pause_all]"), reason="fire alarm")
        self.organiser.done()
        expect(self.judge.page.locator(".bar .stopped")).to_be_visible()
        expect(self.wall.page.locator(".wall.s-frozen")).to_be_visible()
        self.desk.advance(60)
        room.locator("[data-act=resume_all]").click()
        self.organiser.done()
        self.desk.advance(30)
        expect(self.judge.page.locator(".bar .stopped")).to_have_count(0)

    def paper(self, table, **numbers):
        """A board is lost; the result comes on paper, with three clicks."""
        self.desk.lose_board(table)
        page = self.judge.go("/judge")  # its list does not move any more
        with self.judge.clicks("type a paper result", 3):
            self.judge.touch_card(table)
            form = page.locator("dialog [data-form=result]")
            form.locator("label", has=page.locator("[value=B]")).click()
            self.judge.submit(form, **numbers)
            self.judge.done()
        page.keyboard.press("Escape")

    def slip(self, table, **result):
        """The same from the desk, in one line."""
        line = self.organiser.panel("results").locator("[data-form=result]")
        self.organiser.submit(line, table=table, **result)
        self.organiser.done()
        expect(line.locator("[name=table]")).to_have_value("")

    def swap(self, table):
        """A board goes dark in mid-match; the spare has its clock, which a judge lets run on."""
        left_ms = self.desk.left_ms(table)
        self.desk.break_board(table)
        self.desk.advance(30)
        form = self.organiser.panel("boards").locator("[data-form=swap]")
        self.organiser.submit(form, table=table, device=self.desk.spare, reason="dark")
        self.organiser.done()
        self.desk.go_on_at(table, self.desk.spare)
        self.desk.advance(40)
        assert self.desk.board(table).match.phase == phases.FROZEN
        page = self.judge.page
        self.judge.open_sheet(table)
        page.locator("dialog [data-act=resume]").click()
        self.judge.done()
        page.keyboard.press("Escape")
        self.desk.advance(20)
        assert self.desk.board(table).match.phase == phases.PLAYING
        assert 0 < left_ms - self.desk.left_ms(table) < 60_000  # since it was heard last, and now

    def dispute(self, table):
        """A roll is disputed while the host is down: the table plays on, and a judge rules later."""
        luck = self.organiser.panel("luck").locator("[data-form=policy]")
        luck.locator("label", has=self.organiser.page.locator("[value='1']")).click()
        self.organiser.submit(luck, table=table)
        self.organiser.done()
        self.desk.advance(20)
        for seat in (0, 1) if self._consents else ():
            self.desk.press(table, intents.CONSENT, seat)
        with self.desk.host_down():
            self.desk.press(table, intents.ROLL, self._coin)
            self.desk.press(table, intents.DISPUTE_ROLL, 0)
            self.desk.advance(120)
            assert self.desk.board(table).match.rolled == roll.DISPUTED
        self.desk.advance(60)
        page = self.judge.page
        page.locator(f".call [data-act=open][data-table='{table}']").first.click()
        page.locator("dialog [data-act=roll]").first.click()
        self.judge.done()
        page.keyboard.press("Escape")
        self.desk.advance(30)
        assert self.desk.board(table).match.rolled != roll.DISPUTED

    def rule(self, number):
        """The round is played to its end; judges rule what players cannot agree on."""
        walk = self.decide if self.desk.state["round"]["elimination"] else self.desk.rule_waiting
        self.desk.play_out(number, walk)

    def decide(self):
        """In an elimination round a judge approves what both say, and decides what they cannot."""
        for table in self.desk.state["tables"].values():
            proposal = table["proposal"]
            if table["result"] or not (proposal or table["phase"] == "resolving"):
                continue
            page = self.judge.go("/judge")
            self.judge.open_sheet(table["table"])
            if proposal and proposal["approval"]:
                page.locator("dialog [data-act=approve]").click()
            elif table["phase"] == "resolving":
                form = page.locator("dialog [data-form=rule]")
                form.locator("label", has=page.locator("[value=A]")).click()
                form.locator("[name=final]").check()
                games = (
                    {"games_a": 2, "games_b": 1} if form.locator("[name=games_a]").count() else {}
                )
                self.judge.submit(form, **games, reason="decided at the table")
            else:
                page.keyboard.press("Escape")
                continue
            self.judge.done()
            page.keyboard.press("Escape")  # a page that is left with its sheet comes back with it
            expect(page.locator("dialog.sheet")).to_have_count(0)

    def people(self, number):
        self.leave(number)
        self.come_back(number)

    def leave(self, number):
        self._person(number, "drop", "undrop")
        assert any(number in asked for asked in self.organiser.asked)

    def come_back(self, number):
        """Somebody who dropped plays the next round again."""
        self._person(number, "undrop", "drop")

    def _person(self, number, act, after):
        row = self.organiser.panel("people").locator("tr", has_text=number)
        row.locator(f"[data-act={act}]").click()
        self.organiser.done()
        expect(row.locator(f"[data-act={after}]")).to_be_visible()

    def plays(self, name, number):
        """Return whether a person is paired in a round, or has its bye."""
        pairings = self.desk.ask(lambda station: station.archive.roster.pairings_of(number))
        return any(one and name in (one.name, one.number) for p in pairings for one in (p.a, p.b))

    def standings(self, players):
        panel = self.organiser.panel("standings")
        expect(panel.locator("tbody tr")).to_have_count(players)

    def close(self):
        """Everything goes home: lists and exports, and the boards are let go."""
        panel = self.organiser.panel("files")
        addresses = panel.locator("a.button").evaluate_all("(all) => all.map((one) => one.href)")
        assert len(addresses) > 5
        for address in addresses:
            assert bought(self.organiser.page, address)
        packing = self.organiser.panel("packing")
        packing.locator("[data-act=close_event]").click()
        self.organiser.done()
        for _ in range(_PACKED_MIN):
            self.desk.advance(60)
            if json.loads(bought(self.organiser.page, f"{self.desk.url}/api/packing"))["ready"]:
                break
        expect(packing.locator(".good").first).to_be_visible()
        self.organiser.panel("files")
        self.receipt = self.organiser.panel("packing").locator(".receipt .words").inner_text()
        browser.photograph(self.organiser.page, f"{self.desk.title}-receipt")

    def draft(self, cut=""):
        """Draft the next round; where a rank is shared across the cut, name who goes on."""
        form = self.organiser.panel("rounds").locator("[data-form=draft]")
        self.organiser.submit(form, cut=cut)
        refused, drafted = (
            self.organiser.page.locator(".note.bad"),
            self.organiser.page.locator(".round [data-act=drop_draft]"),
        )
        expect(refused.or_(drafted).first).to_be_visible()
        if refused.count():
            asked = refused.inner_text()
            places = int(re.findall(r"\d+", asked.partition("(")[0])[2])
            names = re.findall(r"\((\w+)\)", asked)
            self.organiser.submit(form, cut=cut, through=" ".join(names[:places]))
            expect(drafted).to_be_visible()
            expect(refused).to_have_count(0)
            self.chromium.errors.clear()  # a browser says itself that an act was refused
        self.organiser.done()

    def leave_pages(self):
        for one in filter(None, (self.organiser, self.judge, self.player, self.wall)):
            one.page.context.close()

    def photograph(self, name):
        for who in ("organiser", "judge", "player", *(["wall"] if self.wall else [])):
            browser.photograph(getattr(self, who).page, f"{name}-{who}")


def bought(page, address):
    """Return what a page's session downloads at an address, as bytes."""
    answer = page.request.get(address)
    assert answer.ok, f"{answer.status} {address}"
    return answer.body()


def play(chromium, folder, locale, table_coin, parts, programme=None, closes=True):
    """Play the parts of an evening, functions of an Evening, over the event imported in ``folder``,
    or with a ``programme``; return it once its desk is closed, and before that the event if it
    ``closes``. ``table_coin`` is (what a seat asks of the board, whether both approve first). Its
    pages are photographed, also where a part fails.
    """
    with EveningDesk(folder, programme=programme) as desk:
        evening = Evening(chromium, desk, locale, *table_coin, wall=programme is None)
        try:
            for part in parts:
                part(evening)
            if closes:
                evening.close()
        finally:
            evening.photograph(f"{desk.title}-{locale}")
            evening.leave_pages()
    assert not (chromium.errors or chromium.strangers), (chromium.errors, chromium.strangers)
    return evening


def taken_home(path, folder, receipt, capsys, monkeypatch):
    """Back an archive up, restore it elsewhere, audit the copy and compare it with the event's
    receipt; return the audit's code and words."""
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", "three turns after time")
    stick, home = folder / "stick", folder / "home"
    stick.mkdir()
    home.mkdir()
    code, told = 0, ""
    for words in (
        ("backup", stick, path),
        ("restore", stick, home / "event.plusthree"),
        ("audit", home / "event.plusthree", "--against", path, "--receipt", receipt),
    ):
        code = code or plusthree(*words)
        shown = capsys.readouterr()
        told += shown.out + shown.err
    return code, told
