internal import SlipcastComparison
internal import SlipcastMapping

/// Finds the V2 notification of the event of a V1 message: by line item, kind, renewal state and time, never by order.
struct PairFinder {
  private let tally: ParityTally
  private let kinds: EventKinds
  private let production: Windows
  private let sandbox: Windows
  private let ties: TieBreaker
  /// Of very many notifications that fit, those nearest in time are looked at.
  private static let mostCandidates = 256

  init(_ tally: ParityTally, _ rules: RuleSet, _ kinds: EventKinds, _ ties: TieBreaker) {
    (self.tally, self.kinds, self.ties) = (tally, kinds, ties)
    let lengths = [rules.window(.server), rules.window(.action), rules.longestGroupingWindows, rules.window(.delivery)]
    production = Windows(lengths.map(\.milliseconds))
    sandbox = Windows(lengths.map(\.sandbox))
  }

  /// How far from each other a message and a notification may be, in milliseconds, in one environment.
  private struct Windows {
    let server: UInt64
    let usual: UInt64
    let longest: UInt64
    let delivery: UInt64

    init(_ lengths: [Int64]) {
      let lengths = lengths.map { UInt64(max(0, $0)) }
      (server, usual, longest, delivery) = (lengths[0], lengths[1], lengths[2], lengths[3])
    }

    func length(_ rank: Int) -> UInt64 {
      rank <= PairFinder.possible ? server : rank == PairFinder.companion ? longest : usual
    }
  }

  /// How well a message and a notification fit; less is better.
  private struct Fit: Comparable {
    var rank: Int
    /// One of the two does not name its purchase: another one may name it.
    var isVague = false
    /// How much the values differ that identify the event besides its line item and kind.
    var difference: Int
    var distance: UInt64
    var legacy = 0
    var server = 0

    var pair: (legacy: Int, server: Int) { (legacy, server) }

    static func < (left: Fit, right: Fit) -> Bool {
      (left.rank, left.isVague ? 1 : 0, left.difference, left.distance)
        < (right.rank, right.isVague ? 1 : 0, right.difference, right.distance)
    }
  }

  /// The indexes of messages and notifications of one event; each is in one pair at most.
  ///
  /// - Parameters:
  ///   - legacy: messages, by their places in the partition.
  ///   - server: notifications that are free, by their places.
  ///   - isCertain: only readings that the message itself allows.
  func pairs(
    _ partition: EventPartition, legacy: [Int], server: [Int], isCertain: Bool = false
  ) -> [(legacy: Int, server: Int)] {
    guard !legacy.isEmpty, !server.isEmpty else { return [] }
    let index = ServerIndex(partition, server)
    var fits: [Fit] = []
    for place in legacy {
      let message = partition.legacy[place]
      for candidate in index.candidates(of: message, most: Self.mostCandidates) {
        guard var fit = fit(message, partition.server[candidate], isCertain: isCertain) else { continue }
        (fit.legacy, fit.server) = (place, candidate)
        fits.append(fit)
      }
    }
    fits.sort()
    var takenLegacy = [Bool](repeating: false, count: partition.legacy.count)
    var takenServer = [Bool](repeating: false, count: partition.server.count)
    var pairs: [(legacy: Int, server: Int)] = []
    func take(_ pair: (legacy: Int, server: Int)) {
      guard !takenLegacy[pair.legacy], !takenServer[pair.server] else { return }
      (takenLegacy[pair.legacy], takenServer[pair.server]) = (true, true)
      pairs.append(pair)
    }
    var start = 0
    while start < fits.count {
      let end = fits[start...].firstIndex { fits[start] < $0 } ?? fits.count
      if end - start == 1 {
        take(fits[start].pair)
      } else {
        let free = fits[start..<end].map(\.pair).filter { !takenLegacy[$0.legacy] && !takenServer[$0.server] }
        ties.ordered(free, partition).forEach(take)
      }
      start = end
    }
    return pairs
  }

