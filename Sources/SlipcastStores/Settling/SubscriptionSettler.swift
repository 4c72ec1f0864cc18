internal import SlipcastBulk
internal import SlipcastMapping

/// Finds what the messages of a subscription show of each other; serves one worker.
final class SubscriptionSettler {
  private let order: DeliveryOrder
  private let settler: Settler
  private let finds: SettleRun.Findings
  /// The periods are kept, under the name that stands before each message.
  private let keepsPeriods: Bool

  init(
    _ prepared: Converter.PreparedRules, complete: [ClosedRange<Int64>], finds: SettleRun.Findings, keepsPeriods: Bool
  ) {
    order = DeliveryOrder(rules: prepared.rules)
    settler = Settler(prepared: prepared, complete: complete)
    (self.finds, self.keepsPeriods) = (finds, keepsPeriods)
  }

  /// - Throws: `FileError` when the disk is full.
  func settle(_ piece: HistoryPiece) throws -> [SettledSubscription] { try piece.subscriptions.map { try settle($0) } }

  private func settle(_ subscription: HistoryPiece.Subscription) throws -> SettledSubscription {
    var messages: [HistoryMessage] = []
    var traces: [EventTrace] = []
    for body in subscription.messages {
      let start = keepsPeriods ? MessageName.end(in: body) : 0
      guard let message = HistoryMessage(body, after: start) else { continue }
      messages.append(message)
      if let trace = message.trace { traces.append(trace) }
    }
    var found = SettledSubscription()
    found.ordinals = try order.ordinals(of: traces + subscription.furtherTraces)
    let periods = finds.contains(.periods) || keepsPeriods ? UnitedPeriods(messages) : nil
    if finds.contains(.readings) { settler.settle(messages, periods) { found.results.append($0) } }
    guard let periods else { return found }
    if finds.contains(.periods) { found.periods = SettledSubscription.Periods(periods) }
    if keepsPeriods, let name = subscription.messages.first.map(MessageName.read), !name.isEmpty {
      found.kept = periods.kept(subscription: subscription.number, originalTransactionId: name)
    }
    return found
  }
}
