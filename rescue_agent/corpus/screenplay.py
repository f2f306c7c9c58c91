"""The screenplay format: an episode as plain text that a person can write and read (docs/screenplay.md).

`parse(render(episodes)) == episodes` for every episode that the schema can hold.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rescue_agent.errors import InputError
from rescue_agent.schema import (
    BackgroundUtterance,
    Episode,
    InteractionCue,
    InternalEmotion,
    PersonCue,
    Row,
    SupportStrategy,
    ViewpointAttitude,
)
from rescue_agent.taxonomy import SCENARIOS, SUPPORTER


class _Place(NamedTuple):
    """Where in the file we are; columns count from 1."""

    name: str
    line: int
    column: int = 1

    def error(self, problem: str, remedy: str = "") -> InputError:
        return InputError.at(f"{self.name}:{self.line}:{self.column}", problem, remedy)

    def after(self, offset: int) -> "_Place":
        return self._replace(column=self.column + offset)


# Values -------------------------------------------------------------------------------------------------------------
# A value is bare text, or a JSON string where bare text could not be read back.

_BARE_HEAD = re.compile(r"[^\s\"\[\](){}#>@~|:,=/]")


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=len(text.splitlines()) > 1)


def _is_bare(text: str, *forbidden: str) -> bool:
    """Whether `text` survives being written as it is: one line, no blanks at its ends, none of the separators in it."""
    return (
        text != ""
        and text == text.strip()
        and len(text.splitlines()) == 1
        and not text.startswith(('"', "(", "//", "@"))
        and not _opens_a_string(text)
        and not any(separator in f" {text} " for separator in (" | ", *forbidden))
    )


_BEFORE_QUOTE = tuple(" (:>,{[")


def _opens_a_string(text: str) -> bool:
    """Whether a quotation mark in `text` would be read as the start of a JSON string that ends only behind it, in another item."""
    at = 0
    while (at := text.find('"', at)) >= 0:
        start, may_open = at, text[at - 1 : at] in _BEFORE_QUOTE
        at = _string_end(text, at) if may_open else at + 1
        if may_open and at == start + 1:
            return True
    return False


def _string_end(line: str, at: int) -> int:
    """Where the JSON string that starts at `at` ends; just behind the quote when it is no JSON string."""
    try:
        return json.JSONDecoder().raw_decode(line, at)[1]
    except json.JSONDecodeError:
        return at + 1


def _value(text: str, *forbidden: str) -> str:
    return text if _is_bare(text, *forbidden) else _quote(text)


def _name(name: str) -> str:
    """A name inside a row's head or an item's address: bare only when it cannot be mistaken for a separator."""
    plain = bool(name) and name == name.strip() and all(_BARE_HEAD.match(c) or c == " " for c in name)
    return name if plain else _quote(name)


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(_name, names))


class _Reader:
    """A cursor over one line (or one item of it)."""

    def __init__(self, text: str, place: _Place) -> None:
        self.text, self.place, self.at = text, place, 0

    @property
    def here(self) -> _Place:
        return self.place.after(self.at)

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1

    def take(self, token: str) -> bool:
        """Consume `token` (after blanks) if it comes next."""
        self.skip()
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def expect(self, token: str, meaning: str) -> None:
        if not self.take(token):
            raise self.here.error(f"{token!r} expected {meaning}")

    def quoted(self) -> str | None:
        """A JSON string, if one comes next."""
        if not self.text.startswith('"', self.at):
            return None
        try:
            value, end = json.JSONDecoder().raw_decode(self.text, self.at)
        except json.JSONDecodeError:
            return None
        self.at = end
        return str(value)

    def name(self) -> str:
        self.skip()
        if (quoted := self.quoted()) is not None:
            return quoted
        start = self.at
        while self.at < len(self.text) and (self.text[self.at] == " " or _BARE_HEAD.match(self.text[self.at])):
            self.at += 1
        name = self.text[start : self.at].strip()
        if not name:
            raise self.here.error("a name is missing", "write a name, or quote an unusual one")
        return name

    def names(self) -> tuple[str, ...]:
        found = [self.name()]
        while self.take(","):
            found.append(self.name())
        return tuple(found)

    def names_if_any(self) -> tuple[str, ...]:
        return self.names() if self.text[self.at :].strip() else ()

    def addressees(self) -> tuple[str, ...]:
        return self.names() if self.take(">") else ()

    def numbers(self) -> tuple[int, ...]:
        """Row numbers in round brackets, if any."""
        if not self.take("("):
            return ()
        end = self.text.find(")", self.at)
        inside = self.text[self.at : end] if end >= 0 else self.text[self.at :]
        if end < 0 or not re.fullmatch(r"\s*-?\d+(\s*,\s*-?\d+)*\s*", inside):
            raise self.here.error(f"row numbers expected in round brackets, found {inside[:30]!r}", "write (3, 5)")
        self.at = end + 1
        return tuple(int(n) for n in inside.split(","))

    def person(self, speaker: str) -> str:
        """A person in round brackets, else the speaker."""
        if self.text[self.at : self.at + 1] != "(":
            return speaker
        self.at += 1
        name = self.name()
        self.expect(")", "after the person")
        return name

    def value(self, until: str = "") -> str:
        """A value up to the separator `until`, or to the end. A JSON string counts only when nothing follows it there."""
        self.skip()
        start = self.at
        quoted = self.quoted()
        rest = self.text[self.at :].lstrip()
        if quoted is not None and (not rest or (until and rest.startswith(until.strip()))):
            return quoted
        end = self.text.find(until, start) if until else len(self.text)
        self.at = end if end >= 0 else len(self.text)
        return self.text[start : self.at].strip()

    def end(self) -> None:
        self.skip()
        if self.at < len(self.text):
            raise self.here.error(f"unexpected {self.text[self.at :][:30]!r}")

    def json(self) -> dict[str, Any]:
        self.skip()
        try:
            value = json.loads(self.text[self.at :])
        except json.JSONDecodeError as error:
            raise self.here.error(f"not JSON: {error.msg}") from None
        if not isinstance(value, dict):
            raise self.here.error("a JSON object is expected")
        self.at = len(self.text)
        return value


def _read_number(text: str, place: _Place, meaning: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise place.error(f"{meaning} must be a number, not {text!r}") from None


# Items: one reader and one writer for each annotation ---------------------------------------------------------------


def _read_feels(r: _Reader, speaker: str) -> InternalEmotion:
    person = r.person(speaker)
    description = r.value(until=" @")
    intensity = _read_number(r.value(), r.here, "intensity") if r.take("@") else None
    return InternalEmotion(person=person, emotion_description=description, intensity=intensity)


def _read_sees(r: _Reader, speaker: str) -> ViewpointAttitude:
    source, target = r.person(speaker), r.name()
    r.expect(":", "after the person who is seen")
    viewpoint = r.value(until=" ~ ")
    return ViewpointAttitude(source=source, target=target, viewpoint=viewpoint, attitude=r.value() if r.take("~") else "")


def _read_cue(r: _Reader, speaker: str) -> PersonCue:
    return PersonCue(person=r.person(speaker), description=r.value())


def _read_act(r: _Reader, speaker: str) -> InteractionCue:
    initiator, target = r.person(speaker), r.addressees()
    r.expect(":", "before what is done")
    return InteractionCue(initiator=initiator, target=target, description=r.value())


def _read_aside(r: _Reader, _: str) -> BackgroundUtterance:
    speaker, target = r.name(), r.addressees()
    r.expect(":", "before what is said")
    return BackgroundUtterance(speaker=speaker, target=target, content=r.value())


def _read_move(r: _Reader, speaker: str) -> SupportStrategy:
    provider, label, target = r.person(SUPPORTER), r.name(), r.addressees()
    return SupportStrategy(provider=provider, strategy_type=label, target=target, strategy_content=r.value() if r.take(":") else "")


def _read_state(r: _Reader) -> tuple[str, tuple[int, ...], str]:
    label = "" if r.text[r.at :].lstrip().startswith(("(", ":")) else r.name()
    rows = r.numbers()
    return label, rows, r.value() if r.take(":") else ""


# item word -> (schema field, reader); the fields of these hold a list
_LISTS: dict[str, tuple[str, Callable[[_Reader, str], Any]]] = {
    "feels": ("internal_emotion", _read_feels),
    "sees": ("viewpoints_attitudes", _read_sees),
    "face": ("facial_expressions", _read_cue),
    "posture": ("body_posture", _read_cue),
    "self": ("self_directed_behavior", _read_cue),
    "act": ("interaction_behavior", _read_act),
    "aside": ("background_dialogue", _read_aside),
    "move": ("support_strategy", _read_move),
}
_WORDS = (*_LISTS, "type", "tone", "cycle", "pattern", "meta")


def _split_items(line: str, place: _Place) -> Iterator[tuple[str, _Place]]:
    """Cut an annotation line at ` | ` outside JSON strings."""
    start = i = 0
    while i < len(line):
        if line[i] == '"' and line[i - 1 : i] in _BEFORE_QUOTE:
            i = _string_end(line, i)
        elif line.startswith(" | ", i):
            yield line[start:i], place.after(start)
            start = i = i + 3
        else:
            i += 1
    yield line[start:], place.after(start)


def _read_item(text: str, place: _Place, row: dict[str, Any]) -> None:
    """Read one annotation into the raw `row`."""
    stripped = text.lstrip()
    place = place.after(len(text) - len(stripped))
    word = (re.match(r"[a-z]*", stripped) or [""])[0]
    if word not in _WORDS:
        raise place.error(f"unknown annotation {stripped[:20]!r}", f"known are {', '.join(_WORDS)}")
    r = _Reader(stripped.rstrip(), place)
    r.at = len(word)
    if word in _LISTS:
        field, read = _LISTS[word]
        row.setdefault(field, []).append(read(r, row["primary_speaker"]))
    elif word == "meta":
        row["meta"] = r.json()
    elif word in ("cycle", "pattern"):
        prefix = "relation_cycle" if word == "cycle" else "relation_pattern"
        label, rows, reason = _read_state(r)
        row["relation_cycle_state" if word == "cycle" else "relation_pattern"] = label
        row[f"{prefix}_evidence_rows"], row[f"{prefix}_reason"] = rows, reason
    else:
        row["utterance_type" if word == "type" else "tone_of_voice"] = r.value()
    r.end()


def _person(word: str, person: str, speaker: str) -> str:
    return word if person == speaker else f"{word}({_name(person)})"


def _to(target: tuple[str, ...]) -> str:
    return f" > {_names(target)}" if target else ""


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _write_state(word: str, label: str, rows: tuple[int, ...], reason: str) -> str:
    head = " ".join(part for part in (word, _name(label) if label else "", f"({', '.join(map(str, rows))})" if rows else "") if part)
    return f"{head}: {_value(reason)}" if reason else head


def _write_items(row: Row) -> Iterator[str]:
    """Yield the annotations of a row, in the order in which a reader wants them."""
    speaker = row.primary_speaker
    if row.utterance_type:
        yield f"type {_value(row.utterance_type)}"
    if row.tone_of_voice:
        yield f"tone {_value(row.tone_of_voice)}"
    for e in row.internal_emotion:
        intensity = "" if e.intensity is None else f" @{_number(e.intensity)}"
        yield f"{_person('feels', e.person, speaker)} {_value(e.emotion_description, ' @')}{intensity}"
    for v in row.viewpoints_attitudes:
        attitude = f" ~ {_value(v.attitude)}" if v.attitude else ""
        yield f"{_person('sees', v.source, speaker)} {_name(v.target)}: {_value(v.viewpoint, ' ~ ')}{attitude}"
    for word, cues in (("face", row.facial_expressions), ("posture", row.body_posture), ("self", row.self_directed_behavior)):
        yield from (f"{_person(word, cue.person, speaker)} {_value(cue.description)}" for cue in cues)
    for act in row.interaction_behavior:
        yield f"{_person('act', act.initiator, speaker)}{_to(act.target)}: {_value(act.description)}"
    for aside in row.background_dialogue:
        yield f"aside {_name(aside.speaker)}{_to(aside.target)}: {_value(aside.content)}"
    for m in row.support_strategy:
        content = f": {_value(m.strategy_content)}" if m.strategy_content else ""
        yield f"{_person('move', m.provider, SUPPORTER)} {_name(m.strategy_type)}{_to(m.target)}{content}"
    if row.relation_cycle_state or row.relation_cycle_evidence_rows or row.relation_cycle_reason:
        yield _write_state("cycle", row.relation_cycle_state, row.relation_cycle_evidence_rows, row.relation_cycle_reason)
    if row.relation_pattern or row.relation_pattern_evidence_rows or row.relation_pattern_reason:
        yield _write_state("pattern", row.relation_pattern, row.relation_pattern_evidence_rows, row.relation_pattern_reason)
    if row.meta:
        yield f"meta {_json(row.meta)}"


# Rows and episodes --------------------------------------------------------------------------------------------------


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)


def _read_times(r: _Reader) -> tuple[float | None, float | None]:
    """`[START .. END]`, either side may be empty."""
    if not r.take("["):
        return None, None
    end = r.text.find("]", r.at)
    parts = r.text[r.at : max(end, r.at)].split("..")
    if end < 0 or len(parts) != 2:
        raise r.here.error("times must read [START .. END] in seconds")
    start_time, end_time = (_read_number(part.strip(), r.here, "a time") if part.strip() else None for part in parts)
    r.at = end + 1
    return start_time, end_time


def _read_head(line: str, place: _Place, default_index: int) -> dict[str, Any]:
    """Read a row's first line into a raw row."""
    r = _Reader(line, place)
    start, end = _read_times(r)
    index = default_index
    if r.take("#"):
        number = re.match(r"-?\d+", r.text[r.at :])
        if not number:
            raise r.here.error("a row number is expected after '#'")
        index, r.at = int(number[0]), r.at + len(number[0])
    speaker, target = r.name(), r.addressees()
    r.expect(":", "between the speaker and what is said")
    return {
        "row_index": index,
        "start_time": start,
        "end_time": end,
        "primary_speaker": speaker,
        "target": target,
        "dialogue_cleaned": r.value(),
    }


