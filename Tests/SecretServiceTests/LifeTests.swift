import Testing
import thumbturn_test_programs

@Suite("The provider's life", .timeLimit(.minutes(10)))
struct LifeTests {
    @Test("started by the bus, it stays while a client has a session and ends when nobody has")
    func idle() async throws {
        let (status, output) = try await onThread {
            let stage = try ProviderStage()
            let start = try stage.program("client", PythonClient.head + "exec(open(sys.argv[1]).read())\n")
            let task = try stage.file("task", "time.sleep(3)\nprint(secret(make({'s': 'x'}, b'late')))")
            return try stage.startedByTheBus(while: "\(start) \(task)")
        }
        #expect(status == 0 && output == "b'late'\n")
    }

    @Test("started by the bus, it stays while something is kept in memory only, though nobody has a session")
    func keeping() async throws {
        let (status, output) = try await onThread {
            let stage = try ProviderStage()
            let start = try stage.program("client", PythonClient.head + "exec(open(sys.argv[1]).read())\n")
            let keep = try stage.file("keep", "print(make({'s': 'x'}, b'brief', False, R + '/collection/session'))")
            let fetch = try stage.file("fetch", "item = search(s='x')[0][0]\nprint(secret(item), at(item, 'Item').Delete())")
            // Nobody has a session for twice as long as it would stay.
            return try stage.startedByTheBus(idle: 3, while: "\(start) \(keep); sleep 6; \(start) \(fetch)")
        }
        #expect(status == 0 && output == "/org/freedesktop/secrets/collection/session/1\nb'brief' /\n", "\(status) \(output)")
    }

    @Test("started by the bus, it stays while something is locked, which is known in memory only")
    func locked() async throws {
        let (status, output) = try await onThread {
            let stage = try ProviderStage()
            let start = try stage.program("client", PythonClient.head + "exec(open(sys.argv[1]).read())\n")
            let lock = try stage.file("lock", "make({'s': 'x'}, b'mine')\nservice.Lock([R + '/collection/login'])")
            let look = try stage.file(
                "look", "print([len(l) for l in search(s='x')], prompt(service.Unlock([R + '/collection/login'])[1])[0])")
            // Nobody has a session for twice as long as it would stay.
            return try stage.startedByTheBus(idle: 3, while: "\(start) \(lock); sleep 6; \(start) \(look)")
        }
        #expect(status == 0 && output == "[0, 1] False\n", "\(status) \(output)")
    }

    @Test("a second provider finds the name taken, another bus needs a device of the test's own, and without a bus there is none")
    func refusals() async throws {
        let statuses = try await onThread {
            let stage = try ProviderStage()
            let bus = "unix:path=\(stage.folder)/bus"
            return [
                try stage.ending(["--bus", bus]), try stage.ending(["--bus", bus], hasDevice: false),
                try stage.ending(["--bus", "unix:path=/nowhere"]), try stage.ending(["--no-such-option"]),
                try stage.ending(["--version"]),
            ]
        }
        #expect(statuses == [75, 64, 69, 64, 0])
    }

    @Test("a daemon that hangs holds the provider up once, and is asked again when it answers")
    func hungDaemon() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            stage.stopDevice()
            let hung = try PythonClient.run(
                stage, "maker",
                """
                def within(least, most, body):
                    start = time.time()
                    return body(), least <= time.time() - start <= most
                item = R + '/collection/login/1'
                print(within(4, 20, lambda: failure(lambda: secret(item))), within(0, 2, lambda: failure(lambda: secret(item))))
                print(within(0, 2, lambda: str(get(item, 'Item', 'Label'))))
                """)
            stage.continueDevice()
            return hung
                + (try PythonClient.run(
                    stage, "maker",
                    """
                    for _ in range(100):
                        if failure(lambda: search(s='x')) == 'none': break
                        time.sleep(0.1)
                    print(secret(search(s='x')[0][0]))
                    """))
        }
        #expect(said == "('Failed', True) ('Failed', True)\n('Label', True)\nb'mine'\n")
    }

    @Test("GetSecrets gives what fits into an answer, however large the secrets are")
    func large() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            return try PythonClient.run(
                stage, "maker",
                """
                paths = [make({'n': str(n)}, bytes([n]) * 1048576) for n in range(10)]
                found = service.GetSecrets(paths, session, byte_arrays=True)
                print(len(found) if not 4 <= len(found) <= 8 else True, all(len(v[2]) == 1048576 for v in found.values()))
                print(failure(lambda: make({'n': 'more'}, b'x' * 1048577)))
                print(all(secret(p) == bytes([n]) * 1048576 for n, p in enumerate(paths)))
                """)
        }
        #expect(said == "True True\nInvalidArgs\nTrue\n")
    }
}
