import Foundation
import Testing
import thumbturn_test_programs

@testable import thumbturn

/// `thumbturn secrets-service`, with the real gnome-keyring on a session bus of the test's own, which starts programs by the files of a home of
/// the test's own. The provider is a stand-in: it is judged elsewhere.
@Suite("Taking over from a keyring")
struct SecretsServiceTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let ours = "org.freedesktop.impl.portal.desktop.thumbturn"

    /// A keyring without a password, as an automatic login has it, so that it opens again without a question.
    private static func keyring(_ count: Int) -> String {
        var text = "[keyring]\ndisplay-name=plain\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        for number in 0..<count {
            text +=
                "\n[\(number)]\nitem-type=0\ndisplay-name=Item \(number)\nsecret=\(number == 0 ? "" : "two\\nlines \(number)\\n")\n"
            text += "mtime=0\nctime=0\n\n[\(number):attribute0]\nname=account\ntype=string\nvalue=account-\(number)\n"
        }
        return text
    }

    /// A stage with a keyring, the installed files and a passcode.
    private static func stage(items: Int = 5, hasPasscode: Bool = true) throws -> Stage {
        let stage = try Stage()
        let keyrings = stage.folder.appending(path: "home/.local/share/keyrings")
        try FileManager.default.createDirectory(at: keyrings, withIntermediateDirectories: true)
        try Data(keyring(items).utf8).write(to: keyrings.appending(path: "plain.keyring"))
        try Data("plain".utf8).write(to: keyrings.appending(path: "default"))
        let libexec = stage.folder.appending(path: "libexec").path
        let prepare = """
            mkdir -p \(libexec)/takeover
            for program in thumbturn-secret-service thumbturn-prompt thumbturnd; do
                ln -s \(builtPrograms.path)/$program \(libexec)/
            done
            cp \(repository.path)/Tests/CommandLineTests/provider.py \(libexec)/thumbturn-secrets
            for file in \(repository.path)/desktop/takeover/*; do
                sed 's|/usr/local/libexec/thumbturn|\(libexec)|' $file >\(libexec)/takeover/${file##*/}
            done
            """
        try #require(try stage.run(prepare).status == 0)
        try stage.startDaemon()
        if hasPasscode { try stage.setPasscode("tulip-47-harbor") }
        return stage
    }

    /// Runs the lines on a session bus of their own; `keyring` starts gnome-keyring there.
    ///
    /// - Parameter isOpen: whether other users may be on that bus, too.
    private static func session(_ stage: Stage, isOpen: Bool = false, _ lines: String) throws -> String {
        let script = """
            export XDG_DATA_HOME=$HOME/.local/share THUMBTURN_LIBEXEC=\(stage.folder.path)/libexec
            keyring() {
                printf 'a password' | gnome-keyring-daemon --foreground --unlock --components=secrets \
                    --control-directory="$HOME/control" >/dev/null 2>&1 &
                gdbus wait --session --timeout 60 org.freedesktop.secrets || exit 99
            }
            provider() { $THUMBTURN_LIBEXEC/thumbturn-secrets & gdbus wait --session --timeout 60 \(ours); }
            move() { $THUMBTURN_LIBEXEC/thumbturn-secret-service --move "$1" "$2" | od -An -tx1; }
            here() { move org.freedesktop.secrets \(ours); }
            service() { thumbturn secrets-service "$@"; echo "[$?]"; }
            changed() {
                find .local/share/dbus-1 .config '(' -type f -o -type l ')' -printf '%f > %l\\n' 2>/dev/null | sort
            }
            \(lines)
            # Whoever was started goes with the bus.
            """
        try Data(script.utf8).write(to: stage.folder.appending(path: "home/script"))
        let everybody = """
            <busconfig><include>/usr/share/dbus-1/session.conf</include>
            <policy context="mandatory"><allow user="*"/></policy></busconfig>
            """
        if isOpen { try Data(everybody.utf8).write(to: stage.folder.appending(path: "home/bus.conf")) }
        let options = isOpen ? "--config-file=bus.conf" : ""
        let bus = "XDG_DATA_HOME=$HOME/.local/share dbus-run-session \(options) -- sh script 2>said"
        return try stage.run("cd $HOME; mkdir -p -m 700 control; \(bus)").output
    }

    private struct Kept: Decodable {
        struct Item: Decodable {
            var collection: Int
            var label: String
            var attributes: [String: String]
            var secret: String
            var moved: Bool
        }
        var collections: [String]
        var items: [Item]
    }

    private static func kept(_ stage: Stage) throws -> Kept {
        try JSONDecoder().decode(Kept.self, from: try Data(contentsOf: stage.folder.appending(path: "home/provider.json")))
    }

    @Test("On, the items are copied and Thumbturn answers; off, the old keyring does, with its files as they were")
    func whole() async throws {
        let (said, kept) = try await onThread {
            let stage = try Self.stage()
            let said = try Self.session(
                stage,
                """
                service status; keyring; service status; cksum .local/share/keyrings/plain.keyring >before
                service on --force; service status; changed | grep -v ^kwalletrc; service on --force; cksum .local/share/keyrings/plain.keyring | cmp - before
                service off; changed; service status; secret-tool lookup account account-3; cksum .local/share/keyrings/plain.keyring | cmp - before
                """)
            return (said, try Self.kept(stage))
        }
        // Whether KWallet's settings are changed depends on whether the machine has it.
        #expect(
            said
                == """
                Thumbturn doesn't keep the passwords of other programs.
                Nobody answers on the session bus now.
                [1]
                Thumbturn doesn't keep the passwords of other programs.
                gnome-keyring answers on the session bus.
                [1]
                Brought over 5 items.
                Thumbturn keeps the passwords of every program.
                [0]
                Thumbturn keeps the passwords of every program.
                Thumbturn answers on the session bus.
                [0]
                gnome-keyring-daemon.service > /dev/null
                gnome-keyring-daemon.socket > /dev/null
                gnome-keyring-secrets.desktop > LIBEXEC/takeover/gnome-keyring-secrets.desktop
                org.freedesktop.impl.portal.Secret.service > LIBEXEC/takeover/org.freedesktop.impl.portal.Secret.service
                \(Self.ours).service > LIBEXEC/takeover/\(Self.ours).service
                org.freedesktop.secrets.service > LIBEXEC/takeover/org.freedesktop.secrets.service
                org.gnome.keyring.service > LIBEXEC/takeover/org.gnome.keyring.service
                secrets-service >\u{20}
                Thumbturn keeps the passwords of every program.
                [0]
                Thumbturn doesn't keep the passwords of other programs.
                gnome-keyring answers on the session bus.
                [0]
                Thumbturn doesn't keep the passwords of other programs.
                gnome-keyring answers on the session bus.
                [1]
                two
                lines 3

                """.replacing("LIBEXEC", with: said.firstMatch(of: /\/tmp\/turn-\d+\/libexec/).map { String($0.output) } ?? "?"))
        #expect(kept.items.count == 5 && kept.items.allSatisfy { $0.moved && kept.collections[$0.collection] == "Login" })
        for number in 0..<5 {
            let item = kept.items.first { $0.label == "Item \(number)" }
            #expect(item?.attributes["account"] == "account-\(number)")
            let secret = number == 0 ? "" : "two\nlines \(number)\n"
            #expect(item?.secret == secret.utf8.map { String(format: "%02x", $0) }.joined())
        }
    }

    @Test("What programs stored here goes along when that is wanted, and stays here too")
    func withItems() async throws {
        let said = try await onThread {
            let stage = try Self.stage()
            let item = """
                {"collections": ["Login", "work"], "items": [{"collection": 0, "label": "New", "attributes": {"account": "new"}, \
                "secret": "6e6577", "type": "text/plain", "moved": false}]}
                """
            try Data(item.utf8).write(to: stage.folder.appending(path: "home/provider.json"))
            let said = try Self.session(
                stage,
                """
                keyring; service on --force; service off --with-items --json; secret-tool lookup account new; echo
                """)
            return said + "\(try Self.kept(stage).items.count)"
        }
        #expect(said.contains("\"moved\": 1") && said.hasSuffix("[0]\nnew\n6"), "\(said)")
    }

    @Test("Of two items that look alike, the one that isn't there yet is copied")
    func alike() async throws {
        let (said, kept) = try await onThread {
            let stage = try Self.stage(items: 2)
            let said = try Self.session(
                stage,
                """
                sed -i 's/Item 1/Item 0/; s/account-1/account-0/' .local/share/keyrings/plain.keyring
                keyring; provider; here
                # As an attempt leaves it that was interrupted.
                kill $!; wait $!
                python3 -c 'import json; k = json.load(open("provider.json")); k["items"].pop(); json.dump(k, open("provider.json", "w"))'
                provider; here
                """)
            return (said, try Self.kept(stage))
        }
        #expect(said == " 01 00 00 00 02 06 06 04\n 01 00 00 00 02 07 06 04\n" && kept.items.count == 2, "\(said)")
    }

    @Test("A copy of an item that had lost its schema then stands for that item, and for no second one")
    func schema() async throws {
        let (said, kept) = try await onThread {
            let stage = try Self.stage(items: 2)
            let item = """
                {"collections": ["Login"], "items": [{"collection": 0, "label": "Item 0", "attributes": \
                {"account": "account-0"}, "secret": "6f6e65", "type": "text/plain", "moved": true}]}
                """
            try Data(item.utf8).write(to: stage.folder.appending(path: "home/provider.json"))
            let said = try Self.session(
                stage,
                """
                sed -i 's/Item 1/Item 0/; s/account-1/account-0/' .local/share/keyrings/plain.keyring
                keyring; provider; here; here
                """)
            return (said, try Self.kept(stage))
        }
        #expect(said == " 01 00 00 00 02 07 06 04\n 01 00 00 00 02 07 07 04\n" && kept.items.count == 2, "\(said)")
    }

    @Test("What a program keeps for the session alone isn't copied")
    func session() async throws {
        let (said, kept) = try await onThread {
            let stage = try Self.stage(items: 1)
            let said = try Self.session(
                stage,
                """
                keyring; printf one | secret-tool store --collection session --label Brief site brief
                service on --force
                """)
            return (said, try Self.kept(stage))
        }
        #expect(said.hasPrefix("Brought over 1 item.\n") && kept.items.map(\.label) == ["Item 0"], "\(said)")
    }

    @Test(
        "A program of another user that answers isn't ended",
        .enabled(if: getuid() == 0, "takes root, to be somebody else as well"))
    func anotherUser() async throws {
        let said = try await onThread {
            let stage = try Self.stage()
            return try Self.session(
                stage, isOpen: true,
                """
                cat >squatter <<'END'
                import dbus, time
                bus = dbus.SessionBus()
                bus.request_name("org.freedesktop.secrets")
                time.sleep(600)
                END
                # Another user can't start what lies in this home.
                there=$(mktemp -d); chmod 755 $there; cp -L /usr/bin/python3 $there/gnome-keyring-daemon
                setpriv --reuid 65534 --regid 65534 --clear-groups $there/gnome-keyring-daemon - <squatter & squatter=$!
                gdbus wait --session --timeout 60 org.freedesktop.secrets; rm -r $there
                service on --force --leave-items; tail -n 2 said; kill -0 $squatter && echo there; kill $squatter
                """)
        }
        #expect(
            said == """
                [6]
                thumbturn: The program that answers now didn't end.
                  Log out and in again; then run 'thumbturn secrets-service status'.
                there

                """)
    }

    @Test("A password that was changed since it was copied is told of on the way here, and copied on the way back")
    func changedSince() async throws {
        let said = try await onThread {
            let stage = try Self.stage(items: 0)
            return try Self.session(
                stage,
                """
                keyring; printf one | secret-tool store --label Site site a
                provider; here
                # The times are in whole seconds.
                sleep 1.1; printf two | secret-tool store --label Site site a
                here
                kill -USR1 $!; until grep -q 7468726565 provider.json; do sleep 0.05; done
                move \(Self.ours) org.freedesktop.secrets; secret-tool lookup site a; echo
                """)
        }
        #expect(
            said == """
                 01 00 00 00 01 06 04
                 01 00 00 00 01 03 00 00 00 04 53 69 74 65 06 04
                 01 00 00 00 01 06 04
                three

                """, "\(said)")
    }

    @Test("A command that is killed in the midst of copying is run again, goes on and copies nothing twice")
    func killed() async throws {
        let (said, kept) = try await onThread {
            let stage = try Self.stage(items: 300)
            let said = try Self.session(
                stage,
                """
                keyring
                thumbturn secrets-service on --force >/dev/null 2>progress & on=$!
                while ! grep -q Copying progress; do kill -0 $on || exit 98; done
                kill -9 $on; wait $on 2>/dev/null
                service status; service on --force >again; tail -n 1 again; service status
                """)
            return (said, try Self.kept(stage))
        }
        #expect(
            said.hasPrefix("Thumbturn doesn't keep the passwords of other programs.\ngnome-keyring answers"), "\(said)")
        #expect(
            said.hasSuffix("[0]\nThumbturn keeps the passwords of every program.\nThumbturn answers on the session bus.\n[0]\n"),
            "\(said)")
        #expect(kept.items.count == 300 && Set(kept.items.map(\.label)).count == 300)
    }

    @Test("What a user had in these places comes back, and what they had switched off themselves stays off")
    func usersOwn() async throws {
        let said = try await onThread {
            let stage = try Self.stage()
            return try Self.session(
                stage,
                """
                mkdir -p .local/share/dbus-1/services .config/systemd/user
                printf '[D-BUS Service]\\nName=org.freedesktop.secrets\\nExec=/bin/false\\n' >.local/share/dbus-1/services/org.freedesktop.secrets.service
                printf '[D-BUS Service]\\nName=org.kde.kwalletd5\\nExec=/bin/false\\n' >.local/share/dbus-1/services/org.kde.kwalletd5.service
                printf '[Wallet]\\nEnabled=true\\n\\n[org.freedesktop.secrets]\\napiEnabled=true\\n' >.config/kwalletrc
                ln -s /dev/null .config/systemd/user/gnome-keyring-daemon.socket
                tar c .local/share/dbus-1 .config | cksum >before
                service on --force; tail -n 2 .config/kwalletrc; ls .local/share/dbus-1/services | grep before
                service off >/dev/null; changed; cat .config/kwalletrc .local/share/dbus-1/services/org.freedesktop.secrets.service
                """)
        }
        #expect(
            said == """
                Thumbturn keeps the passwords of every program.
                [0]
                [org.freedesktop.secrets]
                apiEnabled=false
                org.freedesktop.secrets.service.before-thumbturn
                gnome-keyring-daemon.socket > /dev/null
                kwalletrc >\u{20}
                org.freedesktop.secrets.service >\u{20}
                org.kde.kwalletd5.service >\u{20}
                [Wallet]
                Enabled=true

                [org.freedesktop.secrets]
                apiEnabled=true
                [D-BUS Service]
                Name=org.freedesktop.secrets
                Exec=/bin/false

                """)
    }

    @Test("Nothing is changed without a passcode, without a yes, and where the one who answers can't be ended")
    func refused() async throws {
        let said = try await onThread {
            let bare = try Self.stage(hasPasscode: false)
            let first = try Self.session(bare, "keyring; service on --force; tail -n 2 said; changed")
            let stage = try Self.stage()
            let others = """
                keyring; service on </dev/null; tail -n 3 said; changed
                """
            let unknown = """
                cat >squatter <<'END'
                import dbus, time
                bus = dbus.SessionBus()
                bus.request_name("org.freedesktop.secrets")
                open("is-there", "w")
                time.sleep(600)
                END
                cp -L /usr/bin/python3 ./squatting; ./squatting squatter & squatter=$!
                while [ ! -e is-there ]; do sleep 0.1; done
                service on --force; tail -n 2 said; changed; service status; kill $squatter
                """
            return [first, try Self.session(stage, others), try Self.session(stage, unknown)]
        }
        #expect(said[0] == "[4]\nthumbturn: No passcode is set.\n  Run 'thumbturn passcode set' to choose one.\n")
        #expect(
            said[1] == """
                [2]
                  end gnome-keyring
                thumbturn: Thumbturn will keep the passwords of every program from then on. gnome-keyring keeps its own items, and stops answering.
                  Run the command in a terminal and confirm it there, or use --force.

                """)
        #expect(
            said[2] == """
                [2]
                thumbturn: 'squatting' answers, and Thumbturn doesn't know how to take over from it.
                  Switch its Secret Service off, then run this command again.
                Thumbturn doesn't keep the passwords of other programs.
                squatting answers on the session bus.
                [1]

                """)
    }

    @Test("A provider that doesn't start takes nothing from the keyring that answers, and off leaves nothing of the attempt")
    func notStarted() async throws {
        let said = try await onThread {
            let stage = try Self.stage()
            return try Self.session(
                stage,
                """
                rm $THUMBTURN_LIBEXEC/thumbturn-secrets; cp /bin/false $THUMBTURN_LIBEXEC/thumbturn-secrets
                keyring; service on --force; tail -n 2 said; secret-tool lookup account account-1; service off; changed
                """)
        }
        #expect(
            said == """
                [6]
                thumbturn: The program thumbturn-secrets doesn't start, so nothing was taken over.
                  Run 'journalctl --user -b -u thumbturn-secrets' to see why.
                two
                lines 1
                Thumbturn doesn't keep the passwords of other programs.
                gnome-keyring answers on the session bus.
                [0]

                """)
    }

    @Test("A systemd of the user's reads its units again, and ends what it runs")
    func systemd() async throws {
        let said = try await onThread {
            let stage = try Self.stage()
            return try Self.session(
                stage,
                """
                mkdir -p $XDG_RUNTIME_DIR/systemd bin; : >$XDG_RUNTIME_DIR/systemd/private
                printf '#!/bin/sh\\necho "$@" >>%s/told\\n' "$HOME" >bin/systemctl; chmod 755 bin/systemctl; export PATH=$HOME/bin:$PATH
                keyring; service on --force; service off; cat told
                """)
        }
        #expect(
            said.hasSuffix(
                """
                [0]
                --user --quiet daemon-reload
                --user --quiet stop gnome-keyring-daemon.socket gnome-keyring-daemon.service
                --user --quiet daemon-reload
                --user --quiet daemon-reload

                """), "\(said)")
    }

    @Test("The doctor says who keeps other programs' passwords, and how that is mended")
    func doctor() async throws {
        let said = try await onThread {
            let stage = try Self.stage()
            return try Self.session(
                stage,
                """
                told() { thumbturn doctor | grep -A 3 '^other programs'; }
                told; keyring; told; service on --force >/dev/null 2>&1; told
                """)
        }
        let other = "Any program of yours can read the passwords that all the others keep there."
        #expect(
            said == """
                other programs weak     keep their passwords in gnome-keyring, which starts when one asks
                    \(other)
                    mend: thumbturn secrets-service on

                other programs weak     keep their passwords in gnome-keyring
                    \(other)
                    mend: thumbturn secrets-service on

                other programs ok       keep their passwords here
                    A program has what it stored itself, and you are asked before another one
                    gets it.


                """)
    }

    @Test("KWallet closes its wallets before it is ended, and answers again after all, though the bus knows gnome-keyring, too")
    func backToKWallet() async throws {
        let said = try await onThread {
            let stage = try Self.stage()
            return try Self.session(
                stage,
                """
                cp \(Self.repository.path)/Tests/CommandLineTests/played_kwallet.py kwalletd5
                mkdir -p .local/share/dbus-1/services
                printf "[D-BUS Service]\\nName=org.kde.kwalletd5\\nExec=$PWD/kwalletd5\\n" >.local/share/dbus-1/services/org.kde.kwalletd5.service
                ask() { gdbus call --session -d "$1" -o / -m "$2" >/dev/null; }
                used() { ask org.kde.kwalletd5 org.freedesktop.DBus.Peer.Ping; }
                ask org.freedesktop.DBus org.freedesktop.DBus.ReloadConfig
                used; gdbus wait --session --timeout 60 org.freedesktop.secrets
                service on --force --leave-items; cat closed
                # A program of KDE's has it started meanwhile.
                used; service status; service off; cat closed; ls .config/kwalletrc
                """)
        }
        #expect(
            said == """
                Thumbturn keeps the passwords of every program.
                [0]
                closed
                Thumbturn keeps the passwords of every program.
                Thumbturn answers on the session bus.
                [0]
                Thumbturn doesn't keep the passwords of other programs.
                KWallet answers on the session bus.
                [0]
                closed
                closed

                """)
    }

    @Test("KWallet's setting is changed in place, made where it is missing, and taken away again")
    func kwallet() throws {
        let path = "/tmp/turn-kwalletrc-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(path) }
        for before in ["", "[Wallet]\nEnabled=true\n", "[org.freedesktop.secrets]\n[Wallet]\napiEnabled=true\n"] {
            try Data(before.utf8).write(to: URL(filePath: path))
            var setting = try #require(KWalletSetting(path))
            #expect(setting.value == nil)
            setting.value = "false"
            #expect(setting.write() && KWalletSetting(path)?.value == "false")
            var again = try #require(KWalletSetting(path))
            again.value = nil
            #expect(again.write() && KWalletSetting(path)?.value == nil)
            let after = try? String(contentsOfFile: path, encoding: .utf8)
            #expect(after == (before.isEmpty ? nil : before.replacing("[org.freedesktop.secrets]\n", with: "")))
        }
        try Data([0xff, 0x0a]).write(to: URL(filePath: path))
        #expect(KWalletSetting(path) == nil, "what isn't understood is left alone")
    }
}
