public import ThumbAccess
internal import ThumbSecrets

// The forms of items and queries on the wire.

extension AttributeValue: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .text(let text):
            encoder.put(UInt8(1))
            encoder.put(text)
        case .data(let data):
            encoder.put(UInt8(2))
            encoder.put(data)
        case .number(let number):
            encoder.put(UInt8(3))
            encoder.put(UInt64(bitPattern: number))
        case .flag(let flag):
            encoder.put(UInt8(4))
            encoder.put(flag)
        case .date(let date):
            encoder.put(UInt8(5))
            encoder.put(date)
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .text(try decoder.text())
        case 2: self = .data(try decoder.bytes())
        case 3: self = .number(Int64(bitPattern: try decoder.u64()))
        case 4: self = .flag(try decoder.bool())
        case 5: self = .date(try decoder.double())
        default: throw .malformed
        }
    }
}

extension Encoder {
    mutating func put(_ attributes: Attributes) {
        put(attributes.sorted { $0.key < $1.key }) { encoder, attribute in
            encoder.put(attribute.key.code)
            encoder.put(attribute.value)
        }
    }

    mutating func put(_ rule: AccessRule) {
        put(rule.accessibility)
        put(rule.constraints.rawValue)
    }

    mutating func put(_ words: PromptWords) {
        put(words.reason)
        put(words.fallbackTitle) { $0.put($1) }
        put(words.cancelTitle) { $0.put($1) }
    }

    mutating func put(_ asking: AskingTerms) {
        put(asking.context) { $0.put($1) }
        put(asking.permission)
        put(asking.reuseSeconds)
        put(asking.words)
    }
}

extension Decoder {
    mutating func attributes() throws(Refusal) -> Attributes {
        let count = try count()
        // Room for what an item has; a count that is a lie gets no more than that.
        var attributes = Attributes(minimumCapacity: min(count, 64))
        for _ in 0..<count {
            let name = AttributeName(code: try u32())
            guard attributes.updateValue(try value(), forKey: name) == nil else { throw .malformed }
        }
        return attributes
    }

    mutating func rule() throws(Refusal) -> AccessRule {
        let accessibility: Accessibility = try choice()
        let constraints = Constraints(rawValue: try u64())
        do {
            return try AccessRule(accessibility, constraints)
        } catch {
            throw .malformed
        }
    }

    mutating func words() throws(Refusal) -> PromptWords {
        let reason = try text()
        let fallback = try optional { (decoder: inout Decoder) throws(Refusal) in try decoder.text() }
        let cancel = try optional { (decoder: inout Decoder) throws(Refusal) in try decoder.text() }
        for words in [reason, fallback ?? "", cancel ?? ""] where words.utf8.count > QueryLimit.wordsBytes { throw .malformed }
        return PromptWords(reason: reason, fallbackTitle: fallback, cancelTitle: cancel)
    }

    mutating func asking() throws(Refusal) -> AskingTerms {
        AskingTerms(
            context: try optional { (decoder: inout Decoder) throws(Refusal) in try decoder.u64() },
            permission: try choice(), reuseSeconds: try double(), words: try words())
    }
}

extension Query: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(itemClass) { $0.put($1) }
        encoder.put(attributes)
        encoder.put(sync)
        encoder.put(persistentRef) { $0.put($1) }
        encoder.put(hostOrSubdomain) { $0.put($1) }
        encoder.put(limit) { $0.put(UInt32(clamping: $1)) }
        encoder.put(shape.rawValue)
        encoder.put(asking)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            itemClass: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(ItemClass.self) },
            attributes: try decoder.attributes(), sync: try decoder.choice(),
            persistentRef: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() },
            hostOrSubdomain: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.text() },
            limit: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in Int(try decoder.u32()) },
            shape: ResultShape(rawValue: try decoder.u8()), asking: try decoder.asking())
    }
}

extension NewItem: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(itemClass)
        encoder.put(attributes)
        encoder.put(rule)
        encoder.put(secret) { $0.put($1) }
        encoder.put(shape.rawValue)
        encoder.put(asking)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            itemClass: try decoder.choice(), attributes: try decoder.attributes(), rule: try decoder.rule(),
            secret: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.secret() },
            shape: ResultShape(rawValue: try decoder.u8()), asking: try decoder.asking())
    }
}

extension ItemChange: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(attributes)
        encoder.put(rule) { $0.put($1) }
        encoder.put(secret) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            attributes: try decoder.attributes(),
            rule: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.rule() },
            secret: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.secret() })
    }
}

extension FoundItem: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(itemClass)
        encoder.put(attributes)
        encoder.put(rule)
        encoder.put(persistentRef)
        encoder.put(secret) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            itemClass: try decoder.choice(), attributes: try decoder.attributes(), rule: try decoder.rule(),
            persistentRef: try decoder.bytes(),
            secret: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.secret() })
    }

    /// Roughly what it takes on the wire, for cutting a list into pages.
    public var wireSize: Int { attributes.reduce(64 + (secret?.count ?? 0)) { $0 + 16 + $1.value.byteCount } }
}
