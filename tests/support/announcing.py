"""Boards that announce their result in their status, as one does that listens to a beacon."""

from firmware.core import announced, events, frames, phases


def milestone(board):
    """Return how often the round has begun or ended at a board's table."""
    log = board.journal
    return sum(log.kind(place) in events.MILESTONES for place in range(log.first, log.end))


def status(board, word=None, phase=phases.AGREED):
    """Return a fresh signed status that announces a ``word``, by default the match's own."""
    if word is None:
        word = announced.word(board.match, milestone(board))
    payload = frames.pack_status(word, phase, 0, frames.RESULT_ANNOUNCED, board.journal.news_head)
    return board.sync.inform(frames.STATUS, payload, 0)


def plain(board, phase):
    """Return a fresh signed status of a phase that announces nothing."""
    payload = frames.pack_status(0, phase, 0, 0, board.journal.news_head)
    return board.sync.inform(frames.STATUS, payload, 0)


def hear(venue, frame):
    venue.station.collector.on_advert(None, bytes(frame), venue.air.now_ms)
