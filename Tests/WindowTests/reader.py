"""Reads what is on a display as a screen reader does.

Prints what programs show there, a JSON list a line, first of all and each time it is another than before: role, name, whether it has
the focus, whether it can be used, and where it is in its window: left, top, width, height.

A line of its standard input asks for what is shown now: it is printed again, and after it the list of a look that began after it was read.
Ends when its standard input does.
"""

import json
import os
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
    # What was asked and isn't answered, and the beginning of the next line.
    asked, unread = [], b""

    def look():
        nonlocal last, asked
        answered = asked
        asked = []
        try:
            now = shown()
        except Exception as problem:
            # It changed, or went, while it was looked at: libatspi says so in many ways.
            print(problem, file=sys.stderr)
            asked = answered + asked
            return True
        for request in answered:
            print(request)
            print(json.dumps(now), flush=True)
        if now != last and not answered:
            print(json.dumps(now), flush=True)
        last = now
        return True

    def hear(*_):
        nonlocal unread
        said = os.read(sys.stdin.fileno(), 4096)
        if not said:
            Atspi.event_quit()
            return False
        *lines, unread = (unread + said).split(b"\n")
        asked.extend(line.decode() for line in lines)
        return True

    Atspi.init()
    # A busy machine is slow, and libatspi would take no for an answer after less than a second.
    Atspi.set_timeout(20_000, 60_000)
    GLib.timeout_add(INTERVAL, look)
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, hear)
    Atspi.event_main()


main()
