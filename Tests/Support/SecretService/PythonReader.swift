/// A program in Python that reads an item, as `thumbturn-test-reader` does.
enum PythonReader {
    static let text = """
        import sys
        from gi.repository import Gio, GLib
        address, name = sys.argv[1:]
        bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        root, kind = "/org/freedesktop/secrets", "org.freedesktop.Secret."
        def call(path, interface, member, values):
            return bus.call_sync(
                "org.freedesktop.secrets", path, kind + interface, member, values, None, Gio.DBusCallFlags.NONE, 40000).unpack()
        def dismissed(prompt):
            loop, said = GLib.MainLoop(), []
            bus.signal_subscribe(
                "org.freedesktop.secrets", kind + "Prompt", "Completed", prompt, None, Gio.DBusSignalFlags.NONE,
                lambda *words: (said.append(words[5].unpack()[0]), loop.quit()))
            call(prompt, "Prompt", "Prompt", GLib.Variant("(s)", ("",)))
            loop.run()
            return said[0]
        def read():
            unlocked, locked = call(root, "Service", "SearchItems", GLib.Variant("(a{ss})", ({"judged": name},)))
            item = (unlocked + locked)[0]
            if not unlocked:
                opened, prompt = call(root, "Service", "Unlock", GLib.Variant("(ao)", ([item],)))
                if prompt == "/" and not opened or prompt != "/" and dismissed(prompt):
                    return "dismissed"
            _, session = call(root, "Service", "OpenSession", GLib.Variant("(sv)", ("plain", GLib.Variant("s", ""))))
            return "secret " + bytes(call(item, "Item", "GetSecret", GLib.Variant("(o)", (session,)))[0][2]).decode()
        print(read(), flush=True)
        """
}
