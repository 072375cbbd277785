// Opens a store on a disk that kills this process at one of its writes or syncs, and does one deed.

import Foundation
import ThumbStorage
import thumbturn_test_store

let words = CommandLine.arguments
guard words.count > 3, let place = Int(words[2]), let deed = Deed(words[3...]) else {
    print("usage: thumbturn-test-crasher FOLDER PLACE DEED…")
    exit(64)
}

let disk = Disk()
do {
    let store = try Store(in: StateFolder(path: words[1], disk: disk.name))
    disk.fail(at: place, .killed)
    try store.perform(deed)
} catch {
    print("\(error)")
    exit(1)
}
// Acknowledged before the disk got that far; the store is left as a process leaves it that is killed now.
kill(getpid(), SIGTERM)
