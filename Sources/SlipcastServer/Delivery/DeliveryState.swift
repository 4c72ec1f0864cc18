internal import SlipcastBulk
internal import SlipcastMapping

/// How events are converted for targets.
struct LiveOptions: Sendable {
  var rules: RuleSet
  var prepared: Converter.PreparedRules
  var convert: ConvertOptions
  /// V1 lines get the arrival time as `signedDate`.
  var datesByArrival = false
  /// A new target receives only events that arrive from now on.
  var fromNow = false
  var maxBody: Int
  /// Settles readings with earlier events; `nil`: each record is read alone.
  var history: EventHistory?
}

/// How far a target is; read by reports while a delivery changes it.
struct DeliveryState: Sendable {
  /// The name of the target in reports.
  let name: String
  /// The number of the last event that the target has; `nil` while it is not known.
  var position: Int64?
  /// Deliveries that failed after the last retry and are kept.
  var undelivered = 0
  /// Events that wait for their next attempt.
  var waiting = 0
  /// All events up to this one are delivered; `nil`: the same as `position`.
  var complete: Int64?
  var failures = 0
  /// Why the last attempt failed; `nil` while all is well.
  var trouble: String?
}
