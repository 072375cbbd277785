import CThumbLinux
import Testing
import thumbturn_test_programs

@Suite("What the provider keeps in memory, and what it finds again", .timeLimit(.minutes(10)))
struct MemoryTests {
    @Test("an item of the collection session is its maker's alone, and is gone with the provider")
    func session() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            let made = try PythonClient.run(
                stage, "maker",
                """
                item = make({'s': 'x'}, b'brief', False, R + '/collection/session')
                print(item, secret(item), [len(l) for l in search(s='x')], len(service.GetSecrets([item], session)))
                """)
            let other = try PythonClient.run(
                stage, "other",
                """
                locked = search(s='x')[1]
                print([len(l) for l in search(s='x')], failure(lambda: secret(locked[0])), len(service.GetSecrets(locked, session)))
                """)
            stage.killProvider()
            try stage.startProvider()
            return made + other + (try PythonClient.run(stage, "maker", "print([len(l) for l in search(s='x')])"))
        }
        #expect(said == "/org/freedesktop/secrets/collection/session/1 b'brief' [1, 0] 1\n[0, 1] IsLocked 0\n[0, 0]\n")
    }

    @Test("a browser's probe is answered, asks nobody, and is never on a disk")
    func probe() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            let probe = """
                probe = {'xdg:schema': '_chrome_dummy_schema_for_unlocking', 'explanation': 'x'}
                """
            let made = try PythonClient.run(
                stage, "maker", probe + "\nitem = make(probe, b'x', True)\nprint(secret(item), [len(l) for l in search(**probe)])"
            )
            let other = try PythonClient.run(stage, "other", probe + "\nprint([len(l) for l in search(**probe)])")
            stage.killProvider()
            try stage.startProvider()
            let after = try PythonClient.run(stage, "maker", probe + "\nprint([len(l) for l in search(**probe)])")
            return made + other + after + (try stage.owner("prompts"))
        }
        #expect(said == "b'x' [1, 0]\n[0, 0]\n[0, 0]\nok\n")
    }

    @Test("after the daemon was replaced, items are found as before, and the store opens with the owner's passcode")
    func daemonReplaced() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            let restarted = try stage.owner("restart")
            return restarted
                + (try PythonClient.run(
                    stage, "maker",
                    """
                    locked = search(s='x')[1]
                    print(len(locked), failure(lambda: make({'s': 'y'}, b'')))
                    opened, path = service.Unlock([R + '/aliases/default'])
                    print(len(opened), prompt(path))
                    print(secret(search(s='x')[0][0]), secret(make({'s': 'y'}, b'new')))
                    """))
        }
        #expect(
            said
                == "ok\n1 IsLocked\n0 (False, ['/org/freedesktop/secrets/collection/login'])\nb'mine' b'new'\n")
    }

    @Test("the portal alone gets an app's secret, each app its own, and the same again after a restart")
    func portal() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            let retrieve = """
                import os
                def retrieve(app):
                    r, w = os.pipe()
                    backend = bus.get_object('org.freedesktop.impl.portal.desktop.thumbturn', '/org/freedesktop/portal/desktop')
                    answer = dbus.Interface(backend, 'org.freedesktop.impl.portal.Secret').RetrieveSecret(
                        '/request/1', app, dbus.types.UnixFd(w), dbus.Dictionary({}, signature='sv'))
                    os.close(w)
                    return int(answer[0]), os.read(r, 200)
                """
            let stranger = try PythonClient.run(
                stage, "other",
                retrieve + "\nbus.request_name('org.example.Other')\nprint(failure(lambda: retrieve('org.example.A')))")
            let lines =
                retrieve + """

                    bus.request_name('org.freedesktop.portal.Desktop')
                    a, b, bad = retrieve('org.example.A'), retrieve('org.example.B'), retrieve('../A')
                    print(a[0], len(a[1]), a == retrieve('org.example.A'), a[1] == b[1], bad)
                    print(a[1].hex(), file=open('secret', 'a'))
                    """
            let first = try PythonClient.run(stage, "portal", "import os; os.chdir(os.environ['HOME'])\n" + lines)
            stage.killProvider()
            try stage.startProvider()
            let second = try PythonClient.run(stage, "portal", "import os; os.chdir(os.environ['HOME'])\n" + lines)
            return stranger + first + second + (try stage.run("sort -u $HOME/secret | wc -l").output)
        }
        #expect(said == "AccessDenied\n0 64 True False (2, b'')\n0 64 True False (2, b'')\n1\n")
    }

    @Test("an app without a name, or with one that is too long, gets no secret at the portal")
    func namelessApp() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "portal",
                """
                import os
                def retrieve(app):
                    r, w = os.pipe()
                    backend = bus.get_object('org.freedesktop.impl.portal.desktop.thumbturn', '/org/freedesktop/portal/desktop')
                    answer = dbus.Interface(backend, 'org.freedesktop.impl.portal.Secret').RetrieveSecret(
                        '/request/1', app, dbus.types.UnixFd(w), dbus.Dictionary({}, signature='sv'))
                    os.close(w)
                    return int(answer[0]), len(os.read(r, 200))
                bus.request_name('org.freedesktop.portal.Desktop')
                print(retrieve(''), retrieve('a' * 256), retrieve('a' * 255))
                """)
        }
        #expect(said == "(2, 0) (2, 0) (0, 64)\n")
    }

    @Test("an app whose pipe is full gets no secret, and holds nobody up")
    func fullPipe() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "portal",
                """
                import os
                bus.request_name('org.freedesktop.portal.Desktop')
                make({'s': 'x'}, b'mine')
                r, w = os.pipe()
                os.set_blocking(w, False)
                try:
                    while True: os.write(w, bytes(4096))
                except BlockingIOError: pass
                # Whoever writes to it now waits until somebody reads.
                os.set_blocking(w, True)
                backend = bus.get_object('org.freedesktop.impl.portal.desktop.thumbturn', '/org/freedesktop/portal/desktop')
                answer = dbus.Interface(backend, 'org.freedesktop.impl.portal.Secret').RetrieveSecret(
                    '/request/1', 'org.example.A', dbus.types.UnixFd(w), dbus.Dictionary({}, signature='sv'))
                print(int(answer[0]), secret(search(s='x')[0][0]))
                """)
        }
        #expect(said == "2 b'mine'\n")
    }

    @Test("an app that gives something else than a pipe gets no secret, though it looks as if it could be written to")
    func noPipe() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "portal",
                """
                import select, socket
                bus.request_name('org.freedesktop.portal.Desktop')
                # Nobody takes what connects here, and as many wait as can.
                listener, waiting = socket.socket(), []
                listener.bind(('127.0.0.1', 0))
                listener.listen(0)
                for _ in range(3):
                    waiting.append(socket.socket())
                    waiting[-1].setblocking(False)
                    try: waiting[-1].connect(listener.getsockname())
                    except BlockingIOError: pass
                # It connects when it is first written to (TCP_FASTOPEN_CONNECT, TCP_FASTOPEN_NO_COOKIE), and whoever does that waits.
                late = socket.socket()
                for option in 30, 34: late.setsockopt(socket.IPPROTO_TCP, option, 1)
                late.connect(listener.getsockname())
                print(bool(select.select([], [late], [], 0)[1]))
                backend = bus.get_object('org.freedesktop.impl.portal.desktop.thumbturn', '/org/freedesktop/portal/desktop')
                answer = dbus.Interface(backend, 'org.freedesktop.impl.portal.Secret').RetrieveSecret(
                    '/request/1', 'org.example.A', dbus.types.UnixFd(late), dbus.Dictionary({}, signature='sv'))
                print(int(answer[0]), secret(make({'s': 'x'}, b'mine')))
                """)
        }
        #expect(said == "True\n2 b'mine'\n")
    }

    @Test("the portal takes an app's question back by closing it or by leaving, and nobody else can")
    func portalClose() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["nothing", "nothing"])
            let ask = """
                import os
                bus.request_name('org.freedesktop.portal.Desktop')
                name, path = 'org.freedesktop.impl.portal.desktop.thumbturn', '/org/freedesktop/portal/desktop/request/1'
                r, w = os.pipe()
                loop, ends = GLib.MainLoop(), []
                def end(*a):
                    ends.append([int(x) for x in a if isinstance(x, int)] or a)
                    loop.quit()
                bus.call_async(name, '/org/freedesktop/portal/desktop', 'org.freedesktop.impl.portal.Secret', 'RetrieveSecret',
                    'osha{sv}', (path, 'org.example.A', dbus.types.UnixFd(w), dbus.Dictionary({}, signature='sv')), end, end)
                os.close(w)

                """
            let restarted = try stage.owner("restart")
            let closed = try PythonClient.run(
                stage, "portal",
                ask + """
                    def close(b): b.call_blocking(name, path, 'org.freedesktop.impl.portal.Request', 'Close', '', ())
                    def later():
                        other = dbus.bus.BusConnection(os.environ['DBUS_SESSION_BUS_ADDRESS'])
                        print(failure(lambda: close(other)), ends)
                        close(bus)
                    GLib.timeout_add(1500, later)
                    GLib.timeout_add_seconds(40, loop.quit)
                    loop.run()
                    print(ends, os.read(r, 100), failure(lambda: close(bus)))
                    """)
            let afterClosing = try isAsked(stage, until: false)
            let left = try PythonClient.run(stage, "portal", ask + "GLib.timeout_add(1500, loop.quit)\nloop.run()\nprint(ends)")
            return "\(restarted)\(closed)\(afterClosing)\n\(left)\(try isAsked(stage, until: false))"
        }
        #expect(said == "ok\nAccessDenied []\n[[1]] b'' UnknownObject\nfalse\n[]\nfalse")
    }

    /// Whether the owner is asked something; it has ten seconds to become so.
    private func isAsked(_ stage: ProviderStage, until wanted: Bool) throws -> Bool {
        for _ in 0..<200 {
            if try stage.owner("prompts").contains("up ") == wanted { return wanted }
            usleep(50_000)
        }
        return !wanted
    }

    @Test("the tree is told as it is: every object with its interfaces, and nothing else")
    func introspection() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try stage.run(
                "gdbus introspect --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets --recurse "
                    + "| grep -oE '^ *node [^ ]*|interface org.freedesktop.Secret[^ ]*' | sed 's/^ *//'"
            ).output
        }
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "node /org/freedesktop/secrets", "interface org.freedesktop.Secret.Service",
                "node /org/freedesktop/secrets/aliases",
                "node /org/freedesktop/secrets/aliases/default", "interface org.freedesktop.Secret.Collection",
                "node /org/freedesktop/secrets/aliases/default/1", "interface org.freedesktop.Secret.Item",
                "node /org/freedesktop/secrets/aliases/session", "interface org.freedesktop.Secret.Collection",
                "node /org/freedesktop/secrets/collection",
                "node /org/freedesktop/secrets/collection/login", "interface org.freedesktop.Secret.Collection",
                "node /org/freedesktop/secrets/collection/login/1", "interface org.freedesktop.Secret.Item",
                "node /org/freedesktop/secrets/collection/session", "interface org.freedesktop.Secret.Collection",
            ])
    }
}
