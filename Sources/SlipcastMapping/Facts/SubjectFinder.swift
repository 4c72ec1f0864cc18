@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Finds the subject of one record by the order of the evidence.
struct SubjectFinder {
  let input: RecordInput
  let gaps: RecordGaps
  let record: LegacyRecord
  let type: LegacyType
  let parameters: DecisionParameters
  let receivedAt: Int64?
  var subject = Subject()
  /// The event's own transaction is named: its line item, or its id.
  private var isTransactionNamed = false

  /// Chooses by the order of the evidence.
  ///
  /// - Returns: also the periods, in which what belongs to the subscription is marked.
  static func find(_ input: RecordInput, in periods: consuming [Period], _ gaps: RecordGaps) -> (Subject, [Period]) {
    var finder = SubjectFinder(
      input: input, gaps: gaps, record: input.record, type: input.type, parameters: input.compiled.parameters,
      receivedAt: input.receivedAt)
    var marked = periods
    finder.find(&marked)
    return (finder.subject, marked)
  }

  /// The length of a window in the record's environment.
  func length(_ window: DecisionParameters.Window) -> Int64 { input.length(window) }

  private mutating func find(_ periods: inout [Period]) {
    subject.named = record.text(record.body, .original_transaction_id)
    if subject.named == nil, let flat = record.flat, isFlatNaming(flat) {
      subject.named = record.text(flat, .original_transaction_id)
    }
    subject.original = subject.named
    if type.is(.forOneTimePurchases) {
      chooseOneTimePurchase(&periods)
    } else {
      dropOneTimePurchases(&periods)
      chooseTarget(&periods)
    }
    dropUnreadable(&periods)
    if let target = subject.target { subject.target = purchase(restoredAs: target, periods) }
    if let target = subject.target, let own = periods[target].original { subject.original = own }
    // The body of a CANCEL dates the cancellation too.
    if type.is(.namedByBody), let target = subject.target, !periods[target].isCancelled,
      let date = record.instant(record.body, .cancellation)
    {
      periods[target].cancellation = date
    }
    mark(&periods)
    subject.newest = Self.newest(periods) { $0.isSameOriginal && !$0.isUpgraded }
    if let newest = subject.newest, isOlderRefund(periods[newest]) { subject.newest = nil }
    if gaps.hidesOrder(of: subject.original) { subject.newest = nil }
    findRenewal(periods)
    if let target = subject.target { findPrevious(periods, target) }
  }

  /// The flat object of a refund names its purchase unless it is a subscription that was not taken back.
  private func isFlatNaming(_ flat: Int) -> Bool {
    guard type.is(.forOneTimePurchases) else { return true }
    return record.rows.instant(flat, .cancellation) != Period.none || !isSubscriptionRow(flat)
  }

  /// Nothing is chosen from transactions of which a part cannot be read, unless the record names it.
  private mutating func dropUnreadable(_ periods: inout [Period]) {
    guard gaps.isReadingUnclear, !isTransactionNamed, subject.target != nil || !periods.isEmpty else { return }
    if periods.count > 1, subject.target != nil || subject.isUnlisted, isNameLost(periods) { return forget(periods) }
    guard gaps.isDamaged else { return }
    let own = subject.target.flatMap { periods[$0].original } ?? subject.named
    guard gaps.hidesOrder(of: subject.named ?? (isMixed(periods) ? nil : own)) else { return }
    forget(periods)
  }

  /// What would name the transaction, choose it among several, or show which renewal failed, cannot be read.
  private func isNameLost(_ periods: [Period]) -> Bool {
    if gaps.isNameUnreadable { return true }
    if type.is(.failure), receivedAt == nil, gaps.areRenewalsDamaged { return true }
    guard gaps.isNextUnreadable, !type.is(.forOneTimePurchases) else { return false }
    return subject.standing == .chosenByProduct || subject.standing == .chosenByConsent || subject.isUnlisted
      || isMixed(periods)
  }

