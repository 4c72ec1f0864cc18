extension SubscriptionHistory {
  /// The archive facts that take more than conditions of one other message, each with what shows it about a message.
  ///
  /// The conditions of all other facts are data (`archive-facts.json`).
  static let functions: [ArchiveFact: @Sendable (Self, _ place: Int) -> [Int]?] = [
    .recoveryReported: { $0.report($1, $0.isRecovery) ?? $0.renewalAfterGap($1) },
    .upgradeReported: { $0.upgradeReport($1) },
    .cancelReported: { $0.cancelReport($1) },
    // What the customer had cancelled is not renewed later.
    .failedBefore: { $0.evidence(for: .lapsedVoluntarily, of: $1) == nil ? $0.failure($1) : nil },
    .nothingBoughtNear: { $0.noPurchase(near: $1) },
    .wasOff: { $0.wasOff($1) },
    .stayedOn: { $0.stayed(on: true, $1) },
    .stayedOff: { $0.stayed(on: false, $1) },
    .earlierEnded: { $0.earlier($1, .earlierEnded) },
    .firstOfGroup: { $0.earlier($1, .firstOfGroup) },
    .upgradeNear: { $0.upgrade($1) },
    .upgradedUncancelled: { $0.upgradedUncancelled($1) },
    .otherChangeAtPurchase: { $0.otherChange($1) },
    .otherPeriodRan: { $0.shownRunning($1, ofSameProduct: false) },
    .samePeriodRan: { $0.shownRunning($1, ofSameProduct: true) },
    // Offers.
    .noOfferShown: { $0.noOffer($1) },
    .offerUnseen: { $0.isOfferUnseen($1) ? [] : nil },
    .offerPendingBefore: { $0.pendingOffer($1) },
    .offerShownBefore: { $0.offerShown(before: $1) },
    .nextOfferShown: { $0.nextOffer($1, isShown: true) },
    .noNextOfferShown: { $0.nextOffer($1, isShown: false) },
    // What follows from the absence of messages.
    .otherProductRan: { $0.ran($1) { $0.product != $1.product } },
    .sameProductRan: { $0.ran($1) { $0.product == $1.product } },
    .lapsedBefore: { $0.lapsedBefore($1) },
    .revokedBefore: { $0.revokedBefore($1) },
    .nothingPending: { $0.nothingPending($1) },
    .otherChoiceBefore: { $0.otherChoice(before: $1) },
    .sameProductOnly: { $0.sameProductOnly($1) },
    .noCancelReported: { $0.noCancel($1) },
    .noFailureReported: { $0.noFailure($1) },
    .noRecoveryReported: { $0.noRecovery($1) },
    .noPurchaseReported: { $0.noPurchase(at: $1) },
  ]
}
