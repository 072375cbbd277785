/// Counts what clients have of something scarce: so much in all, and of that a share for each client.
struct Shares {
    private let most: Int
    private let ofClient: Int
    private(set) var taken = 0
    private var takenBy: [Client: Int] = [:]

    init(_ most: Int, ofClient: Int) { (self.most, self.ofClient) = (most, ofClient) }

    /// - Returns: false if the client has its share, or if nothing is left.
    mutating func take(_ client: Client) -> Bool {
        let own = takenBy[client] ?? 0
        guard taken < most, own < ofClient else { return false }
        taken += 1
        takenBy[client] = own + 1
        return true
    }

    mutating func giveBack(_ client: Client) {
        taken -= 1
        let own = (takenBy[client] ?? 1) - 1
        takenBy[client] = own > 0 ? own : nil
    }
}
