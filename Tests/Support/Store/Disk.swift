import Foundation
import thumbturn_test_disk

/// A disk for tests, under a name of its own: it records, and it fails where it is told to.
public final class Disk {
    /// What a step of it does instead of its work.
    public enum Fault: Int32, Sendable, CaseIterable {
        case broken = 1
        case full = 2
        case killed = 3
        case readOnly = 4
    }

    /// One thing that happened to a file, or a mark that the test set in between.
    public enum Event {
        case made(String)
        case written(String, at: Int, [UInt8])
        case synced(String)
        case cut(String, to: Int)
        case removed(String, isFolderSynced: Bool)
        case marked(Int)
    }

    public let name = "test-disk-" + UUID().uuidString
    private let disk: OpaquePointer

    public init() {
        guard let disk = thumb_disk_make(name) else { fatalError("no memory for a test's disk") }
        self.disk = disk
    }

    deinit { thumb_disk_free(disk) }

    public var isRecording: Bool = false {
        didSet { thumb_disk_record(disk, isRecording ? 1 : 0) }
    }

    public func mark(_ number: Int) { thumb_disk_mark(disk, Int64(number)) }

    public var events: [Event] {
        (0..<thumb_disk_event_count(disk)).map {
            let event = thumb_disk_event_at(disk, $0)
            let name = String(cString: event.name)
            switch UInt32(event.kind) {
            case thumb_disk_made.rawValue: return .made(name)
            case thumb_disk_written.rawValue:
                return .written(name, at: Int(event.number), Array(UnsafeBufferPointer(start: event.bytes, count: event.length)))
            case thumb_disk_synced.rawValue: return .synced(name)
            case thumb_disk_cut.rawValue: return .cut(name, to: Int(event.number))
            case thumb_disk_removed.rawValue: return .removed(name, isFolderSynced: event.number != 0)
            default: return .marked(Int(event.number))
            }
        }
    }

    /// Counts writes and syncs from now on; number `place` fails, and where it lasts, all after it.
    public func fail(at place: Int, _ fault: Fault, lasting: Bool = false) {
        thumb_disk_fail(disk, Int64(place), fault.rawValue, lasting ? 1 : 0)
    }

    /// Counts writes and syncs from now on; none fails.
    public func count() { thumb_disk_fail(disk, 0, 0, 0) }

    /// Counts reads from now on; `count` of them from number `place` on fail.
    public func failReads(from place: Int, _ count: Int = .max) { thumb_disk_fail_reads(disk, Int64(place), Int64(count)) }

    /// Everything works again.
    public func mend() {
        count()
        failReads(from: 0, 0)
    }

    public var steps: Int { Int(thumb_disk_steps(disk)) }
    public var failures: Int { Int(thumb_disk_failures(disk)) }
}
