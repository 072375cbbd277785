import CThumbLinux
import Foundation
import Testing
import ThumbSSHAgent

import thumbturn_test_programs
@testable import thumbturn

extension OnDevice {
    /// The real programs, against the real agent.
    @Suite("OpenSSH and git") struct OpenSSHTests {
        @Test("ssh-add lists the keys; adding, removing and locking fail and change nothing")
        func sshAdd() async throws {
            try await withAgent { stand in
                #expect(try await stand.run("ssh-add", "-l").status == 1)
                let keys = [try stand.key("home"), try stand.key("work", "none")]
                let listed = try await stand.run("ssh-add", "-l")
                #expect(listed.output == keys.map { "256 \($0.fingerprint) \($0.name) (ECDSA)\n" }.joined())
                #expect(try await stand.run("ssh-add", "-L").output == keys.map { $0.line + "\n" }.joined())
                _ = try await stand.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "own")
                for words in [["own"], ["-d", "home.pub"], ["-D"], ["-x"]] {
                    #expect(try await stand.run(["ssh-add"] + words).status != 0, "\(words)")
                }
                #expect(try await stand.run("ssh-add", "-L").output == keys.map { $0.line + "\n" }.joined())
                #expect(stand.device.prompts.isEmpty)
            }
        }

        @Test("ssh signs in to a server when the owner says so, who is told which", arguments: ["ed25519", "ecdsa", "rsa"])
        func ssh(hostKey: String) async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                let server = try await Server("web.example", in: stand, hostKey: hostKey, letsIn: [key])
                defer { server.end() }
                stand.device.answer(.match)
                let signedIn = try await stand.run(server.ssh(stand) + ["echo", "there"])
                #expect(signedIn.output == "there\n" && signedIn.status == 0)
                #expect(stand.device.prompts.count == 1)
                let reason = try #require(stand.device.prompts.first?.reason)
                #expect(reason.hasPrefix("sign in to web.example as \(Server.user), with the SSH key 'work', for ssh (process "))
                #expect(stand.lines.isEmpty)
            }
        }

        @Test("A host whose name is hashed is named, and one that isn't known is shown by its key")
        func names() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                let server = try await Server("web.example", in: stand, letsIn: [key])
                defer { server.end() }
                #expect(try await stand.run("ssh-keygen", "-q", "-H", "-f", "known_hosts").status == 0)
                #expect(try !String(contentsOfFile: stand.knownHosts, encoding: .utf8).contains("web.example"))
                stand.device.answer(.match, .match)
                // The name is a word of the command line only here: ssh itself is told another address.
                let named = ["-o", "HostName=127.0.0.1"]
                let words = server.ssh(stand, named).dropLast() + ["\(Server.user)@web.example"]
                #expect(try await stand.run(words + ["true"]).status == 0)
                #expect(stand.device.prompts[0].reason.hasPrefix("sign in to web.example as "))
                #expect(try await stand.run(server.ssh(stand) + ["true"]).status == 0)
                let listed = try await stand.run("ssh-keygen", "-l", "-f", "host-web.example.pub").output.split(separator: " ")
                #expect(stand.device.prompts[1].reason.hasPrefix("sign in to \(listed[1]) as "))
            }
        }

        @Test("When the owner refuses, ssh fails and says so, and the agent goes on")
        func refused() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                let server = try await Server("web.example", in: stand, letsIn: [key])
                defer { server.end() }
                stand.device.answer(.cancel)
                let refused = try await stand.run(server.ssh(stand) + ["true"])
                #expect(refused.status == 255)
                #expect(refused.output.contains("Permission denied"))
                #expect(stand.device.prompts.count == 1)
                stand.device.answer(.match)
                #expect(try await stand.run(server.ssh(stand) + ["true"]).status == 0)
            }
        }

        @Test("ssh that is interrupted takes its prompt along")
        func interrupted() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                let server = try await Server("web.example", in: stand, letsIn: [key])
                defer { server.end() }
                stand.device.answer(.nothing)
                let nothing = thumb_open("/dev/null", O_WRONLY | O_CLOEXEC, 0)
                defer { close(nothing) }
                let ssh = try Ended.start(server.ssh(stand) + ["true"], stand.environment, in: stand.folder, output: nothing)
                try await until("nobody was asked") { !stand.device.prompts.isEmpty }
                kill(ssh.pid, SIGINT)
                #expect(await onThread { ssh.wait() } != 0)
                try await until("the prompt stayed") { stand.device.prompts.last?.outcome == .cancelled }
            }
        }

        @Test("A forwarded agent is told as one: who asks, where to; keys without protection aren't there")
        func forwarded() async throws {
            try await withAgent { stand in
                let (key, silent) = (try stand.key("work"), try stand.key("silent", "none"))
                let bastion = try await Server("bastion", in: stand, letsIn: [key])
                defer { bastion.end() }
                let web = try await Server("web.example", in: stand, letsIn: [key, silent])
                defer { web.end() }
                stand.device.answer(.match, .match, .match)
                let hop = bastion.ssh(
                    stand, ["-A", "-o", "IdentitiesOnly=yes", "-i", stand.folder.appending(path: "work.pub").path])
                let listed = try await stand.run(hop + ["ssh-add", "-L"])
                #expect(listed.output == key.line + "\n")
                let command = web.ssh(stand).map { "'\($0)'" }.joined(separator: " ") + " echo there"
                let through = try await stand.run(hop + [command])
                #expect(through.output == "there\n", "\(through.output) \(stand.lines)")
                let reasons = stand.device.prompts.map(\.reason)
                #expect(reasons.count == 3)
                #expect(reasons[1].hasPrefix("sign in to bastion as \(Server.user), with the SSH key 'work', for ssh ("))
                #expect(
                    reasons.last?.hasPrefix(
                        "sign in to web.example as \(Server.user), asked from bastion through a forwarded agent, "
                            + "with the SSH key 'work', for ssh (") == true)
            }
        }

        @Test("ssh-keygen signs a file, with the namespace told, and verifies it")
        func files() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                try stand.write("words\n", to: "letter")
                try stand.write("me@example " + key.line + "\n", to: "signers")
                stand.device.answer(.match)
                let signed = try await stand.run("ssh-keygen", "-Y", "sign", "-f", "work.pub", "-n", "file", "letter")
                #expect(signed.status == 0, "\(signed.output)")
                #expect(
                    stand.device.prompts.first?.reason.hasPrefix(
                        "give a signature for 'file', with the SSH key 'work', for ssh-keygen (") == true)
                let verify = "ssh-keygen -Y verify -f signers -I me@example -n file -s letter.sig <"
                #expect(try await stand.run("sh", "-c", verify + " letter").status == 0)
                #expect(try await stand.run("sh", "-c", verify + " signers").status != 0)
            }
        }

        @Test("git signs a commit, and verifies it; a refused finger makes no commit")
        func git() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                try stand.write("me@example " + key.line + "\n", to: "signers")
                let settings = [
                    "gpg.format=ssh", "user.signingkey=\(stand.folder.path)/work.pub", "user.name=me", "user.email=me@example",
                    "gpg.ssh.allowedSignersFile=\(stand.folder.path)/signers",
                ].flatMap { ["-c", $0] }
                #expect(try await stand.run("git", "init", "-q", "repo").status == 0)
                let git = ["git", "-C", "repo"] + settings
                let commit = git + ["commit", "-q", "-S", "--allow-empty", "-m", "one"]
                stand.device.answer(.cancel, .match)
                #expect(try await stand.run(commit).status != 0)
                #expect(try await stand.run(git + ["rev-parse", "HEAD"]).status != 0)
                let made = try await stand.run(commit)
                #expect(made.status == 0, "\(made.output)")
                let verified = try await stand.run(git + ["verify-commit", "HEAD"])
                #expect(verified.status == 0 && verified.output.contains("Good \"git\" signature for me@example"))
                #expect(stand.device.prompts.last?.reason.hasPrefix("give a signature for 'git', ") == true)
            }
        }

        @Test("Two signs-in at once are asked about one after the other, and both succeed")
        func parallel() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                let server = try await Server("web.example", in: stand, letsIn: [key])
                defer { server.end() }
                stand.device.answer(.match, .match)
                async let first = stand.run(server.ssh(stand) + ["echo", "one"])
                async let second = stand.run(server.ssh(stand) + ["echo", "two"])
                #expect(try await [first.output, second.output] == ["one\n", "two\n"])
                #expect(stand.device.prompts.count == 2)
            }
        }
    }
}
