"""The rooms of this process, as browsers enter them: by the token of a seat."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphs.room import Room
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import RoomError
from rescue_agent.rooms.log import Event, RoomLog
from rescue_agent.rooms.pace import Pace
from rescue_agent.rooms.seats import Seat, Seats
from rescue_agent.safety.notices import NoticeClock
from rescue_agent.safety.private import PrivateTalk
from rescue_agent.settings import settings
from rescue_agent.taxonomy import Scenario

ROOMS_AT_ONCE, ROOMS_A_SECOND = 40, 2.0
TURNS_AT_ONCE, TURNS_A_SECOND = 8, 1.0
"""What all browsers together may open, and one seat may say; more is refused at once, so that nobody waits behind it."""


@dataclass
class Live:
    """What is going on in a room right now, for every browser to see.

    Attributes:
        writing: the supporter's reply as far as it is written; None when none is.
        stopped_at: the last event when somebody stopped the supporter: nothing that was said up to there gets a reply any more.
    """

    writing: str | None = None
    stopped_at: int = 0


class Rooms:
    """The rooms of this process. A browser knows a room by its seat's token; who sits there is looked up, never taken from the browser."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.folder = settings().private_folder("rooms")
        self.log = RoomLog(self.folder / "rooms.sqlite")
        self.seats = Seats(self.log.path)
        self.notices: defaultdict[str, NoticeClock] = defaultdict(NoticeClock)
        self.private: defaultdict[str, PrivateTalk] = defaultdict(PrivateTalk)
        self._opening, self._saying = Pace(ROOMS_AT_ONCE, ROOMS_A_SECOND), Pace(TURNS_AT_ONCE, TURNS_A_SECOND)
        self.live: defaultdict[str, Live] = defaultdict(Live)

    def create(self, scenario: str, names: str, *, facilitator: str | None = "", open_panel: bool | None = False) -> Room:
        """A new room for the comma-separated `names`. Raises RoomError for names that cannot be used, or when too many are being opened."""
        if not self._opening.take(""):
            raise RoomError("too many rooms are being opened; try again in a moment")
        people: Sequence[str] = [name for name in names.split(",") if name.strip()]
        kind: Scenario = "family" if scenario == "family" else "couple"
        return Room.create(
            kind,
            people,
            log=self.log,
            engine=self.engine,
            folder=self.folder,
            window=settings().window,
            facilitator=(facilitator or "").strip(),
            open_panel=bool(open_panel),
        )

    def open(self, room_id: str, *, recover: bool = True) -> Room:
        """The room of this id; `recover` as `Room.open`. Raises RoomError when there is none."""
        return Room.open(room_id, log=self.log, engine=self.engine, folder=self.folder, window=settings().window, recover=recover)

    def enter(self, token: str) -> tuple[Seat, Room]:
        """The seat of a token, and its room with everything answered that was left open. Raises RoomError when there is none."""
        seat = self.seats.find(token)
        return seat, self.open(seat.room)

    def look(self, token: str) -> tuple[Seat, Room]:
        """The seat of a token, and its room as it is: nothing is waited for. Raises RoomError when there is none."""
        seat = self.seats.find(token)
        return seat, self.open(seat.room, recover=False)

    def invite(self, room: Room, *, shared: bool) -> Mapping[str, str]:
        """Make the seats of a room: name -> token; a shared device's name is empty."""
        room_id, card = room.card.room_id, room.card
        seats = {"": self.seats.issue(room_id, "shared")} if shared else self._own_seats(room)
        return seats | ({card.facilitator: self.seats.issue(room_id, "facilitator", card.facilitator)} if card.facilitator else {})

    def _own_seats(self, room: Room) -> dict[str, str]:
        return {name: self.seats.issue(room.card.room_id, "participant", name) for name in room.card.participants}

    def let_speak(self, token: str) -> None:
        """Let a seat say something. Raises RoomError when it goes too fast."""
        if not self._saying.take(token):
            raise RoomError("that was a lot at once; slow down a little, and send it again")

    def answer(self, room: Room, said: Event) -> None:
        """Let the supporter answer what was said; every browser sees the reply as it is written, and may stop it."""
        live = self.live[room.card.room_id]

        def stopped() -> bool:
            return live.stopped_at >= said.seq

        def written(text: str) -> None:
            live.writing = None if stopped() else text

        try:
            room.answer(said, streamed=written, stopped=stopped)
        finally:
            live.writing = None

    def stop(self, token: str) -> None:
        """Stop the supporter of a seat's room: what it writes vanishes and is not said. Raises RoomError when there is no such seat."""
        room_id = self.seats.find(token).room
        live = self.live[room_id]
        live.stopped_at, live.writing = self.log.last_seq(room_id), None

    def version(self, room_id: str) -> str:
        """What changes whenever there is something new to see."""
        return f"{self.log.last_seq(room_id)} {self.live[room_id].writing or ''}"

    def delete(self, token: str) -> None:
        """Delete the room of a seat, its seats and its private talks."""
        seat, room = self.look(token)
        room.delete()
        self.seats.delete_room(seat.room)
        self.private.pop(token, None)
        self.live.pop(seat.room, None)
