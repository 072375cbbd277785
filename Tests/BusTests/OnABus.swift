import Testing

/// One test after another: some count the memory of this process, and all share two cores with the buses that they start.
@Suite("On a bus", .serialized) enum OnABus {}
