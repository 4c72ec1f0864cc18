@_spi(Slipcast) internal import SlipcastWire

/// Numbers different texts by their first appearance.
///
/// Records have one or two subscriptions: comparing is faster than hashing, and many texts are hashed.
struct TextNumbers {
  private var texts: [JSONText] = []
  private var places: [JSONText: Int] = [:]
  private static let mostCompared = 8

  mutating func number(of text: JSONText) -> Int {
    if texts.count < Self.mostCompared {
      if let place = texts.firstIndex(where: { $0 == text }) { return place }
    } else {
      if places.isEmpty { for (place, text) in texts.enumerated() { places[text] = place } }
      if let place = places[text] { return place }
      places[text] = texts.count
    }
    texts.append(text)
    return texts.count - 1
  }
}
