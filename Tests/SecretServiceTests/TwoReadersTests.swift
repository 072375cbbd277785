import CThumbLinux
import Testing
import thumbturn_test_programs

/// Two programs of Python's: other scripts are other programs.
@Suite("Two programs at one provider", .timeLimit(.minutes(10)))
struct TwoReadersTests {
    @Test("another program's item is locked; a prompt opens it for one read if the owner touches, and nothing afterwards")
    func touched() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["match"])
            _ = try PythonClient.run(stage, "maker", "print(make({'s': 'x'}, b'mine'))")
            return try PythonClient.run(
                stage, "other",
                """
                unlocked, locked = search(s='x')
                print(len(unlocked), len(locked), bool(get(locked[0], 'Item', 'Locked')))
                print(len(service.GetSecrets(locked, session)))
                opened, path = service.Unlock(locked)
                print(len(opened), path != '/')
                print(prompt(path) == (False, locked))
                print(bool(get(locked[0], 'Item', 'Locked')))
                print([bytes(v[2]) for v in service.GetSecrets(locked, session, byte_arrays=True).values()])
                print(len(service.GetSecrets(locked, session)), bool(get(locked[0], 'Item', 'Locked')))
                """)
        }
        #expect(said == "0 1 True\n0\n0 True\nTrue\nFalse\n[b'mine']\n0 True\n")
    }

    @Test("with the passcode a program has the item from now on, whatever its connection; a second program hasn't")
    func always() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["passcode:1234"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            let first = try PythonClient.run(stage, "other", "print(prompt(service.Unlock(search(s='x')[1])[1])[0])")
            let again = try PythonClient.run(stage, "other", "print(secret(search(s='x')[0][0]))")
            let third = try PythonClient.run(stage, "third", "print([len(l) for l in search(s='x')])")
            return first + again + third
        }
        #expect(said == "False\nb'mine'\n[0, 1]\n")
    }

    @Test("a no ends the prompt as dismissed, with a result of the same type, and holds for that connection")
    func refused() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["cancel"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try PythonClient.run(
                stage, "other",
                """
                locked = search(s='x')[1]
                print(prompt(service.Unlock(locked)[1]))
                print([str(v) if isinstance(v, str) else len(v) for v in service.Unlock(locked)])
                print(failure(lambda: secret(locked[0])))
                """) + stage.owner("prompts")
        }
        #expect(said.hasPrefix("(True, [])\n[0, '/']\nIsLocked\ncancelled "))
        #expect(said.split(separator: "\n").count == 5)
    }

    @Test("a client that unlocks nothing waits in GetSecret for the owner's yes")
    func waits() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["match"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try PythonClient.run(stage, "other", "print(secret(search(s='x')[1][0]))")
        }
        #expect(said == "b'mine'\n")
    }

    @Test("replacing never touches another program's item, and identical attributes replace one's own")
    func replacing() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try PythonClient.run(
                stage, "other",
                """
                one = make({'s': 'x'}, b'its own', True)
                print(make({'s': 'x'}, b'changed', True) == one, make({'s': 'x', 't': 'y'}, b'more', True) == one)
                unlocked, locked = search(s='x')
                print(len(unlocked), len(locked), secret(one))
                """) + PythonClient.run(stage, "maker", "print(secret(search(s='x')[0][0]))")
        }
        #expect(said == "True False\n2 1 b'changed'\nb'mine'\n")
    }

    @Test("a program may not change or delete another's item without the owner, and may its own")
    func changing() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["cancel", "match"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try PythonClient.run(
                stage, "other",
                """
                item = search(s='x')[1][0]
                value = dbus.Struct((session, dbus.Array([], signature='y'), dbus.ByteArray(b'x'), 'text/plain'), signature='oayays')
                print(failure(lambda: at(item, 'Item').SetSecret(value)))
                path = at(item, 'Item').Delete()
                print(prompt(path)[0], len(search(s='x')[1]))
                print(prompt(at(item, 'Item').Delete())[0], len(search(s='x')[1]))
                own = make({'s': 'own'}, b'')
                print(at(own, 'Item').Delete(), secret(make({'n': '0'}, b'\\0\\n' * 524288)) == b'\\0\\n' * 524288)
                """)
        }
        #expect(said == "IsLocked\nTrue 1\nFalse 0\n/ True\n")
    }

    @Test("what a client locks is locked for everybody, its maker too, until the owner opens it")
    func locking() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["match"])
            return try PythonClient.run(
                stage, "maker",
                """
                item = make({'s': 'x'}, b'mine')
                login = R + '/aliases/default'
                print(len(service.Lock([login])[0]), bool(get(login, 'Collection', 'Locked')), bool(get(item, 'Item', 'Locked')))
                print(failure(lambda: secret(item)), failure(lambda: make({'s': 'y'}, b'')))
                opened, path = service.Unlock([login])
                print(prompt(path), bool(get(login, 'Collection', 'Locked')), secret(item))
                """)
        }
        #expect(
            said == "1 True True\nIsLocked IsLocked\n(False, ['/org/freedesktop/secrets/collection/login']) False b'mine'\n")
    }

    @Test("what a client locked stays locked if the owner says no")
    func lockedStill() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["cancel"])
            return try PythonClient.run(
                stage, "maker",
                """
                item = make({'s': 'x'}, b'mine')
                login = R + '/aliases/default'
                service.Lock([login])
                print(prompt(service.Unlock([login])[1]))
                print(bool(get(login, 'Collection', 'Locked')), failure(lambda: secret(item)))
                """)
        }
        #expect(said == "(True, [])\nTrue IsLocked\n")
    }

    @Test("an item that is locked by itself isn't changed or deleted without the owner, by its maker either")
    func lockedItem() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["cancel", "match"])
            return try PythonClient.run(
                stage, "maker",
                """
                item, other = make({'s': 'x'}, b'mine'), make({'s': 'y'}, b'other')
                none = dbus.Array([], signature='y')
                value = dbus.Struct((session, none, dbus.ByteArray(b'new'), 'text/plain'), signature='oayays')
                service.Lock([item])
                print(failure(lambda: at(item, 'Item').SetSecret(value)), prompt(at(item, 'Item').Delete())[0], secret(other))
                print(failure(lambda: make({'s': 'x'}, b'new', True)))
                print(prompt(service.Unlock([item])[1])[0], secret(item))
                at(item, 'Item').SetSecret(value)
                print(secret(item), at(item, 'Item').Delete())
                """)
        }
        #expect(said == "IsLocked True b'other'\nIsLocked\nFalse b'mine'\nb'new' /\n")
    }

    @Test("a prompt that opens several locked things names them, or says how many more there are: no name stands for another")
    func severalLocked() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["match", "match"])
            let open = try PythonClient.run(
                stage, "maker",
                """
                items = [make({'s': str(n)}, b'mine') for n in range(4)]
                for n, item in enumerate(items):
                    bus.get_object('org.freedesktop.secrets', item).Set(
                        S + 'Item', 'Label', 'Number %d' % n, dbus_interface='org.freedesktop.DBus.Properties')
                for some in items[:2], items:
                    service.Lock(some)
                    print(len(prompt(service.Unlock(some)[1])[1]))
                """)
            return open + (try stage.owner("prompts"))
        }
        let lines = said.split(separator: "\n")
        try #require(lines.count == 5 && lines[..<2] == ["2", "4"], "\(said)")
        #expect(lines[2].contains("Number 0") && lines[2].contains("Number 1") && !lines[2].contains("more"), "\(said)")
        #expect(lines[3].contains("Number 0") && lines[3].contains("Number 1"), "\(said)")
        #expect(lines[3].contains(" and 2 more for "), "\(said)")
    }

    @Test("a program whose script was changed reads and finds nothing any more over the connection that it has")
    func changedScript() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "maker",
                """
                item = make({'s': 'x'}, b'mine')
                print(secret(item))
                with open(sys.argv[0], 'a') as script: script.write('# more\\n')
                print(failure(lambda: secret(item)), failure(lambda: search(s='x')))
                """)
        }
        #expect(said == "b'mine'\nAccessDenied AccessDenied\n")
    }

    @Test("what is brought over from another keyring is nobody's: its bringer is asked about, and has its own item beside it")
    func broughtOver() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["cancel"])
            return try PythonClient.run(
                stage, "maker",
                """
                def bring():
                    properties = {S + 'Item.Label': 'Old', S + 'Item.Attributes': dbus.Dictionary({'s': 'x'}, signature='ss'),
                        'org.thumbturn.Item.Moved': dbus.Boolean(True)}
                    none = dbus.Array([], signature='y')
                    value = dbus.Struct((session, none, dbus.ByteArray(b'old'), 'text/plain'), signature='oayays')
                    login = at(R + '/collection/login', 'Collection')
                    return login.CreateItem(dbus.Dictionary(properties, signature='sv'), value, True)[0]
                own = make({'s': 'x'}, b'own')
                old = bring()
                print(search(s='x') == [[own], [old]], secret(own), failure(lambda: secret(old)))
                """)
        }
        #expect(said == "True b'own' IsLocked\n")
    }

    @Test("a client that leaves in the midst of a prompt takes its question back, and dismissing does too")
    func leaving() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["nothing"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            let dismissed = try PythonClient.run(
                stage, "other",
                """
                path = service.Unlock(search(s='x')[1])[1]
                loop, result = GLib.MainLoop(), []
                p = at(path, 'Prompt')
                p.connect_to_signal('Completed', lambda *a: (result.extend(a), loop.quit()))
                p.Prompt('')
                GLib.timeout_add(1500, lambda: p.Dismiss())
                GLib.timeout_add_seconds(40, loop.quit)
                loop.run()
                print(bool(result[0]), len(result[1]))
                """)
            _ = try PythonClient.run(
                stage, "other", "at(service.Unlock(search(s='x')[1])[1], 'Prompt').Prompt(''); time.sleep(1.5)")
            var prompts = ""
            for _ in 0..<200 {
                prompts = try stage.owner("prompts")
                if !prompts.contains("up ") { break }
                usleep(50_000)
            }
            return dismissed + prompts
        }
        #expect(said.hasPrefix("True 0\n") && !said.contains("up "), "\(said)")
    }

    @Test("a session is its client's alone, and what isn't there or is malformed is refused by name")
    func errors() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "maker",
                """
                item = make({'s': 'x'}, b'mine')
                print(failure(lambda: at(item, 'Item').GetSecret('/org/freedesktop/secrets/session/99')))
                at(session, 'Session').Close()
                print(failure(lambda: secret(item)))
                print(failure(lambda: service.OpenSession('rot13', '')))
                print(failure(lambda: at(R + '/collection/none', 'Collection').Delete()))
                print(failure(lambda: at(R + '/collection/login', 'Collection').Delete()))
                """)
        }
        #expect(said == "NoSession\nNoSession\nNotSupported\nUnknownObject\nNotSupported\n")
    }

    @Test("a collection is made, found by its alias, renamed, left without an alias and deleted, and outlives the provider")
    func collections() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            let made = try PythonClient.run(
                stage, "maker",
                """
                path, p = service.CreateCollection(dbus.Dictionary({S + 'Collection.Label': 'My Work'}, signature='sv'), 'work')
                print(path, p, make({'s': 'x'}, b'mine', False, R + '/aliases/work'))
                bus.get_object('org.freedesktop.secrets', path).Set(
                    S + 'Collection', 'Label', 'Other', dbus_interface='org.freedesktop.DBus.Properties')
                service.SetAlias('second', path)
                """)
            stage.killProvider()
            try stage.startProvider()
            return made
                + (try PythonClient.run(
                    stage, "maker",
                    """
                    path = service.ReadAlias('second')
                    print(path, get(path, 'Collection', 'Label'), len(get(R, 'Service', 'Collections')), secret(path + '/1'))
                    service.SetAlias('second', '/')
                    print(service.ReadAlias('second'), service.ReadAlias('work'))
                    service.SetAlias('second', path)
                    print(at(path, 'Collection').Delete(), service.ReadAlias('second'), len(get(R, 'Service', 'Collections')))
                    """))
        }
        let path = "/org/freedesktop/secrets/collection/My_Work"
        #expect(said == "\(path) / \(path)/1\n\(path) Other 3 b'mine'\n/ \(path)\n/ / 2\n", "\(said)")
    }

    @Test("whoever wants a collection under an alias that there is gets the one that has it")
    func madeAlready() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "maker",
                """
                label = dbus.Dictionary({S + 'Collection.Label': 'Mine'}, signature='sv')
                print([str(service.CreateCollection(label, a)[0]) for a in ['default', 'session']])
                print(service.ReadAlias('default'), service.ReadAlias('session'), len(get(R, 'Service', 'Collections')))
                """)
        }
        let (login, session) = ("/org/freedesktop/secrets/collection/login", "/org/freedesktop/secrets/collection/session")
        #expect(said == "['\(login)', '\(session)']\n\(login) \(session) 2\n", "\(said)")
    }

    @Test("a collection with another program's item in it is deleted if the owner says yes, and not without being asked")
    func othersCollection() async throws {
        let path = "/org/freedesktop/secrets/collection/My_Work"
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["cancel", "match"])
            let made = try PythonClient.run(
                stage, "maker",
                """
                path = service.CreateCollection(dbus.Dictionary({S + 'Collection.Label': 'My Work'}, signature='sv'), '')[0]
                print(path, make({'s': 'x'}, b'mine', False, path))
                """)
            let delete = "print(prompt(at('\(path)', 'Collection').Delete()), len(search(s='x')[1]))"
            return made + (try PythonClient.run(stage, "other", delete))
                + (try PythonClient.run(stage, "maker", "print(secret('\(path)/1'))"))
                + (try PythonClient.run(stage, "other", delete))
        }
        #expect(said == "\(path) \(path)/1\n(True, '') 1\nb'mine'\n(False, '') 0\n", "\(said)")
    }
}