def _write_row(row: Row, expected_index: int) -> str:
    times = ""
    if row.start_time is not None or row.end_time is not None:
        start, end = ("" if t is None else _number(t) for t in (row.start_time, row.end_time))
        times = f"[{start} .. {end}] "
    index = "" if row.row_index == expected_index else f"#{row.row_index} "
    head = f"{times}{index}{_name(row.primary_speaker)}{_to(row.target)}: {_value(row.dialogue_cleaned)}"
    return "\n".join([head, *_lines(_write_items(row))])


def _lines(items: Iterable[str], width: int = 140) -> Iterator[str]:
    """Pack items into indented lines of about `width` characters."""
    line = ""
    for item in items:
        if line and len(line) + len(item) > width:
            yield f"  {line}"
            line = ""
        line = f"{line} | {item}" if line else item
    if line:
        yield f"  {line}"


_HEADER = ("scenario", "people", "source", "backstory", "meta")


class _Draft:
    """An episode while it is being read."""

    def __init__(self, sample_id: str, place: _Place) -> None:
        self.sample_id, self.place = sample_id, place
        self.header: dict[str, Any] = {}
        self.in_header = True
        self.rows: list[dict[str, Any]] = []

    def read_header(self, line: str, place: _Place) -> None:
        r = _Reader(line, place)
        key = (re.match(r"[a-z]*", line) or [""])[0]
        if key not in _HEADER:
            raise place.error(f"unknown header line {line[:30]!r}", f"known are {', '.join(_HEADER)}; an empty line ends the header")
        r.at = len(key)
        r.expect(":", f"after {key!r}")
        self.header[key] = r.names_if_any() if key == "people" else r.json() if key == "meta" else r.value()
        r.end()

    def read_line(self, line: str, place: _Place) -> None:
        if not line.strip():
            self.in_header = self.in_header and not self.header
        elif line.startswith("//"):
            return
        elif self.in_header:
            self.read_header(line, place)
        elif line.startswith("  "):
            self.read_annotations(line, place)
        else:
            next_index = self.rows[-1]["row_index"] + 1 if self.rows else 1
            self.rows.append(_read_head(line, place, next_index))

    def read_annotations(self, line: str, place: _Place) -> None:
        if not self.rows:
            raise place.error("an annotation stands before the first row")
        for item, where in _split_items(line, place):
            _read_item(item, where, self.rows[-1])

    def finish(self) -> Episode:
        for key in ("scenario", "people"):
            if key not in self.header:
                raise self.place.error(f"the header of {self.sample_id!r} has no {key!r} line")
        if self.header["scenario"] not in SCENARIOS:
            raise self.place.error(f"scenario {self.header['scenario']!r} is unknown", f"known are {', '.join(SCENARIOS)}")
        meta = dict(self.header.get("meta", {}))
        if "backstory" in self.header:
            meta["backstory"] = self.header["backstory"]
        return Episode(
            sample_id=self.sample_id,
            scenario=self.header["scenario"],
            participants=self.header["people"],
            source_file=self.header.get("source", ""),
            rows=tuple(Row.model_validate(row) for row in self.rows),
            meta=meta,
        )


