import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn protect-item`
enum ProtectItem {
    static let command = Command(
        "protect-item", "say what you must show for a password that your desktop keeps",
        discussion: [
            "Changes what has to be shown before a program gets an item that your desktop's programs keep here. It counts for "
                + "the program that saved the item too. With `--protect none` that program reads it freely, and you are asked "
                + "about every other program.",
            "ITEM is the item's label, or its ID if several items have that label. --list shows both.",
            "Asks for the passcode, and then for what the item's protection takes now.",
        ],
        operands: [Operand(.text("ITEM"), "the item's label or ID; none with --list", .optional)],
        options: [list, Protection.option, Protection.classOption],
        examples: [
            Example("See what is kept", "thumbturn protect-item --list"),
            Example(
                "Have a password wait for your finger, whoever wants it",
                "thumbturn protect-item 'Mail password' --protect current-biometry"),
        ]
    ) { invocation throws(Failure) in
        try check(invocation)
        let status = try Daemon.status()
        if invocation.has(list) { return outcome(try KeptItems.all()) }
        guard status.passcodeIsSet else { throw .noPasscode }
        let item = try KeptItems.item(invocation.operands[0])
        let rule = try Protection.rule(
            invocation.value(Protection.option) ?? "none",
            invocation.value(Protection.classOption) ?? Protection.className(item.rule),
            staysHere: item.rule.accessibility.isThisDeviceOnly)
        if let objection = Protection.objection(rule, status, .secret, orAnotherRule: true) { throw objection }
        do throws(KeychainFailure) {
            try DeviceClient.shared.protect(item.reference, rule)
        } catch {
            throw Failure(changing: .keptItem(item.shown), error)
        }
        return Outcome(
            .itemProtected(item.shown, Protection.name(rule)),
            json: .object(
                item.json + [("protection", .text(Protection.name(rule))), ("class", .text(Protection.className(rule)))]))
    }

    private static let list = Option("list", "list what is kept, and who saved it")

    private static func check(_ invocation: Invocation) throws(Failure) {
        if invocation.has(list) {
            guard invocation.operands.isEmpty, !Protection.isGiven(invocation) else {
                throw .usage(.together("--list", with: "ITEM, --protect or --class"), invocation.path)
            }
            return
        }
        if invocation.operands.isEmpty { throw .misuse(Misuse(.missing("ITEM"), invocation.path)) }
        guard invocation.has(Protection.option) else { throw .misuse(Misuse(.missing("--protect"), invocation.path)) }
    }

    private static func outcome(_ items: [NamedItem]) -> Outcome {
        let heads = ["ID", "LABEL", "PROTECTION", "CLASS", "SAVED BY"]
        let rows = items.map { item in
            [
                item.id.text, SafeText(item.label, limit: 60).description, Protection.name(item.rule),
                Protection.className(item.rule), KeptItem.words(of: item.maker, limit: 60),
            ]
        }
        let all: [JSON] = items.map { item in
            .object(
                item.json + [
                    ("protection", .text(Protection.name(item.rule))), ("class", .text(Protection.className(item.rule))),
                    ("savedBy", .text(item.maker.text)),
                ])
        }
        return Outcome(
            lines: items.isEmpty ? [] : Columns.lines([heads] + rows), json: .object([("items", .list(all))]),
            asides: items.isEmpty ? [.noKeptItems] : [])
    }
}