  private mutating func forget(_ periods: [Period]) {
    let own = subject.target.flatMap { periods[$0].original } ?? subject.named
    (subject.target, subject.standing, subject.isUnreadable) = (nil, .missing, true)
    subject.isUnlisted = false
    let isOne = periods.allSatisfy { $0.original != nil && $0.original == periods.first?.original }
    guard subject.original == nil, !gaps.hidesPeriodsOfUnknown, isOne else { return }
    subject.original = own
  }

  // MARK: choosing

  private mutating func chooseTarget(_ periods: inout [Period]) {
    for evidence in parameters.subject {
      switch evidence {
      case .lineItem: chooseLineItem(&periods)
      case .originalId: narrowToOriginal(record.text(record.body, .original_transaction_id), &periods)
      case .flatObject: narrowToOriginal(record.flat.flatMap { record.text($0, .original_transaction_id) }, &periods)
      case .cancellation: if type.is(.reversal) { chooseCancellation(periods) }
      case .consent: if subject.named == nil { narrowToState(&periods) }
      case .nextProduct: if subject.named == nil { _ = narrowToNextProduct(&periods) }
      case .newestPeriod:
        narrowToFamily(&periods)
        chooseNewest(periods)
      }
      if subject.target != nil || subject.isUnlisted { return }
    }
    if subject.target == nil { subject.standing = .missing }
  }

  /// V1 sends what is for family members to no purchaser.
  private mutating func narrowToFamily(_ periods: inout [Period]) {
    guard type.is(.forFamilyMembers), subject.named == nil else { return }
    let count = periods.count(where: \.isCandidate)
    guard narrow(&periods, { record.isFamilyShared($0.row) == true }) else { return }
    if periods.count(where: \.isCandidate) < count { chooseByDate() }
  }

  /// The body of a CANCEL may name the line item.
  ///
  /// Where the list does not have it, other line items are other purchases, save one that was cancelled at that very time.
  private mutating func chooseLineItem(_ periods: inout [Period]) {
    guard type.is(.namedByBody), let line = record.text(record.body, .web_order_line_item_id) else { return }
    subject.target = Self.newest(periods) { isEqual($0, .web_order_line_item_id, line) }
    isTransactionNamed = subject.target != nil
    guard subject.target == nil, !periods.isEmpty else { return }
    let date = record.instant(record.body, .cancellation)
    subject.target = Self.newest(periods) { period in
      let isOther = subject.named.map { !isEqual(period, .original_transaction_id, $0) } ?? false
      return !isOther && period.isCancelled && period.cancellation == date
    }
    if subject.target != nil { return subject.standing = .chosenByDate }
    for index in periods.indices where record.text(periods[index].row, .web_order_line_item_id) != nil {
      periods[index].isCandidate = false
    }
    guard !periods.contains(where: \.isCandidate) else { return }
    (subject.isUnlisted, subject.standing) = (true, .missing)
  }

  /// Keeps the periods of a named original transaction; where none has it, the only subscription that fits.
  private mutating func narrowToOriginal(_ original: JSONText?, _ periods: inout [Period]) {
    guard let original, subject.standing == .named, let named = subject.named, named == original else { return }
    if narrowToSubscription(&periods, original) || narrowToTransaction(&periods, original) { return }
    guard let only = onlySubscription(periods) else {
      if narrowToNextProduct(&periods) { return }
      subject.isUnlisted = true
      subject.standing = .missing
      return
    }
    _ = narrowToSubscription(&periods, only)
    (subject.original, subject.standing) = (only, .otherOriginal)
  }

  /// The original transaction of the only other subscription in the lists, or of the only one of the body's product.
  private func onlySubscription(_ periods: [Period]) -> JSONText? {
    var found: [JSONText] = []
    func add(_ row: Int) {
      // Two are enough to know that there is not only one.
      guard found.count < 2, let original = record.text(row, .original_transaction_id),
        !found.contains(where: { $0 == original }),
        !(subject.named == original)
      else { return }
      found.append(original)
    }
    for period in periods where period.isCandidate { add(period.row) }
    for entry in record.renewals { add(entry) }
    if found.count == 1 { return found[0] }
    guard let product = record.text(record.body, .auto_renew_product_id) else { return nil }
    found.removeAll()
    for period in periods where period.isCandidate && isEqual(period, .product_id, product) { add(period.row) }
    return found.count == 1 ? found[0] : nil
  }

