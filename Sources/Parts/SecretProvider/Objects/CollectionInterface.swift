import ThumbBus
import ThumbLoop
import ThumbSecretService

// org.freedesktop.Secret.Collection
extension ServiceInterfaces {
    @OnLoop static func collection(_ provider: SecretProvider) -> BusInterface {
        BusInterface(
            prefix + "Collection",
            methods: [
                BusMethod(
                    "Delete", gives: ["prompt": "o"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.deleteCollection(call) }),
                BusMethod(
                    "SearchItems", takes: ["attributes": "a{ss}"], gives: ["results": "ao"],
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.searchCollection(call) }),
                BusMethod(
                    "CreateItem", takes: ["properties": "a{sv}", "secret": "(oayays)", "replace": "b"],
                    gives: ["item": "o", "prompt": "o"], hasSecrets: true,
                    answered(provider) { provider, call throws(ServiceFailure) in try await provider.createItem(call) }),
            ],
            properties: [
                BusProperty(
                    "Items", "ao", changes: .untold,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        let name = try provider.collection(at: call.path).name
                        return .array(provider.catalog.places(in: name).map { .path(SecretPath.item($0).text) })
                    }),
                BusProperty(
                    "Label", "s", changes: .value,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        .string(try provider.collection(at: call.path).label)
                    },
                    write: writing(provider) { provider, call throws(ServiceFailure) in try await provider.labelCollection(call) }
                ),
                BusProperty(
                    "Locked", "b", changes: .value,
                    read: reading(provider) { provider, call throws(ServiceFailure) in
                        .bool(try await provider.isCollectionLocked(call))
                    }),
                BusProperty(
                    "Created", "t", changes: .never,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        .uint64(try provider.collection(at: call.path).created)
                    }),
                BusProperty(
                    "Modified", "t", changes: .value,
                    now: readingNow(provider) { provider, call throws(ServiceFailure) in
                        .uint64(try provider.collection(at: call.path).modified)
                    }),
            ],
            signals: [
                BusSignal("ItemCreated", gives: ["item": "o"]), BusSignal("ItemDeleted", gives: ["item": "o"]),
                BusSignal("ItemChanged", gives: ["item": "o"]),
            ])
    }
}