  private func fit(_ message: PairEvent, _ notification: PairEvent, isCertain: Bool) -> Fit? {
    if message.head.unit != .notification { return fitOfAnswers(message, notification) }
    // Two archives of V2 have Apple's own name for the event.
    if let one = message.head.id, let two = notification.head.id, one == two {
      return Fit(rank: 0, difference: 0, distance: 0)
    }
    guard message.head.origin == .server || message.keys.isOfAssignment == notification.keys.isOfAssignment else {
      return nil
    }
    let standing = tally.standing(message.head, cast: message.keys, server: notification.keys)
    // V2 names the period that an action led to, but in a refund the one that was taken back.
    let isOfOne = standing == .absorbed || standing == .accepted && message.head.isAbsorbed
    let isCompanion = isOfOne && !notification.keys.event.takesBack
    guard isSamePurchase(message, notification, isCompanion: isCompanion),
      var rank = rank(standing, message, notification), !isCertain || rank <= Self.possible
    else { return nil }
    let difference = difference(message, notification)
    let distance = distance(message, notification)
    let windows = message.keys.isSandbox ? sandbox : production
    if let distance, distance > windows.length(rank) {
      // The line item identifies the event; but one that is reported otherwise, or is nearer in time, is likelier. A
      // message without a date has the time of its delivery, which Apple repeats for days.
      guard message.isTimedByPeriod && distance <= windows.longest || rank <= Self.companion && !message.isDated
      else { return nil }
      // The renewal state identifies a message without a date, however late it was delivered.
      let isIdentified = message.head.kind == .undated && difference == 0
      if distance > (isIdentified ? windows.delivery : windows.longest) { rank += Self.far }
    }
    let isVague = message.keys.namesPurchase != notification.keys.namesPurchase
    return Fit(rank: rank, isVague: isVague, difference: difference, distance: distance ?? .max)
  }

  /// How much the environment and the renewal state differ; messages with a date are identified by their time, so only
  /// the product of their next renewal counts.
  private func difference(_ message: PairEvent, _ notification: PairEvent) -> Int {
    let (one, two) = (message.keys, notification.keys)
    func differs<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      left != right && left != nil && right != nil
    }
    /// A value that only one of the two states differs less.
    func weight<Value: Equatable>(_ left: Value?, _ right: Value?) -> Int {
      left == right ? 0 : differs(left, right) ? 2 : 1
    }
    let ofEnvironment = differs(one.environment, two.environment) ? 10 : 0
    guard message.head.kind == .undated else {
      return ofEnvironment + (differs(one.autoRenewProductId, two.autoRenewProductId) ? 1 : 0)
    }
    return ofEnvironment + weight(one.autoRenewProductId, two.autoRenewProductId)
      + weight(one.autoRenewStatus, two.autoRenewStatus) + weight(one.priceIncreaseStatus, two.priceIncreaseStatus)
      + weight(one.expirationIntent, two.expirationIntent)
  }

  /// Items of answers are the same when they have the same name; ids are renumbered by restores.
  private func fitOfAnswers(_ one: PairEvent, _ two: PairEvent) -> Fit? {
    guard one.head.unit == two.head.unit else { return nil }
    if one.head.unit == .subscription {
      guard one.keys.originalTransactionId == two.keys.originalTransactionId else { return nil }
      return Fit(rank: 0, difference: 0, distance: 0)
    }
    guard isSamePurchase(one, two, isCompanion: false) else { return nil }
    return Fit(rank: one.keys.transactionId == two.keys.transactionId ? 0 : 1, difference: 0, distance: 0)
  }

  private static let equal = 0
  private static let possible = 2
  private static let companion = 4
  private static let sameType = 6
  private static let sameMessage = 8
  private static let far = 10

  private func rank(_ standing: EventStanding, _ message: PairEvent, _ notification: PairEvent) -> Int? {
    switch standing {
    case .equal: return Self.equal
    case .candidate, .accepted: return Self.possible
    case .absorbed: return Self.companion
    case .differs:
      // What takes access back is never another event: the pair would hide a lost refund.
      guard message.keys.event.takesBack == notification.keys.event.takesBack else { return nil }
      let isSameType = message.keys.event.notificationType == notification.keys.event.notificationType
      let mayMean = kinds.mayMean(message.head.name, notification.keys.event)
      // An event that V1 never sends is not another reading of a message; one that V1 need not send may be, of the same
      // type.
      if kinds.isNoReading(notification.keys, isToldByMessage: isSameType && mayMean) { return nil }
      return isSameType ? Self.sameType : mayMean ? Self.sameMessage : nil
    }
  }

  private func distance(_ message: PairEvent, _ notification: PairEvent) -> UInt64? {
    guard let one = message.time, let two = notification.time else { return nil }
    return one < two ? UInt64(bitPattern: two &- one) : UInt64(bitPattern: one &- two)
  }

  /// Both are about one purchase: by line item, else by product and date, as far as both state them.
  private func isSamePurchase(_ message: PairEvent, _ notification: PairEvent, isCompanion: Bool) -> Bool {
    let (one, two) = (message.keys, notification.keys)
    func agree<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      guard let left, let right else { return true }
      return left == right
    }
    // Several transactions stand for the period: only the one of the same id is the same.
    if one.isSeatAddition || two.isSeatAddition, !agree(one.transactionId, two.transactionId) { return false }
    if let left = one.webOrderLineItemId, let right = two.webOrderLineItemId {
      // A companion names the period that the action ended, V2 the one that it led to.
      if left == right || isCompanion { return true }
      return one.transactionId != nil && one.transactionId == two.transactionId && one.purchaseDate == two.purchaseDate
        && one.productId == two.productId
    }
    if let left = one.transactionId, left == two.transactionId { return true }
    // Two customers may buy the same at the same second.
    guard agree(one.transactionId, two.transactionId) || agree(one.originalTransactionId, two.originalTransactionId)
    else { return false }
    return agree(one.productId, two.productId) && agree(one.purchaseDate, two.purchaseDate)
  }
}

