import Foundation
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

  /// A record with one value made unreadable.
  private struct Mutant {
    let path: [Node.Step]
    let record: Node
    /// The transactions that the damaged part holds: their own values may be read from another spelling, or another list.
    let owners: Set<String>
    var name: String { path.map(\.description).joined(separator: ".") }
  }

  /// Of the values of a fixture every third is damaged, or all with `SLIPCAST_MUTATIONS=all`; of the long records of the
  /// corpus one in eleven: the same ones in each run.
  private static func mutants(_ record: Node, _ file: String) -> some Sequence<Mutant> {
    let isWhole = ProcessInfo.processInfo.environment["SLIPCAST_MUTATIONS"] == "all"
    let share = Fixture.isOwn(file) ? isWhole ? 1 : 3 : 11
    return record.paths.enumerated().lazy.compactMap { place, path in
      guard place % share == 0, !path.contains(where: { step in step.name.map(others.contains) ?? false }),
        let value = record.node(at: path[...]), let damaged = value.unreadable(isElement: path.last?.name == nil)
      else { return nil }
      let row = record.node(at: path.dropLast())
      let holder = row?.node(at: [.key("transaction_id")]) == nil ? value : row ?? value
      return Mutant(path: path, record: record.replacing(path[...], with: damaged), owners: holder.transactionIds)
    }
  }

  @Test(arguments: records) func oneUnreadableValueStatesNothingNew(_ file: String) throws {
    guard let record = Node(file: file), case .object = record else { return }
    let converter = Shared.converter
    let wholes = [Emission.auto, .statuses].compactMap { emission in
      (try? converter.convert(record.json, into: emission)).map { (emission, Stated($0)) }
    }
    for mutant in Self.mutants(record, file) {
      let text = mutant.record.json
      for (emission, known) in wholes {
        guard let cast = try? converter.convert(text, into: emission) else { continue }
        Self.expectNothingNew(Stated(cast), known, mutant, "\(emission), unreadable: \(mutant.name)")
      }
    }
  }

  private static func expectNothingNew(_ damaged: Stated, _ known: Stated, _ mutant: Mutant, _ about: String) {
    #expect(damaged.rank >= known.rank, "\(about): surer than before")
    #expect(damaged.statuses.allSatisfy { known.statuses[$0.key] == $0.value }, "\(about): another status")
    for (id, dates) in damaged.dates {
      guard let before = known.dates[id] else { continue }
      let isOwn = mutant.owners.contains(id)
      for (name, date) in dates where !isOwn || name == "revocation" && before[name] == nil {
        // A second spelling of a date may lack its milliseconds.
        let isSame = before[name].map { abs($0 - date) < 1000 } ?? false
        #expect(isSame, "\(about): another \(name) of \(id)")
      }
    }
    let isFound =
      damaged.findings.contains { !known.findings.contains($0) || $0.hasSuffix(" \(mutant.name)") }
      || damaged.unread.contains { mutant.name.hasPrefix($0 + ".") }
    #expect(isFound, "\(about): no finding")
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

/// What a conversion states: how sure it is, the statuses, the dates of each transaction, and what it found.
private struct Stated {
  let rank: Int
  var statuses: [String: Int] = [:]
  var dates: [String: [String: Int64]] = [:]
  /// Code and place of each finding.
  let findings: Set<String>
  /// Objects and lists that are lost, or cannot be read as a whole: what is inside is not read.
  let unread: Set<String>

  init(_ conversion: Conversion) {
    rank =
      [Confidence.documented, .corroborated, .inferred, .ambiguous].firstIndex(of: conversion.confidence) ?? 0
    func plain(_ path: String) -> String { path.replacing("[", with: ".").replacing("]", with: "") }
    findings = Set(conversion.findings.map { "\($0.code) \(plain("\($0.path)"))" })
    let account = conversion.account
    let containers = account.findings.filter { $0.code == "unusableKind" }.map { "\($0.path)" }
    unread = Set((account.lost.filter(\.isContainer).map(\.v1Path) + containers).map(plain))
    let items = conversion.statuses?.data?.flatMap { $0.lastTransactions ?? [] } ?? []
    if let status = conversion.notification?.data?.status { statuses["event"] = Int(status.rawValue) }
    for item in items {
      guard let original = item.originalTransactionId, let status = item.status else { continue }
      statuses[original] = Int(status.rawValue)
    }
    var all = conversion.history?.transactions ?? []
    all += items.compactMap(\.transactionInfo)
    if let own = conversion.notification?.data?.transactionInfo { all.append(own) }
    for transaction in all {
      guard let id = transaction.transactionId else { continue }
      let dates = [
        "purchase": transaction.purchaseDate, "expires": transaction.expiresDate,
        "original": transaction.originalPurchaseDate, "revocation": transaction.revocationDate,
      ]
      self.dates[id] = dates.compactMapValues { $0?.milliseconds }
    }
  }
}