  /// The cancellation of this event: the nearest one before it; one long before the newest date of the record is
  /// history.
  mutating func chooseCancellation(_ periods: [Period]) {
    let latest = record.instant(record.body, .cancellation) ?? receivedAt ?? .max
    let newest = min(newestDate(periods), latest)
    var fitting: [Int] = []
    var isUpgradeLeftOut = false
    // V1 sends REVOKE to family members only.
    let isOfFamily =
      type.is(.forFamilyMembers)
      && periods.contains { $0.isCandidate && $0.isCancelled && record.isFamilyShared($0.row) == true }
    for index in periods.indices where periods[index].isCandidate && periods[index].isCancelled {
      if isOfFamily, record.isFamilyShared(periods[index].row) == false { continue }
      if type.is(.forFamilyMembers), isCancelledByUpgrade(periods[index], periods) {
        isUpgradeLeftOut = true
        continue
      }
      let cancellation = periods[index].cancellation
      guard cancellation <= latest, newest - cancellation <= length(parameters.delivery) else { continue }
      fitting.append(index)
    }
    subject.target = fitting.max { left, right in
      let (one, two) = (periods[left], periods[right])
      return (one.cancellation, one.purchase, one.expires, right) < (two.cancellation, two.purchase, two.expires, left)
    }
    if fitting.isEmpty {
      if isUpgradeLeftOut { chooseByDate() }
      return chooseRunning(periods)
    }
    guard let target = subject.target else { return }
    let isDated = record.instant(record.body, .cancellation) != nil
    // Apple writes the body when it sends the message, which may show the refunds of some hours.
    let window = isDated ? 0 : length(receivedAt == nil ? parameters.refund : parameters.companion)
    let tied = fitting.filter { isTied(periods[$0], periods[target], within: window) }
    if !tied.isEmpty, let shown = (tied + [target]).first(where: { isShownFlat(periods[$0]) }) {
      subject.target = shown
      return chooseByDate()
    }
    if !tied.isEmpty {
      let original = periods[target].original
      (subject.isTied, subject.isTiedAcross) = (true, tied.contains { periods[$0].original != original })
      return chooseByDate()
    }
    if type.is(.forFamilyMembers), periods[target].isUpgraded { chooseByDate() }
    guard fitting.count > 1 else { return }
    // A date in the body names the cancellation, unless several have it; else one of several was chosen.
    let isNamed =
      isDated && !fitting.contains { $0 != target && periods[$0].cancellation == periods[target].cancellation }
    subject.isUndatedChoice = !isDated
    if !isNamed { chooseByDate() }
  }

  /// The flat object of a body shows the period, as taken back.
  private func isShownFlat(_ period: Period) -> Bool {
    guard let flat = record.flat, record.rows.instant(flat, .cancellation) == period.cancellation else { return false }
    return flat == period.row || record.isSame(.transaction_id, in: flat, and: period.row) == true
  }

  /// Nothing distinguishes two purchases that were taken back at once; two rows of one purchase are not two.
  func isTied(_ one: Period, _ other: Period, within window: Int64 = 0) -> Bool {
    one.cancellation.isNear(other.cancellation, within: window) && one.row != other.row
      && record.isSame(.transaction_id, in: one.row, and: other.row) != true
      && record.isSame(.web_order_line_item_id, in: one.row, and: other.row) != true
  }

  /// Nothing names the chosen purchase.
  mutating func chooseByDate() {
    if subject.standing == .named || subject.standing == .otherOriginal { subject.standing = .chosenByDate }
  }

  /// Where the list shows no cancellation, the period that was upgraded then, or that ran at the date in the body.
  private mutating func chooseRunning(_ periods: [Period]) {
    let date = record.instant(record.body, .cancellation)
    let upgraded = upgradedPeriod(cancelledAt: date, periods)
    subject.target =
      upgraded ?? date.flatMap { date in Self.newest(periods) { $0.isCandidate && $0.purchase <= date } }
    guard date != nil || upgraded != nil else { return }
    if periods.filter(\.isCandidate).count > 1 { chooseByDate() }
  }

