"""The words on paper, in English and Italian: ``TEXTS[key]`` is ``(English, Italian)``."""

LANGUAGES = ("en", "it")

TEXTS = {
    "pairings": ("Pairings by table", "Abbinamenti per tavolo"),
    "names": ("Pairings by name", "Abbinamenti per nome"),
    "slips": ("Result slips", "Tagliandi dei risultati"),
    "outstanding": ("Results still to come", "Risultati mancanti"),
    "incidents": ("Incident log", "Registro degli episodi"),
    "standings": ("Standings", "Classifica"),
    "codes": ("One-time codes", "Codici monouso"),
    "cross_out": ("Keep this sheet to yourself. Use each code once, in order, and cross it out.",
                  "Foglio riservato. Usare ogni codice una volta, in ordine, e barrarlo."),
    "round": ("Round", "Turno"),
    "table": ("Table", "Tavolo"),
    "player": ("Player", "Giocatore"),
    "opponent": ("Opponent", "Avversario"),
    "number": ("Number", "Numero"),
    "bye": ("bye", "bye"),
    "rank": ("Rank", "Pos."),
    "minutes": ("min", "min"),
    "untimed": ("untimed", "senza limite"),
    "wins": ("wins", "vince"),
    "tie": ("tie", "patta"),
    "games": ("Games won", "Partite vinte"),
    "destroyed": ("Points destroyed", "Punti distrutti"),
    "signature": ("Signature", "Firma"),
    "judge": ("Judge", "Arbitro"),
    "extension": ("Extension", "Tempo aggiunto"),
    "none_open": ("Every result is in.", "Tutti i risultati sono arrivati."),
    "none_happened": ("Nothing has been logged.", "Nessun episodio registrato."),
    "time": ("Time", "Ora"),
    "what": ("What", "Che cosa"),
    "who": ("By", "Da"),
    "why": ("Reason", "Motivo"),
    "state": ("State", "Stato"),
    "as_of": ("as of", "aggiornato alle"),
    "still_open": ("still to come", "da ricevere"),
    "points": ("Points", "Punti"),
    "margin": ("Margin", "Margine"),
    "sos": ("Schedule", "Calendario"),
    "opponents_wins": ("Opponents’ wins", "Vittorie avversari"),
    "opponents_opponents_wins": ("Their opponents’ wins", "Vittorie avv. degli avv."),
    "game_wins": ("Games won", "Partite vinte"),
    "opponents_game_wins": ("Opponents’ games", "Partite avversari"),
    "done": ("done", "fatto"),
    "pending": ("under way", "in corso"),
    "refused": ("refused", "rifiutato"),
    "dropped": ("given up", "abbandonato"),
    "at_table": ("at the table", "al tavolo"),
    "by": ("by", "secondo"),
    "shared": ("Players at the same rank are told apart by nothing: ask the organiser.",
               "I giocatori a pari posizione non si distinguono: chiedere all’organizzatore."),
}  # fmt: skip

# what an incident comes to, with the places {minutes} {seats} {outcome} {a} {b}
HAPPENED = {
    "extension": ("extension, {minutes} min in all", "tempo aggiunto, in tutto {minutes} min"),
    "freeze": ("clock stopped", "orologio fermato"),
    "resume": ("clock goes on", "orologio ripreso"),
    "late": ("late or away: {seats}", "in ritardo o assente: {seats}"),
    "ruling": ("result ruled: {outcome} {a}–{b}", "risultato deciso: {outcome} {a}–{b}"),
    "reopened": ("result opened again", "risultato riaperto"),
    "prizes": ("prize penalty: ▲ +{a}, ● +{b}", "penalità in premi: ▲ +{a}, ● +{b}"),
    "roll": ("disputed roll ruled: {roll}", "lancio contestato deciso: {roll}"),
    "taken_back": ("taken back", "annullato"),
    "refused": ("result refused: {seat}", "risultato rifiutato: {seat}"),
    "disputed": ("roll disputed: {seat}", "lancio contestato: {seat}"),
    "call": ("judge called", "arbitro chiamato"),
}
ROLLS = {"conclusive": ("conclusive", "valido"), "again": ("again", "da ripetere")}
OUTCOMES = {1: ("▲ wins", "vince ▲"), 2: ("● wins", "vince ●"), 3: ("tie", "patta")}


class Say:
    """The words of one language: ``say("round")``."""

    def __init__(self, language):
        self.language = language
        self._place = LANGUAGES.index(language)

    def __call__(self, key):
        """Return the text of a key of ``TEXTS``."""
        return self.of(TEXTS[key])

    def of(self, pair):
        """Return this language's half of a pair."""
        return pair[self._place]
