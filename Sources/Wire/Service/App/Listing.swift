import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop

/// A list that is sent page by page. While the app has much left to read, the list waits, and later goes on from there. So only as much of
/// it is in memory as a reading app takes in within a moment.
@OnLoop final class Listing {
    /// Calls a function for items after a place, until it returns false, and returns that place.
    typealias Source = (Caller, Int64?, (FoundItem) -> Bool) throws(KeychainFailure) -> Int64?

    private let app: App
    private let source: Source
    private var pages: Pages
    /// The last item's place in the store; nil before the first item.
    private var place: Int64?

    init(_ app: App, _ call: UInt32, _ source: @escaping Source) {
        self.app = app
        self.source = source
        pages = Pages(app, call)
    }

    /// Sends as much as the app takes in. The last page is the result; nil means that the app has to read first.
    func advance(_ authority: Authority) throws(KeychainFailure) -> KeychainStep<ItemPage?> {
        .done(try advance(for: authority.caller))
    }

    /// The same for a list that every caller gets in the same way.
    func advance(for caller: Caller) throws(KeychainFailure) -> ItemPage? {
        var pages = pages
        place = try source(caller, place) { item in
            pages.add(item)
            return app.session?.hasMuchUnread == false
        }
        self.pages = pages
        return place == nil ? pages.last : nil
    }
}

/// Items to be sent, cut into pages that fit a frame.
@OnLoop struct Pages {
    private let app: App
    private let call: UInt32
    private var page: [FoundItem] = []
    private var size = 0

    init(_ app: App, _ call: UInt32) {
        self.app = app
        self.call = call
    }

    /// Sends all pages but the last, which is the call's answer.
    static func all(_ items: [FoundItem], to app: App, _ call: UInt32) -> ItemPage {
        var pages = Pages(app, call)
        for item in items { pages.add(item) }
        return pages.last
    }

    mutating func add(_ item: FoundItem) {
        let itemSize = item.wireSize
        if !page.isEmpty && size + itemSize > WireLimit.page {
            app.send(ItemPage(page, isLast: false), call)
            page.removeAll(keepingCapacity: true)
            size = 0
        }
        page.append(item)
        size += itemSize
    }

    var last: ItemPage { ItemPage(page) }
}
