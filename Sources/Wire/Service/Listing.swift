internal import ThumbAccess
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// A list on its way out. While the app has much to read it waits, and goes on where it was: no more of it is ever in memory than
/// an app that reads will have read in a moment.
@OnLoop final class Listing {
    private let calls: AppCalls
    private let call: UInt32
    private let query: Query
    private let caller: Caller
    private var pages: Pages
    /// The last item's place in the store; nil before the first.
    private var place: Int64?

    init(_ calls: AppCalls, _ call: UInt32, _ query: Query, _ caller: Caller) {
        self.calls = calls
        self.call = call
        self.query = query
        self.caller = caller
        pages = Pages(calls, call)
    }

    /// Shows as much as the app takes in; fails as `Keychain.list` does.
    func begin() throws(KeychainFailure) {
        var pages = pages
        place = try calls.device.keychain.list(query, caller, after: place) { item in
            pages.add(item)
            return !calls.hasMuchUnread
        }
        self.pages = pages
        if place == nil { pages.end() } else { calls.whenRead { [self] in goOn() } }
    }

    private func goOn() {
        do throws(KeychainFailure) {
            try begin()
        } catch {
            calls.send(.failed(error), call)
        }
    }
}

/// Items on their way out, cut into pages of what fits a frame.
@OnLoop struct Pages {
    private let calls: AppCalls
    private let call: UInt32
    private var page: [FoundItem] = []
    private var size = 0

    init(_ calls: AppCalls, _ call: UInt32) {
        self.calls = calls
        self.call = call
    }

    mutating func add(_ item: FoundItem) {
        let itemSize = item.wireSize
        if !page.isEmpty && size + itemSize > WireLimit.page {
            calls.send(.page(page, isLast: false), call)
            page.removeAll(keepingCapacity: true)
            size = 0
        }
        page.append(item)
        size += itemSize
    }

    func end() { calls.send(.page(page, isLast: true), call) }
}
