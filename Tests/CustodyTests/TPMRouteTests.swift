import Testing
import ThumbAccess

@testable import ThumbCustody

@Suite("Ways to a TPM")
struct TPMRouteTests {
    @Test("The words for them are a fixed list", arguments: ["device", "tabrmd", "swtpm:/run/tpm"])
    func words(_ word: String) { #expect(TPMRoute(word)?.word == word) }

    @Test(
        "Nothing else is one",
        arguments: [
            "", "none", "cmd:/bin/sh", "cmd", "swtpm", "swtpm:", "swtpm:host=evil", "swtpm:path=/x", "swtpm:/x,host=evil",
            "device:/dev/tpm0", "mssim", "mssim:host=x", "libtss2-tcti-cmd.so", "pcap:device", "tabrmd:bus_name=x", "Device",
            "swtpm:/x\0", "swtpm:/" + String(repeating: "x", count: 100),
        ])
    func nothingElse(_ word: String) { #expect(TPMRoute(word) == nil) }

    @Test(
        "Each of the TPM's answers that means something to us gives its failure",
        arguments: [
            (0x921, KeychainFailure.custodianLocked), (0xA000A, .custodianLost), (0x98E, .damaged), (0x9A2, .damaged),
            (0x1DF, .damaged), (0x101, .internalFailure), (0x2D5, .internalFailure), (0x70018, .internalFailure),
        ] as [(UInt32, KeychainFailure)])
    func failures(_ number: UInt32, _ failure: KeychainFailure) {
        #expect(TPMError(number: number, "testing").failure == failure)
    }
}
