import ThumbBus
import ThumbLoop
import ThumbSecretService

// org.freedesktop.Secret.Service
extension ServiceInterfaces {
    @OnLoop static func service(_ provider: SecretProvider) -> BusInterface {
        BusInterface(
            prefix + "Service",
            methods: [
                BusMethod(
                    "OpenSession", takes: ["algorithm": "s", "input": "v"], gives: ["output": "v", "result": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try provider.openSession(call) }),
                BusMethod(
                    "CreateCollection", takes: ["properties": "a{sv}", "alias": "s"], gives: ["collection": "o", "prompt": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.createCollection(call) }),
                BusMethod(
                    "SearchItems", takes: ["attributes": "a{ss}"], gives: ["unlocked": "ao", "locked": "ao"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.search(call) }),
                BusMethod(
                    "Unlock", takes: ["objects": "ao"], gives: ["unlocked": "ao", "prompt": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.unlock(call) }),
                BusMethod(
                    "Lock", takes: ["objects": "ao"], gives: ["locked": "ao", "Prompt": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.lock(call) }),
                BusMethod(
                    "GetSecrets", takes: ["items": "ao", "session": "o"], gives: ["secrets": "a{o(oayays)}"], hasSecrets: true,
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.getSecrets(call) }),
                BusMethod(
                    "ReadAlias", takes: ["name": "s"], gives: ["collection": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.readAlias(call) }),
                BusMethod(
                    "SetAlias", takes: ["name": "s", "collection": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.setAlias(call) }),
            ],
            properties: [
                BusProperty(
                    "Collections", "ao", changes: .untold,
                    read: reading(provider) { provider, _ throws(ServiceFailure) in
                        await provider.loadIfPossible()
                        return .array(provider.catalog.collections.map { .path(SecretPath.collection($0).text) })
                    })
            ],
            signals: [
                BusSignal("CollectionCreated", gives: ["collection": "o"]),
                BusSignal("CollectionDeleted", gives: ["collection": "o"]),
                BusSignal("CollectionChanged", gives: ["collection": "o"]),
            ])
    }

    @OnLoop static func session(_ provider: SecretProvider) -> BusInterface {
        BusInterface(
            prefix + "Session",
            methods: [
                BusMethod(
                    "Close", answered(provider) { provider, call throws(ServiceFailure) in try provider.closeSession(call) })
            ])
    }

    @OnLoop static func prompt(_ provider: SecretProvider) -> BusInterface {
        BusInterface(
            prefix + "Prompt",
            methods: [
                BusMethod(
                    "Prompt", takes: ["window_id": "s"],
                    answered(provider) { provider, call throws(ServiceFailure) in try provider.showPrompt(call) }),
                BusMethod(
                    "Dismiss", answered(provider) { provider, call throws(ServiceFailure) in try provider.dismissPrompt(call) }),
            ],
            signals: [BusSignal("Completed", gives: ["dismissed": "b", "result": "v"])])
    }
}
