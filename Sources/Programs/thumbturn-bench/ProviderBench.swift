/// Our Secret Service compared with gnome-keyring's, as an unmodified app on libsecret sees them: its own calls, in turn.
enum ProviderBench {
    private static let (few, many, most) = (10, 3_000, 100_000)
    private static let turns = 30
    private static let callsPerTurn = 10
    private static let stores = 40

    static func run(_ report: Report) throws {
        let theirs = try [few, many].map { try SecretServicePeer(count: $0) }
        defer { for peer in theirs { peer.stop() } }
        let ours = try [few, many, most].map { try SecretServicePeer(count: $0, .ours) }
        defer { for peer in ours { peer.stop() } }
        let bare = try SecretServicePeer(count: 1, .bare)
        defer { bare.stop() }
        try lookUp(report, theirs, ours, bare)
        try store(report, theirs[0], ours[0])
    }

    private static func lookUp(
        _ report: Report, _ theirs: [SecretServicePeer], _ ours: [SecretServicePeer], _ bare: SecretServicePeer
    ) throws {
        let peers = zip(theirs + ours + [bare], [few, many, few, many, most, 1])
        var samples = peers.map { _ in Samples() }
        // The first call of each opens its session and finds what it needs.
        for (peer, _) in peers { _ = try peer.lookUp(Population.account(0)) }
        for turn in 0..<turns {
            for (place, (peer, count)) in peers.enumerated() {
                for call in 0..<callsPerTurn {
                    samples[place].add(try peer.lookUp(Population.account((turn * callsPerTurn + call) &* 7919 % count)))
                }
            }
        }
        for (place, count) in [few, many].enumerated() {
            report.bench("gnome-keyring-lookup-at-\(count)", samples[place], "us", peer: PeerCase.provider)
        }
        for (place, count) in [few, many, most].enumerated() {
            report.bench("provider-lookup-at-\(count)", samples[2 + place], "us")
        }
        // What the bus and libsecret take alone.
        report.bench("bare-lookup", samples[5], "us")
        let medians = samples.map(\.median)
        report.ratio("provider-lookup-over-gnome-keyring-at-\(few)", medians[2] / medians[0], .atMost(0.6))
        report.ratio("provider-lookup-over-gnome-keyring-at-\(many)", medians[3] / medians[1], .atMost(0.2))
        report.ratio("provider-lookup-at-\(most)-over-at-\(few)", medians[4] / medians[2], .atMost(1.2))
        report.bench("bare-lookup-over-gnome-keyring-at-\(few)", medians[5] / medians[0], "x")
        report.bench("bare-lookup-over-gnome-keyring-at-\(many)", medians[5] / medians[1], "x")
        report.bench("provider-lookup-over-bare-at-\(few)", medians[2] / medians[5], "x")
    }

    /// A store compared with what none can be quicker than: the call there and back, and a page on the disk.
    private static func store(_ report: Report, _ theirs: SecretServicePeer, _ ours: SecretServicePeer) throws {
        var (keyring, provider, trip, sync) = (Samples(), Samples(), Samples(), Samples())
        // The disk is still busy with what was flushed before, so each comes after each of the others.
        for number in 0..<stores {
            for step in 0..<4 {
                switch (number + step * (1 + number / 4 % 2 * 2)) % 4 {
                case 0: keyring.add(try theirs.add("added-\(number)"))
                case 1: provider.add(try ours.add("added-\(number)"))
                case 2: trip.add(try ours.trip())
                default: sync.add(try ours.sync())
                }
            }
        }
        report.bench("gnome-keyring-store", keyring, "us", peer: PeerCase.provider)
        report.bench("provider-store", provider, "us")
        report.bench("bare-round-trip", trip, "us")
        report.bench("bare-fdatasync", sync, "us")
        report.ratio("provider-store-over-bare", provider.median / (trip.median + sync.median), .atMost(2))
    }
}
