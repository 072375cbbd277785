import Testing

@testable import ThumbAccess

/// Command lines, and what they run according to their interpreter's manual.
@Suite("What an interpreter's command line runs")
struct InterpreterArgumentsTests {
    private typealias Run = InterpreterArguments.Run

    private static func script(_ name: String) -> Run { .script(Array(name.utf8)) }
    private static func text(_ text: String) -> Run { .text(Array(text.utf8)) }

    /// The words are separated by bars, because some of them contain blanks.
    private func expect(_ program: String, _ rows: [(String, Run)]) {
        // Nobody reads the command line of a program that isn't known as an interpreter.
        #expect(ProgramWords(path: ExactName("/usr/bin/" + program)).isInterpreter, "\(program)")
        for (line, run) in rows {
            let words =
                [program] + (line.isEmpty ? [] : line.split(separator: "|", omittingEmptySubsequences: false).map(String.init))
            let found = InterpreterArguments.run(words.map { Array($0.utf8) }, by: ExactName("/usr/bin/" + program))
            #expect(found == run, "\(program) \(line)")
        }
    }

    @Test("Python runs the first word that is no option, a text, a module or its input")
    func python() {
        let rows: [(String, Run)] = [
            ("a.py", Self.script("a.py")), ("-I|-E|a.py|-c|x", Self.script("a.py")), ("-IEsOO|a.py", Self.script("a.py")),
            ("-W|error|a.py", Self.script("a.py")), ("-Werror|a.py", Self.script("a.py")),
            ("-uX|utf8|/x/a.py", Self.script("/x/a.py")), ("--check-hash-based-pycs|never|a.py", Self.script("a.py")),
            ("--|a.py", Self.script("a.py")), ("-m|http.server|a.py", .module("http.server")),
            ("-Im|keyring", .module("keyring")),
            ("-mkeyring", .module("keyring")), ("-c|print(1)|a.py", Self.text("print(1)")),
            ("-Icprint(1)", Self.text("print(1)")),
            ("", .interactive), ("-", .interactive), ("-|a.py", .interactive), ("-i", .interactive), ("-u", .interactive),
            // What it's told afterwards would run as the script.
            ("-i|a.py", .unknown), ("-ic|x", .unknown), ("-im|x", .unknown),
            ("-c", .unknown), ("-m", .unknown), ("-W", .unknown), ("-m|a b", .unknown), ("-m|", .unknown), ("-m|a/b", .unknown),
            ("--unheard-of|a.py", .unknown), ("-Z|a.py", .unknown), ("-V", .unknown), ("--check-hash-based-pycs", .unknown),
        ]
        expect("python3.11", rows)
        expect("pypy3", [("a.py", Self.script("a.py")), ("--jit|off|a.py", .unknown)])
    }

    @Test("A shell runs its first operand as a text after -c, else as a script, else its input")
    func shells() {
        for shell in ["bash", "dash", "sh"] {
            expect(
                shell,
                [
                    ("a.sh|b", Self.script("a.sh")), ("-e|a.sh", Self.script("a.sh")), ("-eu|+x|--|a.sh", Self.script("a.sh")),
                    ("-eo|errexit|a.sh", Self.script("a.sh")), ("-|a.sh", Self.script("a.sh")),
                    ("--posix|a.sh", Self.script("a.sh")),
                    ("-c|a b|c", Self.text("a b")), ("-ec|a b", Self.text("a b")), ("-c|-e|a b", Self.text("a b")),
                    ("-ic|a", Self.text("a")),
                    ("", .interactive), ("-i", .interactive), ("-l", .interactive), ("-s|a.sh", .interactive),
                    ("-", .interactive),
                    ("-i|a.sh", .unknown), ("-sc|a", .unknown), ("-c", .unknown), ("-o|stdin|a.sh", .unknown), ("-o", .unknown),
                    ("-oe|errexit|a.sh", .unknown), ("--rcfile|x|a.sh", .unknown), ("-rcfile|x|a.sh", .unknown),
                    ("-Z|a.sh", .unknown),
                    ("--unheard-of|a.sh", .unknown), ("+c|a|b", .unknown), ("+s|a.sh", .unknown),
                ])
        }
        expect(
            "zsh",
            [
                ("-f|a.sh", Self.script("a.sh")), ("-o|shinstdin|a.sh", .unknown), ("-o|errexit|a.sh", .unknown),
                ("-b|a", .unknown),
            ])
    }

    @Test("BusyBox is known by its applet, and only as a shell")
    func busybox() {
        func run(_ words: [String]) -> Run { InterpreterArguments.run(words.map { Array($0.utf8) }, by: "/bin/busybox") }
        #expect(run(["sh", "a.sh"]) == Self.script("a.sh") && run(["/bin/busybox", "ash", "-c", "x"]) == Self.text("x"))
        #expect(run(["-sh"]) == .interactive && run(["busybox", "sh"]) == .interactive)
        #expect(run(["busybox"]) == .unknown && run(["busybox", "env", "a.sh"]) == .unknown && run(["awk", "x"]) == .unknown)
    }

