import Foundation
import Testing
import thumbturn_test_programs

@testable import thumbturn

/// Real tools, asking our helpers.
@Suite("Helpers of other tools", .serialized)
struct ToolHelperTests {
    private func run(_ lines: String, answers: String? = nil) async throws -> (output: String, status: Int32) {
        try await onThread { try HelperStage().run(lines, answers: answers) }
    }

    @Test("under each of its names the program tells its version, as a person asks for it")
    func version() async throws {
        let names = HelperName.allCases.map(\.rawValue)
        let asked = ["thumbturn"] + names
        let (output, status) = try await run("for name in \(asked.joined(separator: " ")); do $name --version; done")
        let lines = output.split(separator: "\n")
        #expect(status == 0 && lines.count == asked.count && asked.count > 1)
        #expect(lines.allSatisfy { $0.hasPrefix("thumbturn ") } && Set(lines).count == 1)
    }

    @Test("docker's protocol: store, get, list, erase, and the words for a registry that isn't there")
    func docker() async throws {
        let (output, status) = try await run(
            #"""
            store() { printf '{"ServerURL":"%s","Username":"%s","Secret":"%s"}' "$@" | docker-credential-thumbturn store; }
            store https://index.docker.io/v1/ anna 'p\u003cw\n'
            printf 'https://index.docker.io/v1/\n' | docker-credential-thumbturn get
            store https://index.docker.io/v1/ bob two
            store ghcr.io '<token>' three
            docker-credential-thumbturn list
            printf https://index.docker.io/v1/ | docker-credential-thumbturn erase
            docker-credential-thumbturn list
            printf https://index.docker.io/v1/ | docker-credential-thumbturn get || echo "status $?"
            """#)
        #expect(status == 0)
        #expect(
            output == """
                {"ServerURL": "https://index.docker.io/v1/", "Username": "anna", "Secret": "p<w\\n"}
                {"ghcr.io": "<token>", "https://index.docker.io/v1/": "bob"}
                {"ghcr.io": "<token>"}
                credentials not found in native keychain
                status 1

                """)
    }

    @Test("What can't be kept leaves the one before: with the session locked, and where the owner cancels")
    func keptBefore() async throws {
        let (output, _) = try await run(
            #"""
            store() { printf '{"ServerURL":"https://r.example","Username":"anna","Secret":"%s"}' $1 | docker-credential-thumbturn store; }
            get() { printf https://r.example | docker-credential-thumbturn get; }
            approve() { printf 'protocol=https\nhost=r.example\nusername=anna\npassword=%s\n' $1 | git-credential-thumbturn store; }
            store old; approve one
            thumbturn simulate control lock
            store new >/dev/null 2>&1 || echo "status $?"
            approve two 2>/dev/null || echo "status $?"
            thumbturn simulate control unlock
            get; printf 'protocol=https\nhost=r.example\n' | git-credential-thumbturn get | grep password
            thumbturn simulate control restart
            thumbturn simulate control answer cancel
            store new >/dev/null 2>&1 || echo "status $?"
            thumbturn simulate control answer passcode 1234; get
            store new; thumbturn simulate control answer match; get
            """#)
        #expect(
            output == """
                status 2
                status 2
                {"ServerURL": "https://r.example", "Username": "anna", "Secret": "old"}
                password=one
                status 3
                {"ServerURL": "https://r.example", "Username": "anna", "Secret": "old"}
                {"ServerURL": "https://r.example", "Username": "anna", "Secret": "new"}

                """)
    }

    @Test("docker hears on standard output that the owner said no, and nothing else")
    func dockerRefused() async throws {
        let (output, _) = try await run(
            #"""
            printf '{"ServerURL":"x","Username":"anna","Secret":"hidden-word"}' | docker-credential-thumbturn store
            printf x | docker-credential-thumbturn get 2>/dev/null || echo "status $?"
            """#, answers: "cancel")
        #expect(output.contains("status 3") && !output.contains("hidden-word"), "\(output)")
        #expect(output.components(separatedBy: "\n").count == 3)
    }

    @Test("AWS's own library reads an access key, and a secret without fields says how to keep one")
    func aws() async throws {
        let (output, status) = try await run(
            """
            printf 'AKIA1\\nsecret/key+1\\n' | thumbturn secret add work --field access-key-id --field secret-access-key >/dev/null
            printf x | thumbturn secret add plain >/dev/null
            mkdir .aws
            printf '[profile work]\\ncredential_process = thumbturn-aws-credentials work\\n' > .aws/config
            /usr/bin/python3 -c 'import boto3; c = boto3.Session(profile_name="work").get_credentials(); print(c.access_key, c.secret_key, c.token)'
            thumbturn-aws-credentials plain || echo "status $?"
            """)
        #expect(status == 0)
        #expect(output.hasPrefix("AKIA1 secret/key+1 None\n"), "\(output)")
        #expect(output.contains("The secret 'plain' has no fields, and AWS needs access-key-id and secret-access-key."))
        #expect(output.hasSuffix("status 4\n"))
    }

    @Test("Kubernetes' own library gets a token, of either version of the protocol", arguments: ["v1", "v1beta1"])
    func kubernetes(_ version: String) async throws {
        let (output, status) = try await run(
            """
            printf 'tok-123\\n' | thumbturn secret add cluster >/dev/null
            cat > kube <<'END'
            apiVersion: v1
            kind: Config
            current-context: x
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
            contexts: [{name: x, context: {cluster: c, user: anna}}]
            users:
            - name: anna
              user:
                exec:
                  apiVersion: client.authentication.k8s.io/\(version)
                  command: thumbturn-kubectl-credentials
                  args: [cluster]
                  interactiveMode: IfAvailable
            END
            /usr/bin/python3 - <<'END'
            from kubernetes import client, config
            config.load_kube_config("kube")
            print(client.Configuration.get_default_copy().get_api_key_with_prefix("authorization"))
            END
            """)
        #expect(status == 0)
        #expect(output.hasSuffix("Bearer tok-123\n"), "\(output)")
    }

    @Test("A temporary access key comes with its session's token, its end and its account, each as itself")
    func awsSession() async throws {
        let (output, _) = try await run(
            #"""
            printf 'A\nS\nT\n2030-01-02T03:04:05Z\n123\n' | thumbturn secret add work --field access-key-id \
                --field secret-access-key --field session-token --field expiration --field account-id >/dev/null
            thumbturn-aws-credentials work
            """#)
        for member in [
            #""AccessKeyId": "A""#, #""SecretAccessKey": "S""#, #""SessionToken": "T""#, #""Expiration": "2030-01-02T03:04:05Z""#,
            #""AccountId": "123""#,
        ] { #expect(output.contains(member), "\(output)") }
    }

    @Test("kubectl gets no half of a certificate, and ssh no yes that the owner didn't give")
    func halves() async throws {
        let (output, _) = try await run(
            """
            printf cert | thumbturn secret add cluster --protect none --field client-certificate >/dev/null
            thumbturn-kubectl-credentials cluster 2>&1 || echo "status $?"
            SSH_ASKPASS_PROMPT=confirm thumbturn-askpass 'Allow use of key /k?' 2>/dev/null || echo "status $?"
            """, answers: "cancel")
        #expect(output.contains("client-key") && !output.contains("cert\""), "\(output)")
        #expect(!output.contains("yes") && output.hasSuffix("status 3\n"), "\(output)")
    }

    @Test("ansible-vault opens a vault with our client, and is told of a label that isn't there by the number that it knows")
    func ansible() async throws {
        let (output, status) = try await run(
            """
            client=$(command -v thumbturn-ansible-client)
            printf 'vault-pw\\n' | thumbturn secret add ansible:prod >/dev/null
            printf 'hidden: words\\n' > v.yml
            ansible-vault encrypt --vault-id prod@$client v.yml
            head -c 30 v.yml; echo
            ansible-vault view --vault-id prod@$client v.yml
            thumbturn-ansible-client --vault-id dev 2>/dev/null || echo "status $?"
            printf 'a\\nb' | thumbturn secret add ansible:two >/dev/null
            thumbturn-ansible-client --vault-id two 2>/dev/null || echo "status $?"
            """)
        #expect(status == 0)
        #expect(output.contains("$ANSIBLE_VAULT;1.2;AES256;prod"), "\(output)")
        #expect(output.contains("hidden: words\n"))
        #expect(output.hasSuffix("status 2\nstatus 6\n"))
    }

    @Test("cargo's protocol, line by line: log in, get, log out, and what isn't known")
    func cargo() async throws {
        let (output, status) = try await run(
            #"""
            r='"v":1,"registry":{"index-url":"sparse+https://x/"}'
            printf '{%s,"kind":"get"}\n{%s,"kind":"login","token":"tok-7"}\n{%s,"kind":"get"}\n{"v":1,"kind":"dance"}\nx\n{%s,"kind":"logout"}\n' \
                "$r" "$r" "$r" "$r" | cargo-credential-thumbturn --cargo-plugin 2>/dev/null
            thumbturn secret list
            """#)
        #expect(status == 0)
        #expect(
            output.hasPrefix(
                """
                {"v": [1]}
                {"Err": {"kind": "not-found"}}
                {"Ok": {"kind": "login"}}
                {"Ok": {"kind": "get", "token": "tok-7", "cache": "session", "operation_independent": true}}
                {"Err": {"kind": "operation-not-supported"}}
                {"Err": {"kind": "other", "message": "What cargo sent doesn't have the form of its protocol.", "caused-by": []}}
                {"Ok": {"kind": "logout"}}
                There are no secrets yet.
                """), "\(output)")
    }

    @Test("age encrypts to a key and to an identity, and decrypts with the owner there; another key of age's opens the same file")
    func age() async throws {
        let (output, status) = try await run(
            """
            thumbturn key create files >/dev/null
            age-plugin-thumbturn files > id
            recipient=$(grep -o 'age1.*' id)
            age-keygen -o other 2>/dev/null
            printf 'secret words\\n' > notes
            age -r $recipient -r $(grep -o 'age1.*' other) -o notes.age notes
            age -d -i id notes.age
            age -d -i other notes.age
            age -e -i id -o again.age notes
            age -d -i id again.age
            thumbturn key remove files >/dev/null
            age -d -i id notes.age || echo "status $?"
            """)
        #expect(status == 0)
        #expect(output.hasPrefix("secret words\nsecret words\nsecret words\n"), "\(output)")
        #expect(output.contains("The key of this identity isn't on this device, or was removed."), "\(output)")
    }

    @Test("age encrypts to nobody where one of the recipients can't be served")
    func ageRecipients() async throws {
        let (output, _) = try await run(
            #"""
            thumbturn key create files >/dev/null
            recipient=$(age-plugin-thumbturn files | grep -o 'age1.*')
            wrap() {
                { for one in "$@"; do printf -- '-> add-recipient %s\n\n' $one; done
                  printf -- '-> wrap-file-key\nAAAAAAAAAAAAAAAAAAAAAA\n-> done\n\n-> ok\n\n-> ok\n\n'; } |
                    age-plugin-thumbturn --age-plugin=recipient-v1 | grep -- '^->' | cut -d ' ' -f 1-3
            }
            wrap $recipient; wrap $recipient age1thumbturn1qqqq
            """#)
        #expect(output == "-> recipient-stanza 0\n-> done\n-> error recipient\n-> done\n", "\(output)")
    }

    @Test("Without the owner age opens nothing, and a changed stanza opens nothing either")
    func ageRefused() async throws {
        let (output, _) = try await run(
            """
            thumbturn key create files >/dev/null
            age-plugin-thumbturn files > id
            printf 'secret words\\n' | age -r $(grep -o 'age1.*' id) -o notes.age
            age -d -i id notes.age || echo "status $?"
            """, answers: "cancel")
        #expect(!output.contains("secret words") && output.contains("status 1"), "\(output)")
    }

    @Test("ssh-add adds a key by the passphrase that is kept for its file, and doesn't ask again for a wrong one")
    func askpass() async throws {
        let (output, status) = try await run(
            """
            ssh-keygen -q -t ed25519 -N 'pass phrase' -f id
            ssh-keygen -q -t ed25519 -N 'other' -f wrong
            printf 'pass phrase\\n' | thumbturn secret add ssh:$HOME/id >/dev/null
            printf 'not it' | thumbturn secret add ssh:$HOME/wrong >/dev/null
            export SSH_ASKPASS=thumbturn-askpass SSH_ASKPASS_REQUIRE=force
            eval $(ssh-agent) >/dev/null
            ssh-add -q -c id
            timeout 60 ssh-add -q wrong || echo "status $?"
            ssh-add -l | cut -d ' ' -f 3-
            printf data | ssh-keygen -Y sign -n file -f id.pub - 2>/dev/null | head -1
            kill $SSH_AGENT_PID
            """)
        #expect(status == 0)
        #expect(output.contains("isn't the passphrase of that key"), "\(output)")
        #expect(output.contains("status 1\n"), "\(output)")
        #expect(output.contains("(ED25519)\n-----BEGIN SSH SIGNATURE-----\n"), "\(output)")
    }
}
