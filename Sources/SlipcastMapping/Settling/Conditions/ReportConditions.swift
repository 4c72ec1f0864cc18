internal import SlipcastV2

/// What another message reports of the period, or of the event's own.
enum AboutCondition: String, MessageCondition {
  /// It is about the period, or about the event's own, and its record names the subscription; or may not.
  case aboutPeriod, aboutPurchase, mayBeAboutPeriod, mayBeAboutPurchase
  /// The newest period that it shows is this one, or the one before, as the event's record lists it.
  case newestIsPeriod, newestIsBefore
  /// It reports that the renewal of the period failed, or shows that Apple tries it again.
  case showsFailure
  /// It takes back a period of another product that ran at the purchase, seconds after it: one action of Apple.
  case takesBackReplaced
  /// It reports a purchase near the event, or elsewhere.
  case boughtNear, boughtElsewhere

  static let needsPeriod = true

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.holds(self, index, other)
  }
}

/// What another message reports.
enum ReportCondition: String, MessageCondition {
  /// Its record names the subscription; its event may be about another one.
  case named, unclear
  case purchaseByHand, laterPurchase, renewal, formerRecovery, failure, recovery, afterUpgrade
  case changesAutoRenew, changesProduct
  /// It certainly reports a recovery.
  case reportsRecovery
  /// No list shows the period that it takes back as cancelled without a mark of an upgrade.
  case neverUnmarked
  /// It reports a purchase at the event, or one without a change of auto-renew.
  case boughtAtEvent, boughtWithoutChange

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.holds(self, other)
  }
}

/// What another message shows of a change of auto-renew.
enum ChangeCondition: String, MessageCondition {
  /// It is nothing but such a change.
  case plainChange
  /// Its record states when auto-renew was changed last.
  case changeStated, unchangedSinceEvent, changedAtEvent, changedBeforeEvent, changedLongBeforeEvent

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.holds(self, index, other)
  }
}

/// The same, compared with the period.
enum ChangeInPeriodCondition: String, MessageCondition {
  case changedBeforeEnd, changedSincePurchase, changedAwayFromPurchase
  /// Its event is at the purchase of the period; at a purchase near the event that another message reports.
  case changedAtPurchase, changedAtNearPurchase

  static let needsPeriod = true

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.period.map { subject.holds(self, other, $0) } ?? false
  }
}

extension FactSubject {
  fileprivate func holds(_ condition: AboutCondition, _ index: Int, _ other: HistoryMessage) -> Bool {
    switch condition {
    case .aboutPeriod: period.map { history.isAbout(other, $0) } ?? false
    case .aboutPurchase: target.map { history.isAbout(other, $0) } ?? false
    case .mayBeAboutPeriod: period.map { other.about?.id == $0.id } ?? false
    case .mayBeAboutPurchase: target.map { other.about?.id == $0.id } ?? false
    case .newestIsPeriod: period.map { history.newest[index]?.id == $0.id } ?? false
    case .newestIsBefore: isBefore(history.newest[index])
    case .showsFailure: showsFailure(other)
    case .takesBackReplaced: takesBackReplaced(other)
    case .boughtNear: isBought(other) { bought, _ in isNear(bought) }
    case .boughtElsewhere: isBought(other) { bought, _ in !isNear(bought) }
    }
  }