def parse(text: str, name: str = "<text>") -> list[Episode]:
    """Read the episodes of a screenplay.

    Args:
        text: the screenplay.
        name: the file's name, for messages.

    Raises:
        InputError: with file, line and column of the first mistake.
    """
    drafts: list[_Draft] = []
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1):
        place = _Place(name, number)
        if line.startswith("==="):
            drafts.append(_Draft(_Reader(line[3:], place.after(3)).value(), place))
        elif drafts:
            drafts[-1].read_line(line, place)
        elif line.strip() and not line.startswith("//"):
            raise place.error("an episode starts with a line '=== ID'")
    return [draft.finish() for draft in drafts]


def read(path: Path) -> list[Episode]:
    """Read a screenplay file (UTF-8). Raises InputError as `parse` does, and when the file cannot be read."""
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(str(path), f"cannot be read: {error}") from None


def _write_header(episode: Episode) -> Iterator[str]:
    meta = dict(episode.meta)
    yield f"=== {_value(episode.sample_id)}"
    yield f"scenario: {episode.scenario}"
    yield f"people: {_names(episode.participants)}"
    if episode.source_file:
        yield f"source: {_value(episode.source_file)}"
    if isinstance(backstory := meta.get("backstory"), str):
        yield f"backstory: {_value(backstory)}"
        del meta["backstory"]
    if meta:
        yield f"meta: {_json(meta)}"


def render(episodes: Iterable[Episode]) -> str:
    """Write episodes as a screenplay that `parse` reads back to equal episodes."""
    return "\n".join(map(_render_one, episodes))


def _render_one(episode: Episode) -> str:
    expected = [1, *(row.row_index + 1 for row in episode.rows)]
    rows = (_write_row(row, index) for row, index in zip(episode.rows, expected, strict=False))
    return "\n".join([*_write_header(episode), "", *rows, ""])
