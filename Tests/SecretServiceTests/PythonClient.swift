import Foundation

/// Programs of Python's as clients. Another script is another program.
enum PythonClient {
    /// What each script begins with.
    static let head = """
        import dbus, sys, time
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        S, R = 'org.freedesktop.Secret.', '/org/freedesktop/secrets'
        def at(path, kind): return dbus.Interface(bus.get_object('org.freedesktop.secrets', path), S + kind)
        def get(path, kind, name):
            return bus.get_object('org.freedesktop.secrets', path).Get(S + kind, name, dbus_interface='org.freedesktop.DBus.Properties')
        service = at(R, 'Service')
        session = service.OpenSession('plain', '')[1]
        def make(attributes, secret, replace=False, where=R + '/collection/login'):
            properties = {S + 'Item.Label': 'Label', S + 'Item.Attributes': dbus.Dictionary(attributes, signature='ss')}
            value = dbus.Struct((session, dbus.Array([], signature='y'), dbus.ByteArray(secret), 'text/plain'), signature='oayays')
            return at(where, 'Collection').CreateItem(dbus.Dictionary(properties, signature='sv'), value, replace)[0]
        def prompt(path):
            loop, result = GLib.MainLoop(), []
            p = at(path, 'Prompt')
            p.connect_to_signal('Completed', lambda *a: (result.extend(a), loop.quit()))
            p.Prompt('')
            GLib.timeout_add_seconds(40, loop.quit)
            loop.run()
            return bool(result[0]), [str(x) for x in result[1]] if isinstance(result[1], dbus.Array) else str(result[1])
        def secret(path): return bytes(at(path, 'Item').GetSecret(session, byte_arrays=True)[2])
        def failure(body):
            try:
                body()
                return 'none'
            except dbus.DBusException as e: return e.get_dbus_name().split('.')[-1]
        def search(**attributes):
            return [[str(p) for p in l] for l in service.SearchItems(dbus.Dictionary(attributes, signature='ss'))]

        """

    static func run(_ stage: ProviderStage, _ name: String, _ lines: String) throws -> String {
        // What a program is doesn't hang on what it is told to do: its text stays the same.
        let start = try stage.program(name, head + "exec(open(sys.argv[1]).read())\n")
        let task = try stage.file("task", lines)
        let result = try stage.run("\(start) \(task)")
        return result.status == 0 ? result.output : result.output + result.errors + stage.log
    }

    /// The same, while the test goes on. What it says comes into the file of its name.
    static func begin(_ stage: ProviderStage, _ name: String, _ lines: String) throws {
        let start = try stage.program(name, head + "exec(open(sys.argv[1]).read())\n")
        let task = try stage.file(name + "-task", lines)
        _ = try stage.run("\(start) \(task) > \(stage.folder)/\(name) 2>&1 &")
    }

    /// What one that was begun has said, once it has said a whole line.
    static func said(_ stage: ProviderStage, _ name: String) -> String {
        var said = ""
        _ = stage.waits {
            said = (try? String(contentsOfFile: "\(stage.folder)/\(name)", encoding: .utf8)) ?? ""
            return said.hasSuffix("\n")
        }
        return said
    }
}
