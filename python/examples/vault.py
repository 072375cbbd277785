"""A note that only the owner can read: `python vault.py keep` and `python vault.py show`."""

import getpass
import sys

import thumbturn


def main() -> int:
    if sys.argv[1:] not in (["keep"], ["show"]):
        print("say keep or show", file=sys.stderr)
        return 64
    try:
        with thumbturn.Device("org.example.vault") as device:
            if sys.argv[1] == "keep":
                text = getpass.getpass("Note: ") if sys.stdin.isatty() else sys.stdin.read()
                device.store("note", text.encode(), rule=thumbturn.Rule.PRESENCE, replace=True, reason="replace the note")
                print("kept")
            else:
                with device.read("note", reason="show the note") as note:
                    print(note.text())
    except thumbturn.Error as error:
        print(f"{error.text}\n  {error.advice}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
