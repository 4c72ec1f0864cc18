internal import SlipcastBulk
internal import SlipcastStores
import SlipcastSystem

/// Keeps the table `states` of a database up to date while events are delivered to it.
final class TargetStates {
  private let store: any LiveStates
  private let fill: ServerOptions.FillStates
  /// The event up to which it is up to date.
  private var position: Int64?
  private var time = Platform.seconds()
  /// The longest time that the table stays behind while events arrive without a pause, in seconds.
  private static let longest = 60.0

  /// - Returns: `nil` for a target without the table.
  init?(of store: (any StoreSink)?, _ fill: ServerOptions.FillStates?) {
    guard let store = store as? any LiveStates, let fill else { return nil }
    (self.store, self.fill) = (store, fill)
  }

  /// Brings the table up to date when every event is delivered, and else at least once a minute.
  ///
  /// - Parameters:
  ///   - position: the last event that the database has.
  ///   - isIdle: it has all.
  /// - Throws: `StoreError`.
  func update(at position: Int64, isIdle: Bool, while goesOn: () -> Bool) throws {
    guard position != self.position, isIdle || Platform.seconds() - time > Self.longest else { return }
    try store.updateStates { try fill($0, goesOn) }
    if goesOn() { self.position = position }
    time = Platform.seconds()
  }
}
