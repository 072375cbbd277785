public import ThumbAccess

// The owner's decisions about programs.

/// Lists the owner's decisions about programs.
public struct ListApps: BareWord, Call {
    public static let wireKind = WordKind.listApps
    public typealias Reply = Apps
    public init() {}
}

public struct Apps: Word {
    public static let wireKind = WordKind.apps

    public let apps: [KnownApp]

    public init(_ apps: [KnownApp]) { self.apps = apps }
    public func encode(to encoder: inout Encoder) { encoder.put(apps) }
    public init(from decoder: inout Decoder) throws(Refusal) { apps = try decoder.value() }
}

/// Changes the owner's decision about an app's wish. Without a verdict the decision is forgotten, and the owner is asked again.
public struct JudgeApp: Call {
    public static let wireKind = WordKind.judgeApp
    public typealias Reply = Done

    public let app: ExactName
    public let wish: AppWish
    public let verdict: AppVerdict?

    public init(_ app: ExactName, _ wish: AppWish, _ verdict: AppVerdict?) {
        (self.app, self.wish, self.verdict) = (app, wish, verdict)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(app, wish, verdict) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.value(), try decoder.value(), try decoder.value())
        // No client may say this; only the daemon notes it.
        if verdict == .noted { throw .malformed }
    }
}

extension KnownApp: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(app, name, kind, wish, verdict, date) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            app: try decoder.value(), name: try decoder.value(), kind: try decoder.value(), wish: try decoder.value(),
            verdict: try decoder.value(), date: try decoder.value())
    }
}

extension AppWish: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .face: encoder.put(UInt8(1))
        case .group(let group): encoder.put(UInt8(2), group)
        case .program(let path): encoder.put(UInt8(3), path)
        case .folder(let path): encoder.put(UInt8(4), path)
        case .keptItem(let id): encoder.put(UInt8(5), id)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .face
        case 2: self = .group(try decoder.value())
        case 3: self = .program(try decoder.value())
        case 4: self = .folder(try decoder.value())
        case 5: self = .keptItem(try decoder.value())
        default: throw .malformed
        }
    }
}
