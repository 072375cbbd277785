public import ThumbAccess

extension ItemDatabase {
    /// How many records there are, and how much of the file is in use. SQLite and the total know both without reading anything.
    public var usage: StoreUsage {
        get throws(KeychainFailure) {
            try keeping {
                let pages = try connection.number("PRAGMA page_count") ?? 0
                let free = try connection.number("PRAGMA freelist_count") ?? 0
                return StoreUsage(items: total.records, bytes: UInt64(max(0, pages - free)) * Schema.pageBytes)
            }
        }
    }
}
