import ThumbBus
import ThumbLoop
import ThumbSecretService

/// The interfaces of the five types of object, each made once.
struct ServiceInterfaces {
    let service: BusInterface
    let collection: BusInterface
    let item: BusInterface
    let session: BusInterface
    let prompt: BusInterface

    @OnLoop init(_ provider: SecretProvider) {
        service = Self.service(provider)
        collection = Self.collection(provider)
        item = Self.item(provider)
        session = Self.session(provider)
        prompt = Self.prompt(provider)
    }

    static let prefix = "org.freedesktop.Secret."

    // MARK: How a handler reaches the provider

    typealias Answer = @OnLoop (SecretProvider, BusInvocation) async throws(ServiceFailure) -> [BusValue]

    /// A handler that answers with the provider's failure as the bus's.
    @OnLoop static func answered(
        _ provider: SecretProvider, _ answer: @escaping Answer
    ) -> @OnLoop (BusInvocation) async throws(BusFailure) -> [BusValue] {
        { [weak provider] call throws(BusFailure) in
            guard let provider else { throw BusFailure(ServiceFailure.failed) }
            do throws(ServiceFailure) { return try await answer(provider, call) } catch { throw BusFailure(error) }
        }
    }

    /// The same for reading a property.
    @OnLoop static func reading(
        _ provider: SecretProvider,
        _ read: @escaping @OnLoop (SecretProvider, BusInvocation) async throws(ServiceFailure) -> BusValue
    ) -> @OnLoop (BusInvocation) async throws(BusFailure) -> BusValue {
        { [weak provider] call throws(BusFailure) in
            guard let provider else { throw BusFailure(ServiceFailure.failed) }
            do throws(ServiceFailure) { return try await read(provider, call) } catch { throw BusFailure(error) }
        }
    }

    /// The same for what is known without waiting.
    @OnLoop static func readingNow(
        _ provider: SecretProvider, _ read: @escaping @OnLoop (SecretProvider, BusInvocation) throws(ServiceFailure) -> BusValue
    ) -> @OnLoop (BusInvocation) throws(BusFailure) -> BusValue {
        { [weak provider] call throws(BusFailure) in
            guard let provider else { throw BusFailure(ServiceFailure.failed) }
            do throws(ServiceFailure) { return try read(provider, call) } catch { throw BusFailure(error) }
        }
    }

    /// The same for writing one.
    @OnLoop static func writing(
        _ provider: SecretProvider,
        _ write: @escaping @OnLoop (SecretProvider, BusInvocation) async throws(ServiceFailure) -> Void
    ) -> @OnLoop (BusInvocation) async throws(BusFailure) -> Void {
        { [weak provider] call throws(BusFailure) in
            guard let provider else { throw BusFailure(ServiceFailure.failed) }
            do throws(ServiceFailure) { try await write(provider, call) } catch { throw BusFailure(error) }
        }
    }
}

extension BusFailure {
    init(_ failure: ServiceFailure) { self.init(failure.name, failure.message) }
}
