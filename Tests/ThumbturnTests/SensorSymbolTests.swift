import Foundation
import FoundationXML
import LocalAuthentication
import Testing
import Thumbturn

@Suite("Symbols of sensors")
struct SensorSymbolTests {
    private static let all: [Sensor?] = Sensor.allCases + [nil]
    private static let icons = "/usr/share/icons/Adwaita/scalable"

    /// An SVG document's elements, each with its attributes.
    private final class Elements: NSObject, XMLParserDelegate {
        var found: [(name: String, attributes: [String: String])] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            found.append((name, attributes))
        }
    }

    @Test("each sensor has a symbol of its own, and so has the passcode")
    func distinct() {
        let symbols = Self.all.map { SensorSymbol($0) }
        #expect(symbols.count == 4)
        #expect(Set(symbols.map(\.iconName)).count == 4 && Set(symbols.map(\.svg)).count == 4)
        #expect(SensorSymbol(.touchID).iconName == "auth-fingerprint-symbolic")
    }

    @Test("a device's symbol is that of its sensor, usable or not")
    func ofSupport() {
        #expect(BiometrySupport.available(.faceID).symbol == SensorSymbol(.faceID))
        #expect(BiometrySupport.lockedOut(.touchID).symbol == SensorSymbol(.touchID))
        #expect(BiometrySupport.absent.symbol == SensorSymbol(nil) && BiometrySupport.unknown.symbol == SensorSymbol(nil))
    }

    @Test("a drawing is one path in the colour that is asked for, and refers to nothing outside", arguments: all)
    func drawing(sensor: Sensor?) throws {
        let symbol = SensorSymbol(sensor)
        let parser = XMLParser(data: Data(symbol.svg(in: "#3584e4").utf8))
        let elements = Elements()
        parser.delegate = elements
        #expect(parser.parse(), "\(symbol.svg)")
        #expect(elements.found.map(\.name) == ["svg", "path"])
        let root = try #require(elements.found.first?.attributes)
        #expect(root["viewBox"] == "0 0 24 24" && root["stroke"] == "#3584e4" && root["fill"] == "none")
        #expect(elements.found.last?.attributes["d"]?.hasPrefix("M") == true)
        #expect(symbol.svg.contains("stroke=\"currentColor\"") && !symbol.svg.contains("href"))
    }

    @Test(
        "the pictures in the pages are these drawings",
        arguments: [(Sensor.touchID, "fingerprint"), (.faceID, "face"), (.opticID, "iris"), (nil, "passcode")]
            as [(Sensor?, String)])
    func pages(sensor: Sensor?, name: String) throws {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let picture = try String(contentsOf: checkout.appending(path: "docs/pictures/symbol-\(name).svg"), encoding: .utf8)
        #expect(picture == SensorSymbol(sensor).svg + "\n")
    }

    @Test(
        "the icons' names are such as a desktop has",
        .enabled(if: FileManager.default.fileExists(atPath: icons), "takes a desktop's icons"), arguments: all)
    func names(sensor: Sensor?) throws {
        let files = try #require(FileManager.default.enumerator(atPath: Self.icons)).compactMap { $0 as? String }
        let name = "\(SensorSymbol(sensor).iconName).svg"
        #expect(files.contains { URL(filePath: $0).lastPathComponent == name })
    }
}
