internal import SlipcastBulk

/// How far a target is; read by reports while a delivery changes it.
struct DeliveryState: Sendable {
  let name: MaskedName
  /// The number of the last event that the target has; `nil` while it is not known.
  var position: Int64?
  /// Deliveries that failed after the last retry and are kept.
  var undelivered = 0
  var waiting = 0
  /// All events up to this one are delivered; `nil`: the same as `position`.
  var complete: Int64?
  var failures = 0
  /// Why the last attempt failed; `nil` while all is well.
  var trouble: String?
}
