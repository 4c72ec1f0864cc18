import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// A value that is there and cannot be read is neither absent nor false: what follows from it stays open.
@Suite struct UnreadableValueTests {
  /// The records of all fixtures, and those of the corpus where there is one.
  static let records: [String] =
    ["notifications", "receipts"].flatMap { kind in Fixture.cases(kind).map { $0.path("v1.json") } }
    + ["v1", "verify-receipt"].flatMap(Corpus.files)

  /// Keys whose values decide nothing, or name the record itself.
  private static let others: Set<String> = [
    "password", "notification_type", "latest_receipt", "latest_expired_receipt", "deprecation",
  ]
  /// One value in so many is damaged: all of them take minutes.
  private static let share = 31

  /// The records with one value made unreadable, and its path.
  private static func mutants(_ record: Node, _ seed: Int) -> [(path: [Node.Step], record: Node)] {
    var place = seed
    return record.paths.compactMap { path in
      place += 1
      guard place % share == 0, !path.contains(where: { step in step.name.map(others.contains) ?? false }),
        let damaged = record.node(at: path[...])?.unreadable(isElement: path.last?.name == nil)
      else { return nil }
      return (path, record.replacing(path[...], with: damaged))
    }
  }

  @Test(arguments: records) func oneUnreadableValueStatesNothingNew(_ file: String) throws {
    guard let record = Node(file: file), case .object = record else { return }
    let converter = Shared.converter
    for emission in [Emission.auto, .statuses] {
      guard let whole = try? converter.convert(record.json, into: emission) else { continue }
      for mutant in Self.mutants(record, file.utf8.count) {
        guard let damaged = try? converter.convert(mutant.record.json, into: emission) else { continue }
        let about = "\(emission), unreadable: \(mutant.path.map(\.description).joined(separator: "."))"
        #expect(Self.rank(damaged) >= Self.rank(whole), "\(about): surer than before")
        #expect(Self.isSubset(damaged.statedStatuses, of: whole.statedStatuses), "\(about): another status")
        let (old, new) = (whole.statedDates, damaged.statedDates)
        for (id, dates) in new {
          guard let known = old[id] else { continue }
          // A second spelling of a date may lack its milliseconds.
          let isSame = dates.allSatisfy { date in known[date.key].map { abs($0 - date.value) < 1000 } ?? false }
          #expect(isSame, "\(about): another date of \(id)")
        }
        #expect(!damaged.findings.isEmpty, "\(about): no finding")
      }
    }
  }

  /// Whose transaction the message is about decides what it means: where it cannot be read, both readings stay.
  @Test(arguments: [
    "original_transaction_id", "unified_receipt.latest_receipt_info", "unified_receipt.latest_receipt_info.0",
    "unified_receipt.latest_receipt_info.1", "unified_receipt.latest_receipt_info.0.product_id",
    "unified_receipt.latest_receipt_info.0.original_transaction_id",
    "unified_receipt.latest_receipt_info.1.original_transaction_id",
  ])
  func aRevokeStaysOpenWhereItsTransactionCannotBeRead(_ place: String) throws {
    let all = Fixture.cases("notifications")
    let file = try #require(all.first { $0.name == "notifications/revoke-purchased" }).path("v1.json")
    let record = try #require(Node(file: file))
    let path = try #require(record.paths.first { $0.map(\.description).joined(separator: ".") == place })
    let damaged = try #require(record.node(at: path[...])?.unreadable(isElement: path.last?.name == nil))
    let conversion = try Shared.converter.convert(record.replacing(path[...], with: damaged).json)
    #expect(conversion.confidence == .ambiguous)
    #expect(conversion.json.contains(#""candidates":[{"notificationType":"REVOKE""#))
    #expect(conversion.json.contains(#"{"notificationType":"REFUND""#))
  }

  private static func rank(_ conversion: Conversion) -> Int {
    [Confidence.documented, .corroborated, .inferred, .ambiguous].firstIndex(of: conversion.confidence) ?? 0
  }

  private static func isSubset(_ one: [String: Int], of other: [String: Int]) -> Bool {
    one.allSatisfy { other[$0.key] == $0.value }
  }

  /// The order of a list, and of the keys of an object, has no meaning.
  @Test(arguments: records) func theOrderOfListsAndKeysChangesNothing(_ file: String) throws {
    // Of two members of one name the last one counts.
    guard let record = Node(file: file), case .object = record, !record.hasRepeatedKeys else { return }
    for emission in [Emission.auto, .statuses] {
      guard let one = try? Shared.converter.convert(record.json, into: emission) else { continue }
      let other = try Shared.converter.convert(record.reversed.json, into: emission)
      #expect(one.json == other.json)
      #expect(one.findings.map(\.code).sorted() == other.findings.map(\.code).sorted())
    }
  }
}

extension Conversion {
  fileprivate var statedStatuses: [String: Int] {
    var found: [String: Int] = [:]
    if let status = notification?.data?.status { found["event"] = Int(status.rawValue) }
    for item in statuses?.data?.flatMap({ $0.lastTransactions ?? [] }) ?? [] {
      guard let original = item.originalTransactionId, let status = item.status else { continue }
      found[original] = Int(status.rawValue)
    }
    return found
  }

  fileprivate var statedDates: [String: [String: Int64]] {
    var all = history?.transactions ?? []
    all += statuses?.data?.flatMap { $0.lastTransactions ?? [] }.compactMap(\.transactionInfo) ?? []
    if let own = notification?.data?.transactionInfo { all.append(own) }
    var found: [String: [String: Int64]] = [:]
    for transaction in all {
      guard let id = transaction.transactionId else { continue }
      let dates = [
        "purchase": transaction.purchaseDate, "expires": transaction.expiresDate,
        "original": transaction.originalPurchaseDate, "revocation": transaction.revocationDate,
      ]
      found[id] = dates.compactMapValues { $0?.milliseconds }
    }
    return found
  }
}
