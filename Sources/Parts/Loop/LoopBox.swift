/// Carries a closure of the loop's through another thread and back. Only the loop can take it out again.
@OnLoop public final class LoopBox<Value> {
    public let value: Value
    public init(_ value: Value) { self.value = value }
}
