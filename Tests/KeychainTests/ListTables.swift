import ThumbAccess
import ThumbKeychain

/// The house's own tables as a list: for the rules, which need no machine.
final class ListTables: HouseTables {
    var rows: [HouseRow] = []

    func consents(_ search: Consent.Search) -> [Consent] {
        rows.compactMap { if case .consent(let consent) = $0, search.fits(consent) { consent } else { nil } }
    }

    func groups(_ search: MadeGroup.Search) -> [MadeGroup] {
        rows.compactMap { if case .group(let made) = $0, search.fits(made) { made } else { nil } }
    }

    func allowances() -> [GivenAllowance] {
        rows.compactMap { if case .allowance(let given) = $0 { given } else { nil } }
    }

    func machines() -> [PairedMachine] {
        rows.compactMap { if case .machine(let machine) = $0 { machine } else { nil } }
    }

    func countConsents(_ search: Consent.Search) -> Int { consents(search).count }
    func countGroups(_ search: MadeGroup.Search) -> Int { groups(search).count }

    func change(removing gone: [HouseRow], keeping kept: [HouseRow]) {
        for row in gone { rows.removeAll { $0.isSame(as: row) } }
        for row in kept {
            if let place = rows.firstIndex(where: { $0.isSame(as: row) }) { rows[place] = row } else { rows.append(row) }
        }
    }
}
