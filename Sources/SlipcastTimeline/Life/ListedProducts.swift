internal import SlipcastMapping

/// The products that messages name, by the numbers that lists have for them.
struct ListedProducts {
  private var names: [UInt64: String] = [:]
  private var known: Set<String> = []

  mutating func learn(_ productId: String?) {
    guard let productId, known.count < SubscriptionSummary.productLimit, known.insert(productId).inserted else {
      return
    }
    names[UntoldPeriod.number(ofProduct: productId)] = productId
  }

  subscript(number: UInt64) -> String? { names[number] }
}
