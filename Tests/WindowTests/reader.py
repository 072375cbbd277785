"""Reads what is on a display as a screen reader does.

Prints what programs show there, a JSON list a line, first of all and each time it is another than before: role, name, whether it has
the focus, whether it can be used, and where it is in its window: left, top, width, height. Ends when its standard input does.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

# How often it looks, in milliseconds: not every change of GTK's is told to screen readers.
INTERVAL = 50


def place(node):
    try:
        found = node.get_extents(Atspi.CoordType.WINDOW)
        return [found.x, found.y, found.width, found.height]
    except GLib.Error:
        # A program as a whole is nowhere.
        return [0, 0, 0, 0]


def listed(node):
    states = node.get_state_set()
    if node.get_name():
        yield [node.get_role_name(), node.get_name(), states.contains(Atspi.StateType.FOCUSED),
               states.contains(Atspi.StateType.SENSITIVE)] + place(node)
    for index in range(node.get_child_count()):
        yield from listed(node.get_child_at_index(index))


def shown():
    desktop = Atspi.get_desktop(0)
    # Asked anew each time: GTK doesn't tell of every change, and what libatspi remembers would be what was.
    desktop.clear_cache()
    desktop.set_cache_mask(Atspi.Cache.NONE)
    applications = (desktop.get_child_at_index(index) for index in range(desktop.get_child_count()))
    return [part for application in applications if application for part in listed(application)]


def main():
    last = None

    def look():
        nonlocal last
        try:
            now = shown()
        except Exception as problem:
            # It changed, or went, while it was looked at: libatspi says so in many ways.
            print(problem, file=sys.stderr)
            return True
        if now != last:
            print(json.dumps(now), flush=True)
            last = now
        return True

    Atspi.init()
    # A busy machine is slow, and libatspi would take no for an answer after less than a second.
    Atspi.set_timeout(20_000, 60_000)
    GLib.timeout_add(INTERVAL, look)
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, lambda *_: Atspi.event_quit())
    Atspi.event_main()


main()
