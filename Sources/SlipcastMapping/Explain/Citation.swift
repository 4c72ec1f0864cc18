internal import SlipcastWire

/// A document that a rule rests on, spelled out.
public struct Citation: Hashable, Sendable {
  /// The document's title.
  public var title: String
  /// Where in it, or which of a series: `2020/10661`; `nil` for the whole.
  public var locator: String?
  /// Its address; `nil` for something observed that has no page.
  public var url: String?

  /// Title, locator and address in one line.
  public var description: String { [title, locator, url].compactMap(\.self).joined(separator: ", ") }
}

extension RuleSet {
  /// The documents that a rule's `source` names, in its order.
  ///
  /// - Parameter name: the V2 name that the rule speaks of: Apple's collections of data types then lead to its own page.
  public func citations(_ source: String, of name: String? = nil) -> [Citation] {
    source.parts(at: ";").compactMap { citation in
      let words = citation.parts(at: " ", maxSplits: 1)
      guard let key = words.first, let known = self.source(key: key) else { return nil }
      let locator = words.count > 1 ? words[1] : nil
      let address = known.url.map { known.pages == "locator" ? $0 + (locator ?? "") : $0 }
      if let name, locator == nil, known.pages == "name" {
        return Citation(title: "\(known.title), \(name)", url: known.url.map { "\($0)/\(name.lowercased())" })
      }
      return Citation(title: known.title, locator: locator, url: address)
    }
  }
}
