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
    if let place = fields.firstIndex(where: { $0.id == path && $0.to != nil }) { return place }
    guard let (family, to) = Self.field(path) else { return nil }
    return fields.firstIndex { $0.family == family && $0.to == to }
  }

  /// The family and the V2 name behind a path of a notification, a history or a list of statuses.
  private static func field(_ path: String) -> (family: String, to: String)? {
    let name = path.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let objects: [(prefixes: [String], family: String)] = [
      (["data.transactionInfo.", "transactions[*].", "data[*].lastTransactions[*].transactionInfo."], "transaction"),
      (["data.renewalInfo.", "data[*].lastTransactions[*].renewalInfo."], "renewal"),
    ]
    for object in objects where object.prefixes.contains(where: { path == $0 + name }) { return (object.family, name) }
    return kind(family: "notification", to: path) == nil ? nil : ("notification", path)
  }

  /// The paths that may have a tolerance, as a notification has them.
  private var tolerablePaths: [String] {
    fields.compactMap { rule in
      guard let to = rule.to, Self.kind(family: rule.family, to: to) == .milliseconds else { return nil }
      switch rule.family {
      case "transaction": return "data.transactionInfo." + to
      case "renewal": return "data.renewalInfo." + to
      case "notification": return to
      default: return nil
      }
    }
  }
}
