public import ThumbAccess

/// What the owner allows the device although it protects less.
public final class Allowances {
    private let tables: any HouseTables
    private let clock: () -> Double

    public init(tables: any HouseTables, clock: @escaping () -> Double) {
        self.tables = tables
        self.clock = clock
    }

    public func holds(_ allowance: Allowance) throws(KeychainFailure) -> Bool { try given(allowance) != nil }

    public func set(_ allowance: Allowance, _ isAllowed: Bool) throws(KeychainFailure) {
        switch (try given(allowance), isAllowed) {
        case (nil, true): try tables.change(removing: [], keeping: [.allowance(GivenAllowance(allowance, date: clock()))])
        case (let given?, false): try tables.change(removing: [.allowance(given)], keeping: [])
        case (nil, false), (.some, true): break
        }
    }

    private func given(_ allowance: Allowance) throws(KeychainFailure) -> GivenAllowance? {
        try tables.allowances().first { $0.allowance == allowance }
    }
}
