import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

@testable import ThumbClient

/// A device that says what can't be so isn't understood from then on, so nothing more is asked over that connection.
@Suite("Answers that can't be so", .timeLimit(.minutes(5))) struct BrokenAnswerTests {
    enum Answer: CaseIterable { case ofAnotherCall, ofNoKind, cut, ofNoLength }

    private func say(_ answer: Answer, _ call: UInt32, _ device: PlayedDevice) {
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: call >> $0) }
        let bytes: [UInt8]
        switch answer {
        case .ofAnotherCall: return device.say(Flag(true), call)
        case .ofNoKind: bytes = [0, 0, 0, 5, 255] + number
        case .cut: bytes = [0, 0, 0, 5, WordKind.status.rawValue] + number
        case .ofNoLength: bytes = [255, 255, 255, 255]
        }
        _ = send(device.fd, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    @Test("such an answer fails its call and ends the connection, and the next call makes another", arguments: Answer.allCases)
    func answers(answer: Answer) throws {
        let (devices, client) = try PlayedDevice.several(2)
        let (found, ended) = (Locked<[ClientError.Code?]>([]), DispatchSemaphore(value: 0))
        @Sendable func ask() {
            do throws(ClientError) {
                _ = try client.status()
                found.withLock { $0.append(nil) }
            } catch {
                let code = error.code
                found.withLock { $0.append(code) }
            }
            ended.signal()
        }
        Thread.detachNewThread { ask() }
        devices[0].say(Welcome(mode: .simulated), try devices[0].heard().call)
        let asked = try devices[0].heard()
        #expect(asked.kind == .getStatus)
        say(answer, asked.call, devices[0])
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(found.withLock { $0 } == [.protocolBroken])
        Thread.detachNewThread { ask() }
        var wait = pollfd(fd: devices[1].fd, events: Int16(POLLIN), revents: 0)
        #expect(poll(&wait, 1, 60_000) == 1, "the connection is used on")
        for device in devices { close(device.fd) }
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }
}

@Suite("What callers are told of a device that can't be asked") struct ClientErrorTests {
    @Test("a keychain call hears that the device is out of reach, or why it refuses, and never that an item isn't there")
    func keychain() {
        let named: [Refusal: KeychainFailure] = [
            .tooLarge: .dataTooLarge, .noRoom: .outOfMemory, .malformed: .parameter, .storeUnavailable: .storeUnavailable,
            .oldCopy: .storeUnavailable, .storeIncomplete: .storeUnavailable, .custodianUnavailable: .custodianAbsent,
        ]
        for refusal in Refusal.allCases {
            let expected = named[refusal] ?? .deviceUnreachable
            #expect(ClientError(.refused(refusal)).keychainFailure == expected, "\(refusal)")
        }
        for code: ClientError.Code in [.notFound, .connectionLost, .impostor, .protocolBroken, .silent(isStopped: true)] {
            #expect(ClientError(code).keychainFailure == .deviceUnreachable, "\(code)")
        }
    }

    @Test("an evaluation hears that there is no biometry, that it was cancelled, or that the device failed")
    func evaluation() {
        let expected: [(ClientError.Code, EvaluationFailure)] = [
            (.notFound, .biometryNotAvailable), (.impostor, .biometryNotAvailable), (.connectionLost, .systemCancel),
            (.silent(isStopped: false), .systemCancel), (.protocolBroken, .deviceFailure), (.refused(.noRoom), .deviceFailure),
        ]
        for (code, failure) in expected { #expect(ClientError(code).evaluationFailure == failure, "\(code)") }
    }
}
