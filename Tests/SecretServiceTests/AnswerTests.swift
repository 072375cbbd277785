import Testing
import thumbturn_test_programs

@Suite("Prompts and their answers at one provider", .timeLimit(.minutes(10)))
struct AnswerTests {
    @Test("a session and a prompt are their connection's alone, and not those of another one of the same program")
    func connections() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "maker",
                """
                import os
                other = dbus.bus.BusConnection(os.environ['DBUS_SESSION_BUS_ADDRESS'])
                def ask(path, kind, method, signature='', *words):
                    return other.call_blocking('org.freedesktop.secrets', path, S + kind, method, signature, words)
                item = make({'s': 'x'}, b'mine')
                service.Lock([item])
                path = service.Unlock([item])[1]
                print(failure(lambda: ask(item, 'Item', 'GetSecret', 'o', session)), failure(lambda: ask(session, 'Session', 'Close')))
                print(failure(lambda: ask(path, 'Prompt', 'Prompt', 's', '')), failure(lambda: ask(path, 'Prompt', 'Dismiss')))
                print(prompt(path)[0], secret(item))
                """)
        }
        #expect(said == "NoSession NoSession\nNoSuchObject NoSuchObject\nFalse b'mine'\n", "\(said)")
    }

    @Test("more items than one question has are read at once by their maker, and opened for another program by two questions")
    func many() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["match", "match"])
            let made = try PythonClient.run(
                stage, "maker",
                """
                items = [make({'n': str(n)}, b'mine') for n in range(70)]
                print(len(service.GetSecrets(items, session)))
                """)
            return made
                + (try PythonClient.run(
                    stage, "other",
                    """
                    locked = search()[1]
                    isDismissed, opened = prompt(service.Unlock(locked)[1])
                    print(isDismissed, len(opened), len(service.GetSecrets(locked, session)))
                    """))
        }
        #expect(said == "70\nFalse 70 70\n", "\(said)")
    }

    @Test("of secrets that are too much for one answer nothing is lost: the next call opens and fetches what didn't fit")
    func large() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["match", "match"])
            _ = try PythonClient.run(stage, "maker", "for n in range(12): make({'n': str(n)}, b'x' * (1 << 20))")
            return try PythonClient.run(
                stage, "other",
                """
                locked = search()[1]
                first = prompt(service.Unlock(locked)[1])[1]
                second = prompt(service.Unlock([p for p in locked if p not in first])[1])[1]
                print(len(first), len(second), len(set(first + second)))
                some = service.GetSecrets(locked, session, byte_arrays=True)
                others = service.GetSecrets([p for p in locked if p not in some], session, byte_arrays=True)
                print(len(some), len(others))
                """)
        }
        #expect(said == "8 4 12\n8 4\n", "\(said)")
    }

    @Test("a question that nobody answered isn't a no: it can be asked again; and whoever unlocks is asked about only then")
    func unanswered() async throws {
        let said = try await onThread {
            let stage = try ProviderStage(answers: ["system-cancel", "match"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            return try PythonClient.run(
                stage, "other",
                """
                locked = search(s='x')[1]
                print(prompt(service.Unlock(locked)[1])[0])
                print(prompt(service.Unlock(locked)[1])[0], secret(locked[0]), failure(lambda: secret(locked[0])))
                """) + stage.owner("prompts")
        }
        #expect(said.hasPrefix("True\nFalse b'mine' IsLocked\n"), "\(said)")
        // Two prompts, and a last line that says that these are all.
        #expect(said.split(separator: "\n").count == 5, "\(said)")
    }

    @Test("a collection is made in a store that nobody has opened once the owner opens it, and the prompt tells its path")
    func shutStore() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            _ = try stage.owner("restart")
            return try PythonClient.run(
                stage, "maker",
                """
                label = dbus.Dictionary({S + 'Collection.Label': 'Work'}, signature='sv')
                path, asked = service.CreateCollection(label, 'work')
                print(path, asked != '/', service.ReadAlias('work'))
                print(prompt(asked), service.ReadAlias('work'))
                """)
        }
        let work = "/org/freedesktop/secrets/collection/Work"
        #expect(said == "/ True /\n(False, '\(work)') \(work)\n", "\(said)")
    }
}