/// Notifications by line item and by time.
private struct ServerIndex {
  private var byLineItem: [UInt64: [Int]] = [:]
  private var withoutLineItem: [Int] = []
  private let all: [Int]
  private let partition: EventPartition

  /// A subscription has few events: all are looked at.
  private static let few = 64

  init(_ partition: EventPartition, _ server: [Int]) {
    self.partition = partition
    guard server.count > Self.few else {
      all = server
      return
    }
    func time(_ place: Int) -> Int64 { partition.server[place].time ?? .min }
    all = server.sorted { (time($0), $0) < (time($1), $1) }
    for place in all {
      if let lineItem = partition.server[place].keys.webOrderLineItemId {
        byLineItem[lineItem, default: []].append(place)
      } else {
        withoutLineItem.append(place)
      }
    }
  }

  func candidates(of message: PairEvent, most: Int) -> [Int] {
    if all.count <= Self.few { return all }
    guard let lineItem = message.keys.webOrderLineItemId, !message.head.isAbsorbed else {
      return nearest(all, message, most)
    }
    return nearest(byLineItem[lineItem] ?? [], message, most) + nearest(withoutLineItem, message, most)
  }

  private func nearest(_ places: [Int], _ message: PairEvent, _ most: Int) -> [Int] {
    guard places.count > most else { return places }
    let time = message.time ?? .min
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if partition.server[places[middle]].time ?? .min < time { low = middle + 1 } else { high = middle }
    }
    let start = max(0, min(low - most / 2, places.count - most))
    return Array(places[start..<start + most])
  }
}

extension EventKeys {
  fileprivate var namesPurchase: Bool { webOrderLineItemId != nil || transactionId != nil }

  /// An organization or a group gave the purchase or took it back: V1 has no such message.
  fileprivate var isOfAssignment: Bool { isAssigned || isAssignmentRevoked }
}
