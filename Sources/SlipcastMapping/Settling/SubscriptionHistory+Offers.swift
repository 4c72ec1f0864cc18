// Facts about offers: of the event's period, and of the next one.
extension SubscriptionHistory {
  /// No record shows the event's period with an offer.
  func noOffer(_ place: Int) -> [Int]? {
    guard let target = target(place), !target.traits.contains(.offer) else { return nil }
    return mark(place) { $0.traits.contains(.markable) } ?? []
  }

  /// A list that marks the cancelled period as upgraded shows the purchase that did it, with an offer or without one.
  func nextOffer(_ place: Int, isShown: Bool) -> [Int]? {
    guard let target = messages[place].about, target.cancellation != HistoryMessage.noTime else { return nil }
    return first(others(of: place)) { other in
      guard other.scope.contains(.list),
        other.periods.contains(where: { $0.id == target.id && $0.traits.contains(.upgraded) }),
        let next = other.periods.filter({ $0.traits.contains(.own) && $0.purchase > target.purchase })
          .min(by: { $0.purchase < $1.purchase })
      else { return false }
      return next.product != target.product && next.traits.contains(.markable)
        && (0...length(parameters.upgrade)).contains(target.cancellation - next.purchase)
        && next.traits.contains(.offer) == isShown
    }
  }

  /// No list shows the event's period, and flat bodies do not show offers.
  func isOfferUnseen(_ place: Int) -> Bool {
    guard let target = target(place), target.purchase >= parameters.offersStart else { return false }
    return target.traits.isDisjoint(with: [.offer, .markable])
  }

  /// An earlier message of the same period shows the same offer for the next one, of the same product: an offer belongs to
  /// a product, and one of this name may have been redeemed for the other.
  func pendingOffer(_ place: Int) -> [Int]? {
    let (message, before) = (messages[place], renewals(before: place))
    let earlier = before.filter { messages[$0].receivedAt < message.receivedAt - length(parameters.delivery) }
    // What was shown without the offer since then was pending before, and is not now.
    guard message.pendingOffer != 0,
      let last = earlier.max(by: { messages[$0].receivedAt < messages[$1].receivedAt }),
      messages[last].nextProduct == message.nextProduct,
      before.allSatisfy({ index in
        messages[index].receivedAt < messages[last].receivedAt || messages[index].pendingOffer == message.pendingOffer
      })
    else { return nil }
    return [last]
  }

  /// The message of the same period that was received last before shows the same offer, and another next product.
  ///
  /// With the same product, it may have been written after the event that comes so late.
  func offerShown(before place: Int) -> [Int]? {
    let message = messages[place]
    guard message.pendingOffer != 0,
      let last = renewals(before: place).max(by: { messages[$0].receivedAt < messages[$1].receivedAt }),
      messages[last].pendingOffer == message.pendingOffer, messages[last].nextProduct != 0,
      messages[last].nextProduct != message.nextProduct
    else { return nil }
    return [last]
  }

  /// The messages of the same newest period with its renewal entry that were received before one.
  private func renewals(before place: Int) -> [Int] {
    let message = messages[place]
    guard message.receivedAt != HistoryMessage.noTime, let newest = newest[place] else { return [] }
    return others(of: place).filter { index in
      let other = messages[index]
      return other.scope.contains(.renewal) && self.newest[index]?.id == newest.id
        && other.receivedAt != HistoryMessage.noTime && other.receivedAt < message.receivedAt
    }
  }
}