  fileprivate func holds(_ condition: ReportCondition, _ other: HistoryMessage) -> Bool {
    switch condition {
    case .named: other.scope.contains(.named)
    case .unclear: other.scope.contains(.unclear)
    case .purchaseByHand: other.type.isPurchaseByHand
    case .laterPurchase: other.type.is(.laterPurchase)
    case .renewal: other.type.is(.renewal)
    case .formerRecovery: other.type.is(.formerRecovery)
    case .failure: other.type.is(.failure)
    case .recovery: other.type.is(.recovery)
    case .afterUpgrade: other.type.is(.afterUpgrade)
    case .changesAutoRenew: other.type.changesAutoRenew
    case .changesProduct: other.type.changesProduct
    // V1 reports a recovery with RENEWAL until 2021-03-10; the Sandbox sends that for others too.
    case .reportsRecovery:
      other.type.is(.recovery)
        || other.type.is(.formerRecovery) && other.confidence < .inferred && !other.scope.contains(.sandbox)
    case .neverUnmarked: other.about.map { !history.isUnmarked($0) } ?? false
    case .boughtAtEvent: isBought(other) { bought, time in history.isAtPurchase(time, of: bought) }
    case .boughtWithoutChange: isBought(other) { bought, _ in !history.isChanged(at: bought, besides: place) }
    }
  }

  /// A message reports the failed renewal and does not show the period as paid; or a snapshot from before the next
  /// purchase shows the retry.
  private func showsFailure(_ other: HistoryMessage) -> Bool {
    guard let period, let target else { return false }
    if other.type.is(.failure), history.isAbout(other, period) {
      return !other.isPaid(period, early: length(parameters.early))
    }
    return other.isRetrying == true && other.newest?.id == period.id
      && (other.writtenFrom == HistoryMessage.noTime || other.writtenFrom <= target.purchase)
  }

  /// A customer cannot get a refund and buy again that fast; flat bodies do not mark upgrades.
  private func takesBackReplaced(_ other: HistoryMessage) -> Bool {
    guard let target, let old = other.about else { return false }
    return old.traits.contains(.own) && !old.traits.contains(.forApp) && old.product != target.product
      && old.purchase < target.purchase && target.purchase < old.expires
      && (0...length(parameters.companion)).contains(old.cancellation - target.purchase)
  }

  private func isBefore(_ newest: HistoryMessage.Period?) -> Bool {
    period.map { newest?.id == message.period(before: $0.id, early: length(parameters.early))?.id } ?? false
  }

  private func isBought(_ other: HistoryMessage, _ holds: (HistoryMessage.Period, Int64) -> Bool) -> Bool {
    guard let bought = other.about, let time = message.time else { return false }
    return holds(bought, time)
  }

  // MARK: changes of auto-renew

  fileprivate func holds(_ condition: ChangeCondition, _ index: Int, _ other: HistoryMessage) -> Bool {
    func changedBeforeEvent(by least: Int64) -> Bool {
      other.changed { change in message.time.map { change < $0 - least } ?? false }
    }
    return switch condition {
    case .plainChange: !history.unclearChanges.contains(index)
    case .changeStated: other.changed { _ in true }
    case .unchangedSinceEvent: other.changed { $0 <= message.eventTime }
    case .changedAtEvent: other.changed { $0 == message.eventTime }
    case .changedBeforeEvent: changedBeforeEvent(by: 0)
    case .changedLongBeforeEvent: changedBeforeEvent(by: length(parameters.companion))
    }
  }

  fileprivate func holds(
    _ condition: ChangeInPeriodCondition, _ other: HistoryMessage, _ period: HistoryMessage.Period
  ) -> Bool {
    switch condition {
    case .changedBeforeEnd: other.changed { $0 < period.expires }
    case .changedSincePurchase: other.changed { $0 > period.purchase + length(parameters.companion) }
    case .changedAwayFromPurchase: other.changed { !history.mayBeCompanion($0, of: period) }
    case .changedAtPurchase: history.isAtPurchase(other.eventTime, of: period)
    case .changedAtNearPurchase:
      history.messages.contains { one in
        one.type.isPurchaseByHand
          && one.about.map { isNear($0) && history.isAtPurchase(other.eventTime, of: $0) } ?? false
      }
    }
  }
}

extension HistoryMessage {
  /// The last change of auto-renew that the message states is as asked.
  fileprivate func changed(_ holds: (Int64) -> Bool) -> Bool { statusChange != Self.noTime && holds(statusChange) }
}