    @Test("Perl and Ruby run all their -e lines as one text")
    func inline() {
        expect(
            "perl5.36-x86_64-linux-gnu",
            [
                ("a.pl", Self.script("a.pl")), ("-wT|a.pl|-e|x", Self.script("a.pl")), ("-l012|-0777|a.pl", Self.script("a.pl")),
                ("-e|print 1|a", Self.text("print 1")), ("-eprint", Self.text("print")), ("-ne|a|-e|b", Self.text("a\nb")),
                ("-lane|x", Self.text("x")), ("-E|say 1", Self.text("say 1")), ("", .interactive), ("-", .interactive),
                ("-Mstrict|a.pl", .unknown), ("-I.|a.pl", .unknown), ("-e|1|-Mx", .unknown), ("-i|a.pl", .unknown),
                ("-x|a.pl", .unknown),
                ("-S|a.pl", .unknown), ("-d|a.pl", .unknown), ("-e", .unknown), ("--x|a.pl", .unknown),
            ])
        expect(
            "ruby3.1",
            [
                ("a.rb", Self.script("a.rb")), ("-w|-W2|--disable-gems|a.rb", Self.script("a.rb")),
                ("-e|1|-e|2", Self.text("1\n2")),
                ("", .interactive), ("-r|x|a.rb", .unknown), ("-rx|-e|1", .unknown), ("-I|.|a.rb", .unknown),
                ("-C|/|a.rb", .unknown),
                ("--require|x|a.rb", .unknown),
            ])
    }

    @Test("Node reads options on both sides of its text, and loads nothing before its script")
    func node() {
        expect(
            "node",
            [
                ("a.js", Self.script("a.js")), ("--no-warnings|--max-old-space-size=512|a.js|-e|x", Self.script("a.js")),
                ("--|a.js", Self.script("a.js")), ("-e|x|a.js", Self.text("x")), ("-pe|x", Self.text("x")),
                ("--eval=x", Self.text("x")),
                ("-e|x|--no-warnings|a", Self.text("x")), ("", .interactive), ("-|a.js", .interactive),
                ("-r|./b.js|a.js", .unknown), ("--require=./b.js|a.js", .unknown), ("--import|./b.js|a.js", .unknown),
                ("-e|x|-r|./b.js", .unknown), ("-e|x|-e|y", .unknown), ("-p|-e|x", .unknown), ("-e|-p|x", .unknown),
                ("-e", .unknown), ("inspect|a.js", .unknown),
                ("--inspect|a.js", .unknown), ("-i", .unknown), ("--run|x", .unknown),
            ])
    }

    @Test("Java runs a jar, and a class isn't one file")
    func java() {
        expect(
            "java",
            [
                ("-jar|a.jar|x", Self.script("a.jar")), ("-Xmx1g|-ea|-Dapp.home=/x|-jar|a.jar", Self.script("a.jar")),
                ("-jar", .unknown),
                ("Main", .unknown), ("-cp|x|Main", .unknown), ("a.java", .unknown), ("@file", .unknown), ("", .unknown),
                ("-javaagent:x.jar|-jar|a.jar", .unknown), ("-Djava.system.class.loader=X|-jar|a.jar", .unknown),
                ("-XX:OnError=x|-jar|a.jar", .unknown),
            ])
    }

    @Test("A property that makes the virtual machine load something else leaves no jar's identity; a program's own does")
    func javaProperties() {
        let loading = ["java.a", "javax.xml.parsers.DocumentBuilderFactory", "jdk.a", "sun.boot.class.path", "com.sun.a"]
        expect("java", loading.map { ("-D\($0)=X|-jar|a.jar", Run.unknown) })
        expect("java", ["app.java.home", "com.sunny", "jdkhome"].map { ("-D\($0)=X|-jar|a.jar", Self.script("a.jar")) })
    }

    @Test("PHP, Lua, GNOME's JavaScript and Tcl")
    func others() {
        expect(
            "php8.2",
            [
                ("a.php", Self.script("a.php")), ("-n|-f|a.php|x", Self.script("a.php")), ("-r|x|a.php", Self.text("x")),
                ("", .interactive),
                ("-a", .interactive), ("--|a.php", .interactive), ("-d|auto_prepend_file=b|a.php", .unknown),
                ("-r|x|-d|auto_prepend_file=b", .unknown), ("-r", .unknown), ("-S|localhost:1", .unknown),
            ])
        expect(
            "lua5.4",
            [
                ("a.lua", Self.script("a.lua")), ("-E|a.lua", Self.script("a.lua")), ("-e|x", Self.text("x")),
                ("-ex|-e|y", Self.text("x\ny")),
                ("", .interactive), ("-", .interactive), ("-e|x|a.lua", .unknown), ("-l|m|a.lua", .unknown),
                ("-i|a.lua", .unknown),
            ])
        expect(
            "gjs-console",
            [
                ("a.js|x", Self.script("a.js")), ("-m|a.js", Self.script("a.js")), ("-c|x", Self.text("x")), ("", .interactive),
                ("-I|.|a.js", .unknown), ("-c|x|y", .unknown), ("-C|x|a.js", .unknown),
            ])
        expect("tclsh8.6", [("a.tcl", Self.script("a.tcl")), ("", .interactive), ("-x|a.tcl", .unknown)])
    }

    @Test("An interpreter without a reader of its own runs nobody knows what, and so does a process without arguments")
    func unread() {
        for program in ["wine64", "qemu-arm", "ld-linux-x86-64.so.2", "deno", "electron", "mono", "Rscript"] {
            expect(program, [("a", .unknown), ("", .unknown)])
        }
        #expect(InterpreterArguments.run([], by: "/usr/bin/python3") == .unknown)
        #expect(InterpreterArguments.run([Array("x".utf8)], by: "") == .unknown)
    }
}
