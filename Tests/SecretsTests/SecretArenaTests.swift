import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbSecrets

@Suite("SecretArena") struct SecretArenaTests {
    @Test("a full arena is an error, and room comes back with released secrets", arguments: [100, 16384, 65536])
    func limit(count: Int) throws {
        let arena = SecretArena(limit: 256 * 1024)
        var secrets: [SecretBytes] = []
        #expect(throws: SecretError(.arenaFull)) {
            while true { secrets.append(try SecretBytes(count: count, in: arena) { _ in }) }
        }
        #expect(secrets.count >= 256 * 1024 / count * 15 / 20)
        #expect(arena.statistics.locked <= 256 * 1024)
        let reached = secrets.count
        secrets.removeAll()
        #expect(arena.inUse == 0)
        #expect(arena.statistics.locked <= Chunk.size)
        for _ in 0..<reached { secrets.append(try SecretBytes(count: count, in: arena) { _ in }) }
    }

    @Test("pages emptied of one size serve another")
    func reuseAcrossSizes() throws {
        let arena = SecretArena(limit: Chunk.size)
        for count in [16, 100, 1000, 4096, 8192, 16384, 16, 200] {
            var secrets: [SecretBytes] = []
            #expect(throws: SecretError(.arenaFull)) {
                while true { secrets.append(try SecretBytes(count: count, in: arena) { _ in }) }
            }
            #expect(secrets.count * count > Chunk.size / 2)
        }
    }

    @Test("a secret of the greatest length is held, one byte more is refused")
    func longest() throws {
        let arena = SecretArena()
        do {
            #expect(try SecretBytes(count: SecretArena.maximumSecret, in: arena) { _ in }.count == SecretArena.maximumSecret)
        } catch let error as SecretError {
            #expect(error == SecretError(.lockRefused), "this machine's RLIMIT_MEMLOCK is smaller than that")
        }
        #expect(throws: SecretError(.tooLarge)) {
            _ = try SecretBytes(count: SecretArena.maximumSecret + 1, in: arena) { _ in }
        }
        #expect(arena.statistics == .init(secrets: 0, inUse: 0, locked: 0))
    }

    @Test("memory that can't be locked is an error, not an unlocked secret", arguments: [32, 100_000])
    func refusingLocker(count: Int) throws {
        let allowed = Locked(0)
        let arena = SecretArena(
            limit: 1 << 20,
            locker: Locker { base, count in
                allowed.withLock { left in
                    if left == 0 { return EPERM }
                    left -= 1
                    return Locker.system.lock(base, count)
                }
            })
        for _ in 0..<100 {
            #expect(throws: SecretError(.lockRefused)) { _ = try SecretBytes(count: count, in: arena) { _ in } }
        }
        #expect(arena.statistics == .init())
        allowed.withLock { $0 = 1 }
        #expect(try SecretBytes(count: count, in: arena) { _ in }.count == count)
    }

    @Test("the system's RLIMIT_MEMLOCK ends in an error", .enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
    func memlockLimit() async {
        await #expect(processExitsWith: .success) {
            // Root is exempt from the limit, so this process stops being root for good.
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            precondition(setrlimit(numericCast(thumb_RLIMIT_MEMLOCK), &limit) == 0)
            if geteuid() == 0 { precondition(thumb_setresuid(65534, 65534, 65534) == 0) }
            var secrets: [SecretBytes] = []
            do {
                while secrets.count < 100_000 { secrets.append(try SecretBytes(count: 1000) { _ in }) }
                exit(EXIT_FAILURE)
            } catch {
                guard error as? SecretError == SecretError(.lockRefused), secrets.count > 500 else { exit(EXIT_FAILURE) }
            }
            secrets.removeAll()
            guard let after = try? SecretBytes(count: 1000, fill: { _ in }), after.count == 1000 else { exit(EXIT_FAILURE) }
            exit(EXIT_SUCCESS)
        }
    }

    @Test("reading past a long secret traps", .enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
    func guardAfter() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            let secret = try SecretBytes(count: 20_000) { _ in }
            secret.withUnsafeBytes { bytes in
                let end = bytes.baseAddress! + 20_000
                _ = blackHole(end.load(fromByteOffset: 16, as: UInt8.self))
            }
        }
    }

    @Test("reading before the first page traps", .enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
    func guardBefore() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            let secret = try SecretBytes(count: 16, in: SecretArena()) { _ in }
            secret.withUnsafeBytes { bytes in
                let base = bytes.baseAddress!
                _ = blackHole((base - 1).load(as: UInt8.self))
            }
        }
    }

    @Test("a forked child finds zeros in place of the secret")
    func fork() throws {
        let secret = try SecretBytes(copying: [UInt8](repeating: 0x5A, count: 64))
        let long = try SecretBytes(copying: [UInt8](repeating: 0x5A, count: 20_000))
        // fork is hidden from Swift; the child runs nothing but a look at memory and _exit.
        let address = secret.withUnsafeBytes { $0.baseAddress! }
        let longAddress = long.withUnsafeBytes { $0.baseAddress! }
        let child = thumb_syscall(Int(SYS_fork), 0, 0, 0, 0)
        if child == 0 {
            var seen: UInt8 = 0
            for index in 0..<64 {
                seen |= address.load(fromByteOffset: index, as: UInt8.self)
                seen |= longAddress.load(fromByteOffset: index, as: UInt8.self)
            }
            _exit(seen == 0 ? 7 : 8)
        }
        var status: Int32 = 0
        #expect(waitpid(pid_t(child), &status, 0) == child)
        #expect(thumb_exited(status) != 0 && thumb_exit_status(status) == 7)
        #expect(secret.withUnsafeBytes { $0.allSatisfy { $0 == 0x5A } })
    }

    @Test("secret pages are locked and left out of core dumps", .enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
    func protections() throws {
        let secret = try SecretBytes(copying: [UInt8](repeating: 1, count: 64))
        let address = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress!) }
        // Read to its end by hand: Foundation stops after the first page of a file that says it has no length.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
        var text = Data()
        while let part = try file.read(upToCount: 65_536), !part.isEmpty { text += part }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        var inside = false
        var flags: [Substring] = []
        for line in lines {
            let range = line.prefix { $0 != " " }.split(separator: "-")
            if range.count == 2, let low = UInt(range[0], radix: 16), let high = UInt(range[1], radix: 16) {
                inside = low <= address && address < high
            } else if inside, line.hasPrefix("VmFlags:") {
                flags = line.split(separator: " ").dropFirst().map { $0 }
            }
        }
        #expect(flags.contains("lo"), "locked: \(flags)")
        #expect(flags.contains("dd"), "not dumped: \(flags)")
        #expect(flags.contains("wf"), "wiped on fork: \(flags)")
    }

    @Test("an arena without secrets keeps one chunk, though the last to go was a long one")
    func lastIsLong() throws {
        let arena = SecretArena()
        var wide = try (0..<4).map { _ in try SecretBytes(count: 16_384, in: arena) { _ in } }
        // The first chunk is full, so this one has a second made.
        var small: SecretBytes? = try SecretBytes(count: 32, in: arena) { _ in }
        var long: SecretBytes? = try SecretBytes(count: 20_000, in: arena) { _ in }
        #expect(long != nil && arena.statistics.locked > 2 * Chunk.size)
        wide = []
        small = nil
        #expect(wide.isEmpty && small == nil)
        long = nil
        #expect(arena.statistics.locked == Chunk.size)
    }

    @Test("threads that allocate and release at once never share a byte")
    func hammer() throws {
        let arena = SecretArena(limit: 8 << 20)
        let failures = Locked(0)
        let seed = Seed.chosen(for: "threads in an arena")
        let threads = (0..<4).map { number in
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                var generator = Dice(seed &+ UInt64(number))
                var kept: [(SecretBytes, UInt8)] = []
                for round in 0..<5_000 {
                    let mark = UInt8(truncatingIfNeeded: number * 61 + round)
                    let count = Int.random(in: 1...(round % 50 == 0 ? 40_000 : 900), using: &generator)
                    guard let secret = try? SecretBytes(copying: [UInt8](repeating: mark, count: count), in: arena) else {
                        failures.withLock { $0 += 1 }
                        continue
                    }
                    kept.append((secret, mark))
                    if kept.count > 40 {
                        let (old, oldMark) = kept.remove(at: Int.random(in: 0..<kept.count, using: &generator))
                        if !old.withUnsafeBytes({ $0.allSatisfy { $0 == oldMark } }) { failures.withLock { $0 += 1 } }
                    }
                }
                kept.removeAll()
                done.signal()
            }
            return done
        }
        for thread in threads { thread.wait() }
        #expect(failures.withLock { $0 } == 0)
        #expect(arena.inUse == 0)
        #expect(arena.statistics.locked <= Chunk.size)
    }
}

/// Keeps the optimizer from dropping a load.
@inline(never) private func blackHole(_ value: UInt8) -> UInt8 { value }
