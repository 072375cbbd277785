#!/usr/bin/python3
"""A KWallet as far as a takeover meets it: started by a name of its own, it answers as the Secret Service unless its settings forbid it.
What its wallets hold isn't played; it notes in `closed` that it was told to close them."""
import pathlib

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)


class Wallets(dbus.service.Object):
    @dbus.service.method("org.kde.KWallet")
    def closeAllWallets(self):
        with open("closed", "a") as closed:
            print("closed", file=closed)


bus = dbus.SessionBus()
settings = pathlib.Path(".config/kwalletrc")
own = dbus.service.BusName("org.kde.kwalletd5", bus)
wallets = Wallets(bus, "/modules/kwalletd5")
if not settings.exists() or "apiEnabled=false" not in settings.read_text():
    service = dbus.service.BusName("org.freedesktop.secrets", bus)
GLib.MainLoop().run()