  /// The newest purchase or cancellation of the record; expiry dates lie ahead.
  func newestDate(_ periods: [Period]) -> Int64 {
    periods.reduce(.min) { max($0, $1.purchase, $1.cancellation) }
  }

  /// Keeps the subscription whose renewal entry has the body's next product.
  private mutating func narrowToNextProduct(_ periods: inout [Period]) -> Bool {
    guard let product = record.text(record.body, .auto_renew_product_id), isMixed(periods),
      let entry = entry(of: product, periods)
    else { return false }
    let isFound =
      if let original = record.text(entry, .original_transaction_id) {
        narrowToSubscription(&periods, original)
      } else {
        narrow(&periods) { isEqual($0, .product_id, record.text(entry, .product_id) ?? product) }
      }
    if isFound { subject.standing = .chosenByProduct }
    return isFound
  }

  // MARK: parts

  func isEqual(_ period: Period, _ key: LegacyKey, _ value: JSONText) -> Bool {
    record.text(period.row, key) == value
  }

  /// Drops every period with another original transaction; when none has it, all stay.
  func narrowToSubscription(_ periods: inout [Period], _ original: JSONText) -> Bool {
    markOriginal(&periods, original)
    return narrow(&periods) { $0.isSameOriginal }
  }

  /// Keeps the transaction that has the named original id as its own, or the subscription of that transaction.
  mutating func narrowToTransaction(_ periods: inout [Period], _ id: JSONText) -> Bool {
    guard let place = Self.newest(periods, { isEqual($0, .transaction_id, id) }) else { return false }
    isTransactionNamed = true
    let isAlone = !type.is(.forSubscriptions) && !isSubscriptionRow(periods[place].row)
    if let original = periods[place].original {
      subject.standing = .otherOriginal
      if !isAlone { return narrowToSubscription(&periods, original) }
    }
    return narrow(&periods) { isEqual($0, .transaction_id, id) }
  }

  /// Drops every period that does not fit; when none does, all stay.
  func narrow(_ periods: inout [Period], _ fits: (Period) -> Bool) -> Bool {
    guard periods.contains(where: fits) else { return false }
    let isCandidateFitting = periods.contains { $0.isCandidate && fits($0) }
    for index in periods.indices where periods[index].isCandidate || !isCandidateFitting {
      periods[index].isCandidate = fits(periods[index])
    }
    return true
  }

  func isMixed(_ periods: [Period]) -> Bool {
    var first: JSONText?
    var last = -1
    var hasUnnamed = false
    for index in periods.indices where periods[index].isCandidate {
      guard let original = periods[index].original else {
        hasUnnamed = true
        continue
      }
      let isRepeated = last >= 0 && last == index - 1 && periods[index].repeatsOriginal
      if !isRepeated, let first, !(first == original) { return true }
      (first, last) = (first ?? original, index)
    }
    // A row that names no subscription may be of another one than those that do.
    return hasUnnamed && first != nil
  }

  private func mark(_ periods: inout [Period]) {
    guard let original = subject.original else {
      for index in periods.indices { periods[index].isSameOriginal = index == subject.target }
      return
    }
    markOriginal(&periods, original)
    if let target = subject.target, periods[target].original == nil { periods[target].isSameOriginal = true }
  }

  private func markOriginal(_ periods: inout [Period], _ original: JSONText) {
    var isSame = false
    for index in periods.indices {
      if !periods[index].repeatsOriginal { isSame = periods[index].original == original }
      periods[index].isSameOriginal = isSame
    }
  }

  static func newest(_ periods: [Period], _ fits: (Period) -> Bool) -> Int? {
    var found: Int?
    for index in periods.indices {
      if let old = found, !periods[index].isNewer(than: periods[old]) { continue }
      if fits(periods[index]) { found = index }
    }
    return found
  }
}
