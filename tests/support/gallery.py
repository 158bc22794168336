"""Pictures of every page in the states of an evening, to be looked at: three sizes, light and dark, English and Italian.

``.venv/bin/python tests/support/gallery.py [EVENING ...]`` leaves them in ``out/gallery``; nothing is asserted here.
"""

import json
import pathlib
import sys
import tempfile

import browser
import commands
import tomfile
import tree
import webevening
from playwright.sync_api import expect

from firmware.core import intents
from host.desk import paper_entry
from host.reports.paper import pdf
from host.sim.stage import ARCHIVE

OUT = tree.ROOT / "out" / "gallery"
SIZES = {"phone": (390, 844), "laptop": (1366, 768), "projector": (1920, 1080)}
LOCALES = {"en": "en-GB", "it": "it-IT"}
PANELS = ("rounds", "outstanding", "results", "standings", "people", "room", "checks", "luck", "incidents", "packing", "boards", "files", "links", "log")  # fmt: skip
GIVEN = ("Maria Vittoria", "Gianluca", "Alessandra", "Pierfrancesco", "Niccolò", "Ludovica", "Massimiliano", "Bianca Maria")  # fmt: skip
FAMILY = ("Dell’Acquasanta", "Bianchi", "Mastropasqua-Lo Monaco", "D’Agostino", "Rossi", "Quattrocchi", "Vanzan", "Castelvetrano")  # fmt: skip
FOR_A_CARD, FOR_COLOURS = 2 << 4, 4 << 4


