import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService

// org.freedesktop.Secret.Item
extension ServiceInterfaces {
    @OnLoop static func item(_ provider: SecretProvider) -> BusInterface {
        BusInterface(
            prefix + "Item",
            methods: [
                BusMethod(
                    "Delete", gives: ["Prompt": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.deleteItem(call) }),
                BusMethod(
                    "GetSecret", takes: ["session": "o"], gives: ["secret": "(oayays)"], hasSecrets: true,
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.getSecret(call) }),
                BusMethod(
                    "SetSecret", takes: ["secret": "(oayays)"], hasSecrets: true,
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.setSecret(call) }),
            ],
            properties: [
                BusProperty(
                    "Locked", "b", changes: .untold,
                    read: reading(provider) { provider, call throws(ServiceFailure) in
                        .bool(try await provider.isItemLocked(call))
                    }),
                BusProperty(
                    "Attributes", "a{ss}", changes: .value,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        .attributes(try provider.item(at: call.path).attributes)
                    },
                    write: writing(provider) { provider, call throws(ServiceFailure) in try await provider.setAttributes(call) }),
                BusProperty(
                    "Label", "s", changes: .value,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        .string(try provider.item(at: call.path).label)
                    },
                    write: writing(provider) { provider, call throws(ServiceFailure) in try await provider.labelItem(call) }),
                BusProperty(
                    "Created", "t", changes: .never,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        .uint64(try provider.item(at: call.path).created)
                    }),
                BusProperty(
                    "Modified", "t", changes: .value,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        .uint64(try provider.item(at: call.path).modified)
                    }),
            ])
    }
}
