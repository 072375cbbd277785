/// Carries a closure of the loop's through another thread and back, where it is opened again on the loop alone.
@OnLoop public final class LoopBox<Value> {
    public let value: Value
    public init(_ value: Value) { self.value = value }
}
