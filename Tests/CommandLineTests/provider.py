#!/usr/bin/python3
"""Stands for thumbturn-secrets where only the command that switches it on is tried: a Secret Service of a few lines, with a file.

As the provider does, it waits in the bus's queue for its name, and answers under its own one meanwhile.
"""

import json
import os
import signal
import time

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SECRET = "org.freedesktop.Secret."
ROOT = "/org/freedesktop/secrets"
STORE = os.environ["HOME"] + "/provider.json"
DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()


def keep():
    with open(STORE + ".new", "w") as file:
        json.dump({"collections": labels, "items": items}, file)
    os.replace(STORE + ".new", STORE)


def change():
    """A program changes the first item."""
    items[0].update(secret=b"three".hex(), modified=int(time.time()) + 1)
    keep()
    return True


class Exported(dbus.service.Object):
    def __init__(self, path):
        self.path = path
        super().__init__(bus, path)

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, _, name):
        return self.facts()[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, _):
        return dbus.Dictionary(self.facts(), signature="sv")


class Item(Exported):
    def __init__(self, number):
        self.facts_of = items[number]
        super().__init__(f"{ROOT}/collection/c{items[number]['collection']}/{number}")

    def facts(self):
        attributes = dbus.Dictionary(self.facts_of["attributes"], signature="ss")
        times = {name: dbus.UInt64(self.facts_of.get(name.lower(), 0)) for name in ("Created", "Modified")}
        return {"Label": self.facts_of["label"], "Attributes": attributes, "Locked": False, **times}

    @dbus.service.method(SECRET + "Item", in_signature="o", out_signature="(oayays)")
    def GetSecret(self, session):
        secret = bytes.fromhex(self.facts_of["secret"])
        return session, dbus.ByteArray(b""), dbus.ByteArray(secret), self.facts_of["type"]


class Collection(Exported):
    def __init__(self, number):
        self.number = number
        super().__init__(f"{ROOT}/collection/c{number}")

    def facts(self):
        paths = [exported.path for exported, item in zip(exported_items, items) if item["collection"] == self.number]
        return {"Label": labels[self.number], "Locked": False, "Items": dbus.Array(paths, signature="o")}

    @dbus.service.method(SECRET + "Collection", in_signature="a{sv}(oayays)b", out_signature="oo")
    def CreateItem(self, properties, secret, _):
        attributes = {str(name): str(value) for name, value in properties[SECRET + "Item.Attributes"].items()}
        now = int(time.time())
        items.append({
            "created": now, "modified": now,
            "collection": self.number, "label": str(properties[SECRET + "Item.Label"]), "attributes": attributes,
            "secret": bytes(secret[2]).hex(), "type": str(secret[3]),
            "moved": bool(properties.get("org.thumbturn.Item.Moved", False)),
        })
        exported_items.append(Item(len(items) - 1))
        keep()
        return exported_items[-1].path, "/"


class Service(Exported):
    def facts(self):
        return {"Collections": dbus.Array([collection.path for collection in collections], signature="o")}

    @dbus.service.method(SECRET + "Service", in_signature="sv", out_signature="vo")
    def OpenSession(self, _, __):
        return dbus.String("", variant_level=1), ROOT + "/session/s1"

    @dbus.service.method(SECRET + "Service", in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        return collections[0].path if name == "default" else "/"

    @dbus.service.method(SECRET + "Service", in_signature="ao", out_signature="aoo")
    def Unlock(self, paths):
        return paths, "/"

    @dbus.service.method(SECRET + "Service", in_signature="a{sv}s", out_signature="oo")
    def CreateCollection(self, properties, _):
        labels.append(str(properties[SECRET + "Collection.Label"]))
        collections.append(Collection(len(labels) - 1))
        keep()
        return collections[-1].path, "/"


labels, items = ["Login"], []
if os.path.exists(STORE):
    with open(STORE) as file:
        kept = json.load(file)
    labels, items = kept["collections"], kept["items"]
collections = [Collection(number) for number in range(len(labels))]
exported_items = [Item(number) for number in range(len(items))]
service = Service(ROOT)
driver = dbus.Interface(bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus"), "org.freedesktop.DBus")
# Whoever has the first name keeps it; somebody with the second one already is enough.
driver.RequestName("org.freedesktop.secrets", dbus.UInt32(0))
driver.RequestName("org.freedesktop.impl.portal.desktop.thumbturn", dbus.UInt32(4))
GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, lambda: os._exit(0))
GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR1, change)
GLib.MainLoop().run()
