"""Real processes: Python children that a test talks to over pipes, and kills."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OPEN = """
import os, signal, sys
from pathlib import Path
from graphs.room import Room
from rescue_agent.engines.registry import make_engine
from rescue_agent.rooms.log import Kind, RoomLog

folder, room_id = Path(sys.argv[1]), sys.argv[2]
log, engine = RoomLog(folder / "rooms.sqlite"), make_engine("majority")
services = {"log": log, "engine": engine, "folder": folder}
"""
"""How a child begins that uses a room: arguments are the folder and the room's id."""


def start(script, *arguments):
    """Start a child that runs `script`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(child):
    """(exit code, standard output, standard error) of a child once it has ended."""
    out, err = child.communicate(timeout=120)
    return child.returncode, out, err
