internal import SlipcastV2
internal import SlipcastWire

extension RuleSet {
  /// A tolerance that cannot be set.
  public struct ToleranceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected and found.
    public var description: String
  }

  /// Sets how far two dates of a field may differ without a conflict, in place of what its rule says.
  ///
  ///     try rules.setTolerance(5000, of: "data.transactionInfo.expiresDate")
  ///
  /// - Parameters:
  ///   - milliseconds: the largest difference that is accepted.
  ///   - path: the dotted path of the V2 field as reports show it, in any form of V2 record, or the id of its rule.
  /// - Throws: `ToleranceFault` for a path that is not a V2 date, or a date that is never compared.
  public mutating func setTolerance(_ milliseconds: Int64, of path: String) throws(ToleranceFault) {
    guard let place = fieldPlace(path) else {
      let near = Suggestion.closest(to: path, among: tolerablePaths).map { "; did you mean \($0)?" } ?? ""
      throw ToleranceFault(description: "\"\(path)\" is not a V2 field\(near)")
    }
    let rule = fields[place]
    guard Self.kind(family: rule.family, to: rule.to ?? "") == .milliseconds else {
      throw ToleranceFault(description: "\(path) is not a date; a tolerance is for dates such as \(Self.example)")
    }
    guard rule.comparing.compare?.isNeverCompared != true, rule.relation != .serverOnly else {
      throw ToleranceFault(description: "\(path) is never compared, because V1 has no such date")
    }
    fields[place].comparing.tolerance = milliseconds
  }

  private static let example = "data.transactionInfo.expiresDate"

  /// The place of the rule of a V2 path; `nil` for an unknown path.
  private func fieldPlace(_ path: String) -> Int? {
    let prefixes = [
      ("transactions[*].", "data.transactionInfo."),
      ("data[*].lastTransactions[*].transactionInfo.", "data.transactionInfo."),
      ("data[*].lastTransactions[*].renewalInfo.", "data.renewalInfo."),
    ]
    let other = prefixes.first { path.hasPrefix($0.0) }.map { $0.1 + path.dropFirst($0.0.count) }
    return fields.firstIndex { $0.to != nil && $0.id == path }
      ?? fields.firstIndex { Self.path(of: $0) == other ?? path }
  }

  /// The path of a rule's field in a notification; `nil` for fields of other records.
  private static func path(of rule: FieldRule) -> String? {
    guard let to = rule.to, ["transaction", "renewal", "notification"].contains(rule.family) else { return nil }
    return Explainer.place(rule.family, to)
  }

  /// The paths that may have a tolerance.
  private var tolerablePaths: [String] {
    fields.filter { Self.kind(family: $0.family, to: $0.to ?? "") == .milliseconds }.compactMap(Self.path)
  }
}
