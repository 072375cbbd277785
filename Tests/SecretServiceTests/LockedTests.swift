import Testing
import thumbturn_test_programs

/// Two Python programs: what stays locked for them, and what the owner is told when it is opened.
@Suite("Locks at one provider", .timeLimit(.minutes(10)))
struct LockedTests {
    @Test("many secrets at once leave out what a client has locked, by itself or with its collection")
    func atOnce() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "maker",
                """
                items = [make({'s': str(n)}, b'mine') for n in range(3)]
                print(len(service.GetSecrets(items, session)))
                service.Lock([items[0]])
                print(sorted(map(str, service.GetSecrets(items, session))) == items[1:])
                service.Lock([R + '/aliases/default'])
                print(len(service.GetSecrets(items, session)))
                """)
        }
        #expect(said == "3\nTrue\n0\n")
    }

    @Test("a store that nobody has opened is told as locked, to a browser's probe too, until the owner opens it")
    func shutStore() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            _ = try stage.owner("restart")
            return try PythonClient.run(
                stage, "maker",
                """
                login = R + '/collection/login'
                probe = lambda: make({'xdg:schema': '_chrome_dummy_schema_for_unlocking', 'explanation': 'x'}, b'x')
                print(bool(get(login, 'Collection', 'Locked')), failure(probe))
                print(prompt(service.Unlock([login])[1])[0], bool(get(login, 'Collection', 'Locked')), failure(probe))
                """)
        }
        #expect(said == "True IsLocked\nFalse False none\n")
    }

    @Test("a secret that was released and then changed isn't fetched as it was")
    func changedMeanwhile() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["match"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try PythonClient.run(
                stage, "other",
                """
                item = search(s='x')[1][0]
                print(prompt(service.Unlock([item])[1])[0])
                none = dbus.Array([], signature='y')
                value = dbus.Struct((session, none, dbus.ByteArray(b'new'), 'text/plain'), signature='oayays')
                at(item, 'Item').SetSecret(value)
                print(failure(lambda: secret(item)), len(service.GetSecrets([item], session)))
                """)
        }
        #expect(said == "False\nIsLocked 0\n")
    }

    @Test("a secret that was released isn't fetched any more once its item is locked, not even after the lock is opened")
    func lockedMeanwhile() async throws {
        let said = try await onThread {
            // The release, then the lock; the second release is refused.
            let stage = try ProviderStage(answers: ["match", "match", "cancel"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try PythonClient.run(
                stage, "other",
                """
                item = search(s='x')[1][0]
                print(prompt(service.Unlock([item])[1])[0])
                service.Lock([item])
                print(prompt(service.Unlock([item])[1])[0], failure(lambda: secret(item)))
                """)
        }
        #expect(said == "False\nTrue IsLocked\n")
    }

    @Test("the owner reads what is going to happen to what: whether it is opened or deleted, and its name")
    func reasons() async throws {
        let prompts = try await onThread {
            let stage = try ProviderStage(answers: ["cancel", "cancel", "cancel"])
            let work = "/org/freedesktop/secrets/collection/My_Work"
            _ = try PythonClient.run(
                stage, "maker",
                """
                service.CreateCollection(dbus.Dictionary({S + 'Collection.Label': 'My Work'}, signature='sv'), '')
                make({'s': 'x'}, b'mine', False, '\(work)')
                """)
            _ = try PythonClient.run(
                stage, "other",
                """
                prompt(at(search(s='x')[1][0], 'Item').Delete())
                prompt(at('\(work)', 'Collection').Delete())
                service.Lock(['\(work)'])
                prompt(service.Unlock(['\(work)'])[1])
                """)
            return try stage.owner("prompts").split(separator: "\n").map(String.init)
        }
        let reasons = [
            ": delete ‘Label’ for ", ": delete all of ‘My Work’, with an item of another program, for ", ": open ‘My Work’ for ",
        ]
        // The last line says that these are all.
        #expect(prompts.count == reasons.count + 1, "\(prompts)")
        for (prompt, reason) in zip(prompts, reasons) { #expect(prompt.contains(reason), "\(prompt)") }
    }

    @Test("a program that may not change a collection's items doesn't rename it; the question to delete it counts others' items")
    func othersItems() async throws {
        let (said, prompts) = try await onThread {
            let stage = try ProviderStage(answers: ["cancel", "cancel"])
            let work = "/org/freedesktop/secrets/collection/My_Work"
            let rename = """
                def rename(label): bus.get_object('org.freedesktop.secrets', '\(work)').Set(
                    S + 'Collection', 'Label', label, dbus_interface='org.freedesktop.DBus.Properties')
                """
            let maker = try PythonClient.run(
                stage, "maker",
                rename + """

                    service.CreateCollection(dbus.Dictionary({S + 'Collection.Label': 'My Work'}, signature='sv'), '')
                    make({'s': 'x'}, b'mine', False, '\(work)')
                    print(failure(lambda: rename('Work')))
                    """)
            let other = try PythonClient.run(
                stage, "other",
                rename + """

                    make({'s': 'y'}, b'other', False, '\(work)')
                    print(failure(lambda: rename('Mine')), get('\(work)', 'Collection', 'Label'))
                    prompt(at('\(work)', 'Collection').Delete())
                    """)
            let third = try PythonClient.run(stage, "third", "prompt(at('\(work)', 'Collection').Delete())")
            return (maker + other + third, try stage.owner("prompts").split(separator: "\n").map(String.init))
        }
        #expect(said == "none\nIsLocked Work\n")
        let reasons = [
            ": delete all of ‘Work’, with an item of another program, for ",
            ": delete all of ‘Work’, with 2 items of other programs, for ",
        ]
        #expect(prompts.count == reasons.count + 1, "\(prompts)")
        for (prompt, reason) in zip(prompts, reasons) { #expect(prompt.contains(reason), "\(prompt)") }
    }

    @Test("a collection that a client has locked is neither renamed nor deleted without the owner, even if nothing is in it")
    func lockedCollection() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["cancel"])
            return try PythonClient.run(
                stage, "maker",
                """
                work = service.CreateCollection(dbus.Dictionary({S + 'Collection.Label': 'Work'}, signature='sv'), '')[0]
                service.Lock([work])
                properties = dbus.Interface(bus.get_object('org.freedesktop.secrets', work), 'org.freedesktop.DBus.Properties')
                print(failure(lambda: properties.Set(S + 'Collection', 'Label', 'Mine')), prompt(at(work, 'Collection').Delete()))
                print(get(work, 'Collection', 'Label'))
                """)
        }
        #expect(said == "IsLocked (True, '')\nWork\n", "\(said)")
    }
}
