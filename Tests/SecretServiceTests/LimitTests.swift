import Testing
import ThumbBus
import ThumbSecretService
import thumbturn_test_programs

@Suite("What clients may have at a provider", .timeLimit(.minutes(10)))
struct LimitTests {
    @Test("as many clients as may be are served, and not one more; whoever leaves makes room")
    func clients() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "client",
                """
                import os, resource
                resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
                def another(): return dbus.bus.BusConnection(os.environ['DBUS_SESSION_BUS_ADDRESS'])
                def begin(b): b.call_blocking('org.freedesktop.secrets', R, S + 'Service', 'OpenSession', 'sv', ('plain', ''))
                # This program is one already.
                others = [another() for _ in range(\(SecretServiceLimit.clients - 1))]
                print(len([begin(b) for b in others]))
                more = another()
                print(failure(lambda: begin(more)))
                others.pop().close()
                for _ in range(100):
                    last = failure(lambda: begin(more))
                    if last == 'none': break
                    time.sleep(0.1)
                print(last)
                """)
        }
        #expect(said == "\(SecretServiceLimit.clients - 1)\nLimitsExceeded\nnone\n")
    }

    @Test("clients that come too many at once are told so, and are served when they call again")
    func burst() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "client",
                """
                import os, signal
                def another(): return dbus.bus.BusConnection(os.environ['DBUS_SESSION_BUS_ADDRESS'])
                words = ('org.freedesktop.secrets', R, S + 'Service', 'SearchItems', 'a{ss}', (dbus.Dictionary({}, signature='ss'),))
                others, answers = [another() for _ in range(\(2 * BusLimit.calls))], []
                driver = bus.get_object('org.freedesktop.DBus', '/org/freedesktop/DBus')
                provider = driver.GetConnectionUnixProcessID('org.freedesktop.secrets')
                os.kill(provider, signal.SIGSTOP)
                for other in others:
                    other.call_async(
                        *words, lambda *a: answers.append('none'), lambda e: answers.append(e.get_dbus_name().split('.')[-1]))
                # Once the bus has answered this it has the call before it, too.
                for other in others: other.get_name_owner('org.freedesktop.DBus')
                os.kill(provider, signal.SIGCONT)
                while len(answers) < len(others): GLib.MainContext.default().iteration(True)
                print(sorted(set(answers)), set(failure(lambda: o.call_blocking(*words)) for o in others))
                """)
        }
        #expect(said == "['LimitsExceeded', 'none'] {'none'}\n")
    }

    @Test("a call names as many objects as may be, and not one more")
    func objects() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "client",
                """
                paths = dbus.Array([R + '/collection/none/1'] * \(SecretServiceLimit.objects), signature='o')
                print(len(service.GetSecrets(paths, session)), len(service.Unlock(paths)[0]))
                paths.append(dbus.ObjectPath(R + '/collection/none/1'))
                print(failure(lambda: service.GetSecrets(paths, session)), failure(lambda: service.Unlock(paths)))
                """)
        }
        #expect(said == "0 0\nInvalidArgs InvalidArgs\n")
    }

    @Test("the collection session has as many items as may be, and not one more")
    func sessionItems() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "client",
                """
                def keep(n): return make({'n': str(n)}, b'x', False, R + '/collection/session')
                paths = [keep(n) for n in range(\(SecretServiceLimit.sessionItems))]
                print(len(set(paths)), failure(lambda: keep(-1)))
                at(paths[0], 'Item').Delete()
                print(failure(lambda: keep(-1)), failure(lambda: keep(-2)), failure(lambda: make({'n': '0'}, b'x')))
                """)
        }
        #expect(said == "\(SecretServiceLimit.sessionItems) LimitsExceeded\nnone LimitsExceeded none\n")
    }

    @Test("the collection session has as many bytes as may be, and not one more")
    func sessionBytes() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "client",
                """
                def keep(n, secret): return make({'n': str(n)}, secret, True, R + '/collection/session')
                most, rest = \(SecretServiceLimit.secretBytes), \(SecretServiceLimit.sessionBytes)
                while rest > 0:
                    keep(rest, b'x' * min(most, rest))
                    rest -= most
                print(failure(lambda: keep('more', b'x')))
                # A shorter secret in the place of a long one makes room for what it lacks.
                keep(most, b'x' * (most - 1))
                print(failure(lambda: keep('more', b'xx')), failure(lambda: keep('more', b'x')))
                """)
        }
        #expect(SecretServiceLimit.sessionBytes.isMultiple(of: SecretServiceLimit.secretBytes))
        #expect(said == "LimitsExceeded\nLimitsExceeded none\n")
    }

    @Test("what is deleted of the collection session makes room for as many bytes as it had")
    func sessionRoom() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "client",
                """
                most = \(SecretServiceLimit.secretBytes)
                def keep(n): return make({'n': str(n)}, b'x' * most, False, R + '/collection/session')
                paths = [keep(n) for n in range(\(SecretServiceLimit.sessionBytes) // most)]
                print(failure(lambda: keep('more')))
                at(paths[0], 'Item').Delete()
                print(failure(lambda: keep('more')), failure(lambda: keep('most')))
                """)
        }
        #expect(said == "LimitsExceeded\nnone LimitsExceeded\n", "\(said)")
    }

    @Test("programs make as many collections as may be, with the two that always exist, and not one more")
    func collections() async throws {
        let said = try await onThread {
            try PythonClient.run(
                try ProviderStage(), "client",
                """
                def create(): return service.CreateCollection(dbus.Dictionary({}, signature='sv'), '')[0]
                paths = [create() for _ in range(\(SecretServiceLimit.collections - 2))]
                print(len(set(paths)), failure(create))
                at(paths[0], 'Collection').Delete()
                print(failure(create), failure(create))
                """)
        }
        #expect(said == "\(SecretServiceLimit.collections - 2) LimitsExceeded\nnone LimitsExceeded\n", "\(said)")
    }
}