def names(count):
    """Return names as Italian lists have them, some of them long."""
    return [(GIVEN[n % 8], FAMILY[(n // 8 + n) % 8]) for n in range(count)]


def tom(players=64):
    """Round 1 of a Swiss event, paired and not played."""
    numbers = list(range(1000, 1000 + players))
    people = names(players)
    matches = [
        tomfile.match(0, n // 2 + 1, numbers[n], numbers[n + 1]) for n in range(0, players, 2)
    ]
    tomfile.NAMES[:] = people
    told = [tomfile.person(number) for number in range(players)]
    told = [one.replace(f'userid="{n}"', f'userid="{numbers[n]}"') for n, one in enumerate(told)]
    return tomfile.tournament(
        told, [tomfile.pod(2, numbers, [tomfile.round_(1, matches)])], name="Campionato regionale di primavera"
    )  # fmt: skip


def cryodex(players=16):
    """Round 1 of an Escalation event, paired and not played."""
    people = [" ".join(one) for one in names(players)]
    pairs = [{"player1": people[n], "player2": people[n + 1]} for n in range(0, players, 2)]
    one = {"round-type": "swiss", "round-number": 1, "matches": pairs}
    return json.dumps({"name": "Escalation di Bologna", "players": [{"name": name} for name in people], "rounds": [one]})  # fmt: skip


LOOKS = [("light", "en"), ("dark", "it")]  # unless all are asked for
ALL = [(look, language) for look in ("light", "dark") for language in LOCALES]


class Gallery:
    """Takes pictures of the pages of a desk; pages are kept by role and language."""

    def __init__(self, chromium, desk, name, looks):
        self._chromium, self._desk, self._name, self._looks = chromium, desk, name, looks
        self._pages, self.asked = {}, []

    def page(self, role, language="en"):
        """Return a role's page, opened once."""
        if (role, language) not in self._pages:
            page = self._chromium.open(self._desk.links[role], locale=LOCALES[language])
            page.on("dialog", self._answer)
            self._pages[role, language] = page
        return self._pages[role, language]

    def _answer(self, dialog):
        self.asked.append(dialog.message)
        dialog.dismiss()

    def take(self, name, role, path, act=lambda page: None, tall=0):
        """Take a view in every size, look and language; ``act(page)`` does what leads to it."""
        for language in LOCALES:
            page = self.page(role, language)
            page.set_viewport_size({"width": 1366, "height": 768})
            page.goto(self._desk.url + path)
            page.reload()
            expect(page.locator("main > *, .wall").first).to_be_visible()
            page.evaluate("document.fonts.ready")
            act(page)
            page.wait_for_timeout(300)
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": tall or height})
                self._photograph(page, f"{name}-{size}", language)
                if size == "phone":
                    told = faults(page)
                    if told:
                        print(self._name, name, language, *told, sep="\n   ")

    def _photograph(self, page, name, language):
        for look in [look for look, of in self._looks if of == language]:
            page.evaluate(f"document.documentElement.dataset.theme = '{look}'")
            page.evaluate(_PAINTED)
            file = OUT / self._name / f"{name}-{look}-{language}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=file)

    def everywhere(self, stage, panels=PANELS):
        """Every page once."""
        self.take(f"{stage}-judge", "judge", "/judge")
        for name in ("hall", "seats", "wall", "check"):
            self.take(f"{stage}-{name}", "viewer", f"/{name}")
        for panel in panels:
            self.take(f"{stage}-desk-{panel}", "organiser", f"/desk#{panel}")

    def send(self, panel, form, role="organiser", **fields):
        """Fill and send a form of the desk."""
        page = self.page(role)
        page.goto(f"{self._desk.url}/desk#{panel}")
        page.reload()
        node = page.locator(f"[data-form={form}]").first
        browser.fill(node, fields)
        node.locator("[type=submit]").first.click()
        page.wait_for_timeout(300)

    def papers(self, stage, *kinds):
        """Printed pages of the round, as a browser shows them."""
        for language in LOCALES:
            page = self.page("organiser", language)
            page.set_viewport_size({"width": 794, "height": 1123})
            for kind in kinds:
                page.goto(f"{self._desk.url}/api/paper/{kind}?language={language}")
                self._photograph(page, f"{stage}-paper-{kind}", language)

    def refused(self):
        """What a link that nobody made opens."""
        page = self._chromium.open(self._desk.links["viewer"])
        page.goto(self._desk.url + "/l/nobody-made-this")
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for look in ("light", "dark"):
                page.emulate_media(color_scheme=look)
                page.screenshot(path=OUT / self._name / f"a-refused-{size}-{look}.png")
        page.context.close()

    def asks(self, path, selector, nth=0):
        """Touch what asks a question, in both languages; the question is kept."""
        for language in LOCALES:
            page = self.page("organiser", language)
            page.goto(self._desk.url + path)
            page.reload()
            page.locator(selector).nth(nth).click()
            page.wait_for_timeout(400)


_PAINTED = (
    """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""
)
_SMALL = """() => [...document.querySelectorAll("button, a, input:not([type=radio]):not([type=checkbox]), select, summary, label.choice")]
  .filter((one) => one.checkVisibility() && !one.closest(".skip") && !one.classList.contains("unseen"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
  .map(([one, box]) => `small ${Math.round(box.width)}x${Math.round(box.height)} ${one.tagName}.${one.className} ${one.textContent.slice(0, 30)}`)"""
_WIDE = """() => document.documentElement.scrollWidth > innerWidth ? [`wide ${document.documentElement.scrollWidth}`] : []"""


def faults(page):
    """Return controls too small for a finger, and a page wider than its window."""
    return sorted(set(page.evaluate(_SMALL) + page.evaluate(_WIDE)))


def opened(table):
    """Open a table's sheet."""

    def act(page):
        page.fill("input[type=search]", str(table))
        card = page.locator(f".card[data-table='{table}']")
        expect(page.locator(".card").first).to_be_visible()
        page.wait_for_timeout(700)
        card.click()
        expect(page.locator("dialog.sheet")).to_be_visible()

    return act


def unfolded(table):
    """Open a table's sheet with all of its parts."""

    def act(page):
        opened(table)(page)
        page.locator("dialog [data-act=history]").click()
        page.evaluate(
            "document.querySelectorAll('dialog details').forEach((one) => one.open = true)"
        )

    return act


def searched(text, selector="input[type=search]"):
    def act(page):
        page.fill(selector, text)

    return act


def scrolled(selector):
    def act(page):
        page.locator(selector).first.scroll_into_view_if_needed()

    return act


def p18(chromium, folder, looks):
    """A TOM event of 64 players, from the draft to the second round."""
    webevening.imported(folder, "cup.tdf", tom(), "--format", "p18 swiss bo3 constructed 50")
    with webevening.EveningDesk(folder) as desk:
        gallery = Gallery(chromium, desk, "p18", looks)
        gallery.refused()
        gallery.everywhere(
            "a-draft",
            ("rounds", "outstanding", "results", "standings", "packing", "checks", "luck"),
        )
        gallery.send("rounds", "choose_pack", pack="Pokémon Swiss, 3-1-0")
        desk.ask(lambda station: station.desk.publish(1))
        desk.advance(30)
        gallery.take("b-published-searched", "viewer", "/seats", searched("dell"))
        gallery.take("b-published-nobody", "viewer", "/seats", searched("nobodyatall"))
        gallery.everywhere("b-published", ("rounds", "results"))
        desk.sit(1)
        desk.ask(lambda station: station.desk.start(station.collector.now_ms + 270_000))
        desk.advance(200)
        gallery.everywhere("c-pregame", ("rounds",))
        desk.advance(70 + 13 * 60)
        trouble(desk)
        running(gallery, desk)
        dialogs(gallery, desk)
        alarm(gallery, desk)
        end(gallery, desk)
        closed(gallery, desk)
        print(*gallery.asked, sep="\n")


def trouble(desk):
    """What goes wrong in the first quarter of an hour."""
    for table in (3, 5, 6, 8, 14):
        desk.call_judge(table)
    desk.ask(lambda station: station.desk.extend(4, 4, "Bianca Maria Castelvetrano", "deck check"))
    desk.ask(lambda station: station.desk.freeze(9, "Olga", "deck check"))
    desk.ask(lambda station: station.desk.extend(12, 11, "Olga", "judge call"))
    desk.lose_board(7)
    desk.lose_board(10)
    desk.ask(lambda station: station.desk.policy(11, 1, "Olga"))
    desk.advance(30)
    for seat in (0, 1):
        desk.press(11, intents.CONSENT, seat)
    desk.press(11, intents.ROLL, FOR_A_CARD)
    desk.press(11, intents.DISPUTE_ROLL, 0)
    desk.advance(30)


def running(gallery, desk):
    """Mid-round."""
    page = gallery.page("judge")
    page.goto(desk.url + "/judge")
    page.locator(".call [data-act=claim]").nth(1).click()
    page.wait_for_timeout(1200)
    page.locator(".call [data-act=arrive]").nth(0).click()
    gallery.send("results", "result", table=10, outcome="A", number_a=2, number_b=0)
    gallery.send("results", "result", table=20, outcome="B", number_a=0, number_b=2)
    desk.advance(10)
    gallery.everywhere("d-running")
    gallery.take("d-running-sheet", "judge", "/judge", opened(4))
    for table in (4, 7, 9, 11):
        gallery.take(f"d-running-all{table}", "judge", "/judge", unfolded(table), tall=2200)
    gallery.take("d-running-found", "judge", "/judge", searched("mastro"))
    gallery.take("d-running-none", "judge", "/judge", searched("zzzz"))
    gallery.take("d-running-people", "organiser", "/desk#people", searched("vanz", ".search input"))


def dialogs(gallery, desk):
    """Refusals, questions and notes."""

    def refused(page):
        page.fill("[data-form=swap] [name=table]", "2")
        page.fill("[data-form=swap] [name=device]", "999")
        page.click("[data-form=swap] [type=submit]")
        expect(page.locator(".note.bad")).to_be_visible()

    def link(page):
        page.fill("[data-form=make_link] [name=name]", "Bianca Maria Castelvetrano")
        page.click("[data-form=make_link] [type=submit]")
        expect(page.locator(".link img")).to_be_visible()

    def wrong(page):
        opened(15)(page)
        form = page.locator("dialog [data-form=rule]")
        form.locator("[value=A]").check()
        form.locator("[name=games_a]").fill("0")
        form.locator("[name=games_b]").fill("2")
        form.locator("[name=reason]").fill("slip")
        form.locator("[type=submit]").first.click()
        expect(page.locator(".note.bad")).to_be_visible()

    gallery.take("e-refused", "organiser", "/desk#boards", refused)
    gallery.take("e-link", "organiser", "/desk#links", link)
    gallery.take("e-wrong", "judge", "/judge", wrong)
    gallery.asks("/desk#people", "td [data-act=drop]", 5)
    gallery.asks("/desk#packing", "[data-act=close_event]")
    gallery.asks("/desk#room", "[data-act=clear]")


def alarm(gallery, desk):
    """The whole room stands still."""
    gallery.send("room", "pause_all", reason="fire alarm")
    desk.advance(40)
    gallery.everywhere("f-stopped", ("room", "rounds"))
    gallery.page("organiser").goto(desk.url + "/desk#room")
    gallery.page("organiser").locator("[data-act=resume_all]").click()
    desk.advance(30)


def end(gallery, desk):
    """Near time, overtime, one table left, the round over, the next one."""
    desk.advance_until(
        lambda station: station.desk.start_ms + 46 * 60_000 < station.collector.now_ms
    )
    gallery.take("g-warning-judge", "judge", "/judge")
    gallery.take("g-warning-wall", "viewer", "/wall")
    desk.advance(8 * 60)
    gallery.everywhere("h-overtime", ("outstanding", "results", "room", "incidents", "rounds"))
    for _ in range(25):
        desk.advance(60)
        desk.rule_waiting()
    gallery.everywhere("i-late", ("outstanding", "results"))


def closed(gallery, desk):
    """The round is over; the next is drafted, published and the event packed up."""
    gallery.send("results", "result", table=7, outcome="tie", number_a=1, number_b=1)
    for table in (20,):
        desk.ask(
            lambda station, table=table: paper_entry.enter(
                station, table, "none", None, "Ada", "the board counts", sure=True
            )
        )
    for table in (3, 5, 6, 8, 14):
        desk.ask(
            lambda station, table=table: station.desk.command(intents.EndCall, table, author="Ada")
        )
    desk.advance(40)
    gallery.everywhere(
        "j-closed", ("outstanding", "results", "standings", "rounds", "packing", "incidents", "log")
    )
    gallery.papers("j-closed", "standings", "incidents", "names")
    gallery.send("rounds", "draft")
    gallery.everywhere("k-next", ("rounds", "people"))


def slips(desk, number, numbers):
    """Publish a round and type a slip for each of its tables: ▲ wins."""

    def play(station):
        if station.desk.round != number:
            station.desk.publish(number)
        results = station.hall.results(number)
        for one in station.archive.roster.pairings_of(number):
            if one.b is not None and one.pairing not in results:
                paper_entry.enter(station, one.table, "A", numbers, "Ada", "slip", sure=True)

    desk.ask(play)
    desk.advance(20)


def opening(gallery, desk, start_s):
    """Publish and start round 1 and let it run."""
    desk.ask(lambda station: station.desk.publish(1))
    desk.advance(30)
    gallery.everywhere("b-published", ("rounds",))
    desk.sit(1)
    desk.ask(lambda station: station.desk.start(station.collector.now_ms + 270_000))
    desk.advance(270 + start_s)


def xwing(chromium, folder, looks):
    """An Escalation event of 16 players."""
    webevening.imported(folder, "escalation.json", cryodex())
    with webevening.EveningDesk(folder) as desk:
        gallery = Gallery(chromium, desk, "xwing", looks)
        opening(gallery, desk, 600)
        desk.call_judge(3)
        desk.lose_board(4)
        gallery.send("results", "result", table=4, outcome="B", number_a=20, number_b=41)
        gallery.send("results", "result", table=2, outcome="A", number_a=51, number_b=12)
        gallery.everywhere("d-running", ("results", "standings", "luck", "files"))
        for table in (1, 4):
            gallery.take(f"d-running-all{table}", "judge", "/judge", unfolded(table), tall=2200)
        for _ in range(70):
            desk.advance(60)
            desk.rule_waiting()
        gallery.everywhere("i-late", ("outstanding", "results", "standings", "incidents"))
        cut(gallery, desk)
        print(*gallery.asked, sep="\n")


def cut(gallery, desk):
    """The other rounds from slips, and the announced elimination."""
    for number in (1, 2, 3, 4):
        slips(desk, number, (60 - number, 10 + number))
        if number < 4:
            gallery.send("rounds", "draft")
            desk.advance(5)
    gallery.everywhere("j-swiss", ("results", "standings", "rounds"))
    gallery.send("rounds", "draft", cut=4)
    desk.advance(5)
    gallery.everywhere("k-cut", ("rounds",))
    desk.ask(lambda station: station.desk.publish(station.archive.roster.rounds[-1]))
    desk.advance(30)
    gallery.everywhere("l-semifinal", ("rounds", "outstanding", "results"))


def pods(chromium, folder, looks):
    """Sixteen players draft in two pods."""
    people = "number,name\n" + "".join(
        f"{n},{' '.join(one)}\n" for n, one in enumerate(names(16), 1)
    )
    (folder / "people.csv").write_text(people, encoding="utf-8")
    file = folder / "round1.csv"
    assert commands.plusthree(
        "pair", file, "--players", folder / "people.csv", "--seed", 4, "--format", "d03 swiss limited 30",
        "--pods", "rochester", "--pack", tree.ROOT / "host/tournament/rulepacks/dci-2003.toml", "--event", "Draft di Natale",
    ) == 0  # fmt: skip
    assert commands.plusthree("import", file, folder / ARCHIVE) == 0
    with webevening.EveningDesk(folder) as desk:
        gallery = Gallery(chromium, desk, "pods", looks)
        opening(gallery, desk, 600)
        gallery.send("rounds", "choose_pack", pack="DCI Swiss, 3-2-1-0")
        gallery.everywhere("d-running", ("rounds", "results", "standings", "files"))
        gallery.papers("d-running", "pods", "standings", "pairings")
        for _ in range(50):
            desk.advance(60)
            desk.rule_waiting()
        gallery.everywhere("i-late", ("outstanding", "results", "standings", "incidents"))
        for number in (1, 2, 3):
            slips(desk, number, None)
            gallery.send("rounds", "draft", **({"cut": 8} if number == 3 else {}))
            desk.advance(5)
            gallery.take(f"k-draft{number + 1}-rounds", "organiser", "/desk#rounds")
        gallery.everywhere("l-second", ("standings",))


def registered(n, whole):
    """Return a line of the teams' file."""
    team = f"{whole[2 * n][1]} & {whole[2 * n + 1][1]}"
    a, b = (" ".join(one) for one in whole[2 * n : 2 * n + 2])
    return f"{9001 + 2 * n},{team},Gioco Libero,Torino,{n}1,{a},{n}2,{b}\n"


def teams(chromium, folder, looks):
    """Teams of two (D03 App. B)."""
    whole = names(32)
    rows = [
        f"{n + 1},{9001 + 2 * n},{whole[2 * n][1]} & {whole[2 * n + 1][1]},{9002 + 2 * n},I draghi di {whole[2 * n][1]}"
        for n in range(8)
    ]
    (folder / "round1.csv").write_text(
        "# event: Coppa a squadre\n# round: 1\n# format: d03 team swiss bo1 constructed 50\ntable,number_a,name_a,number_b,name_b\n"
        + "\n".join(rows) + "\n", encoding="utf-8",
    )  # fmt: skip
    assert commands.plusthree("import", folder / "round1.csv", folder / ARCHIVE) == 0
    (folder / "teams.csv").write_text(
        "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
        + "".join(registered(n, whole) for n in range(8)), encoding="utf-8",
    )  # fmt: skip
    assert commands.plusthree("import", folder / "teams.csv", folder / ARCHIVE) == 0
    with webevening.EveningDesk(folder) as desk:
        gallery = Gallery(chromium, desk, "teams", looks)
        opening(gallery, desk, 600)
        gallery.send("rounds", "choose_pack", pack="DCI Swiss, 3-2-1-0")
        gallery.everywhere("d-running", ("rounds", "results", "standings", "files"))
        gallery.papers("d-running", "names", "slips", "standings", "pairings")
        gallery.take("d-running-all1", "judge", "/judge", unfolded(1), tall=2200)


EVENINGS = {"p18": p18, "xwing": xwing, "pods": pods, "teams": teams}


def main(wanted):
    looks = ALL if "all" in wanted else LOOKS
    with browser.browsers(pdf.chromium()) as made, made.shared() as chromium:
        for name in [one for one in wanted if one in EVENINGS] or EVENINGS:
            with tempfile.TemporaryDirectory() as folder:
                EVENINGS[name](chromium, pathlib.Path(folder), looks)


if __name__ == "__main__":
    main(sys.argv[1:])
