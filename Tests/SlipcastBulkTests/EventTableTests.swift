import Foundation
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk
@testable import SlipcastV2

/// CSV has a column for each member of Apple's objects, or the documentation says that it has none.
@Suite struct EventTableTests {
  /// Members of `migration` that the last columns hold.
  static let account: Set = [
    "migration.rule", "migration.confidence", "migration.candidates", "migration.absorbed", "migration.settled",
    "migration.narrowed", "migration.autoRenewOnSince", "migrationAbsorbed.into", "migrationSettled.from",
    "migrationCandidate.notificationType", "migrationCandidate.subtype",
  ]

  private static let page = Result {
    try String(
      contentsOf: Fixture.root.deletingLastPathComponent().appending(path: "Examples/archives.md"), encoding: .utf8)
  }

  /// The members of an object and of the objects in its columns that have no column themselves.
  private static func omitted(_ schema: ObjectSchema) -> [String] {
    schema.fields.flatMap { field -> [String] in
      switch field.kind {
      case _ where field.column == nil, .texts: return [field.name]
      // Items of answers become rows.
      case .objects(let name):
        return ObjectPart.allCases.contains { $0.schema.name == name } ? [] : [field.name]
      case .object: return field.inner.map(omitted) ?? []
      default: return []
      }
    }
  }

  @Test(arguments: ObjectPart.allCases)
  func theDocumentationNamesMembersWithoutAColumn(_ part: ObjectPart) throws {
    let text = try Self.page.get()
    for name in Self.omitted(part.schema) { #expect(text.contains("`\(name)`"), "\(name) is omitted silently") }
  }

  @Test func theDocumentationNamesWhatColumnsDoNotHoldOfDecisions() throws {
    let text = try Self.page.get()
    var members: Set<String> = []
    // Each migration has companions and witnesses as a whole.
    for model in ModelCatalog.ownModels where !["migrationCompanion", "migrationWitness"].contains(model.name) {
      for field in model.fields {
        members.insert("\(model.name).\(field.name)")
        let isNamed = text.contains("`\(field.name)`") || text.contains("`migration.\(field.name)`")
        #expect(Self.account.contains("\(model.name).\(field.name)") || isNamed, "\(model.name).\(field.name)")
      }
    }
    #expect(Self.account.isSubset(of: members))
  }

  @Test func theDocumentationNamesColumnsWithAnotherNameThanTheirMember() throws {
    let text = try Self.page.get()
    let renamed = EventTable.columns.filter { column in
      column.places.contains { $0.memberName != column.name } && column.name != "environment"
    }.map(\.name)
    #expect(renamed.count > 5)
    for name in renamed + EventTable.accountNames {
      #expect(text.contains("`\(name)`"), "the column \(name) is not documented")
    }
  }

  @Test func eachNameIsOneColumn() {
    let names = EventTable.columns.map(\.name) + EventTable.accountNames
    #expect(Set(names).count == names.count && names.first == "notificationUUID")
  }

  /// A new member with the name of a column but another meaning needs a column of its own.
  @Test func theseColumnsAloneHoldMembersOfSeveralObjects() {
    let shared = EventTable.columns.filter { $0.places.count > 1 }.map { column in
      ([column.name + ":"] + column.places.map(\.objectName)).joined(separator: " ")
    }
    #expect(
      Set(shared) == [
        "environment: data history statuses transaction renewal summary appData appTransactionInfo",
        "bundleId: data history statuses transaction summary externalPurchaseToken appData appTransactionInfo",
        "appAppleId: data history statuses summary externalPurchaseToken appData appTransactionInfo",
        "status: data item", "originalTransactionId: transaction renewal item",
        "subscriptionGroupIdentifier: transaction group", "productId: transaction summary",
        "appAccountToken: transaction renewal", "appTransactionId: transaction renewal appTransactionInfo",
      ])
  }

  @Test func membersThatShareAColumnHaveItsType() {
    for column in EventTable.columns {
      for case let (path, kind)? in column.places.map(\.ofNotification) {
        #expect(ColumnType(kind) == column.type, "\(path) in \(column.name)")
      }
    }
  }

  @Test func theDescriptionHasTheColumnsOfTheHeader() {
    let names = EventTable.description.columns.map(\.name)
    #expect(CSVText.row(names) == EventTable.header)
  }

  @Test(arguments: [
    (["summary", "succeededCount"], "\"many\""), (["summary", "failedCount"], "true"),
    (["externalPurchaseToken", "tokenCreationDate"], "\"2024-01-01\""),
    (["externalPurchaseToken", "externalPurchaseId"], "true"),
  ])
  func aMemberOfAnotherTypeLeavesItsCellEmpty(_ path: [String], _ json: String) throws {
    let cells = try Self.row(path, json)
    #expect(Set(cells.keys) == ["notificationType"], "\(cells)")
  }

  /// Some databases write numbers of 64 bits as texts.
  @Test(arguments: [
    (["summary", "succeededCount"], "\"12\"", "12"), (["externalPurchaseToken", "externalPurchaseId"], "7", "7"),
    (["externalPurchaseToken", "tokenCreationDate"], "\"1704067200000\"", "2024-01-01T00:00:00Z"),
  ])
  func aNumberAsATextKeepsItsValue(_ path: [String], _ json: String, _ cell: String) throws {
    let cells = try Self.row(path, json)
    #expect(cells.filter { $0.key != "notificationType" }.map(\.value) == [cell], "\(cells)")
  }

  /// Readers of CSV may count columns.
  @Test func theFirstColumnsKeepTheirPlaces() {
    #expect(EventTable.firstColumns == EventTable.columns.prefix(EventTable.firstColumns.count).map(\.name))
    #expect(Set(EventTable.firstColumns).count == EventTable.firstColumns.count)
  }

  @Test func aColumnHoldsEachOfItsMembers() throws {
    var count = 0
    for column in EventTable.columns {
      for case let (path, kind)? in column.places.map(\.ofNotification) {
        let (json, text) = Self.value(kind)
        let cells = try Self.row(path, json)
        #expect(cells[column.name] == text, "\(path) in \(column.name): \(cells)")
        count += 1
      }
    }
    #expect(count > 100)
  }

  // MARK: rows

  private static func value(_ kind: FieldKind) -> (json: String, text: String) {
    switch kind {
    case .milliseconds: ("1700000000123", "2023-11-14T22:13:20.123Z")
    case .integer32, .integer64, .code, .milliunits: ("4990", "4990")
    case .boolean: ("true", "true")
    default: ("\"some text\"", "some text")
    }
  }

  /// The cells of a notification with one member, by column; empty ones are left out.
  private static func row(_ path: [String], _ json: String) throws -> [String: String] {
    let inner = path.reversed().reduce(json) { "{\"\($1)\":\($0)}" }
    let text = path == ["notificationType"] ? inner : "{\"notificationType\":\"TEST\"," + inner.dropFirst()
    let writer = JSONWriter()
    let (buffer, reader) = (JSONBuffer(Array(text.utf8)), JSONReader(names: []))
    defer { withExtendedLifetime((buffer, reader)) {} }
    let tape = try reader.read(buffer)
    EventTableRows().write(JSONElement(tape: tape), nil, as: nil, to: writer)
    let names = EventTable.header.dropLast().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let cells = writer.string.trimmingCharacters(in: .newlines)
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    #expect(cells.count == names.count)
    return Dictionary(zip(names, cells)) { first, _ in first }.filter { !$0.value.isEmpty }
  }
}

extension EventColumn {
  fileprivate var places: [ColumnPlace] {
    cells.map { .cell(ObjectPart.allCases[$0.part], slot: $0.slot) } + members.map { .member(path: $0) }
  }
}

/// Where a column has its value.
private enum ColumnPlace {
  case cell(ObjectPart, slot: Int)
  case member(path: [String])
}

extension ColumnPlace {
  fileprivate var objectName: String {
    switch self {
    case .cell(let part, _): "\(part)"
    case .member(let path): path.dropLast().last ?? ""
    }
  }

  fileprivate var memberName: String {
    switch self {
    case .cell(let part, let slot): part.schema.fields[slot].name
    case .member(let path): path.last ?? ""
    }
  }

  /// The path of the member in a notification, and its kind; `nil` where only answers have it.
  fileprivate var ofNotification: (path: [String], kind: FieldKind)? {
    switch self {
    case .cell(let part, let slot):
      let field = part.schema.fields[slot]
      return part.path(in: .notification).map { ($0.split(separator: ".").map(String.init) + [field.name], field.kind) }
    case .member(let path):
      var (schema, kind) = (ObjectPart.notification.schema as ObjectSchema?, FieldKind?.none)
      for name in path {
        let field = schema?.field(name)
        kind = field?.kind
        schema = field?.inner ?? schema?.fields.compactMap(\.traits.decoded).first { $0.name == name }?.schema()
      }
      return kind.map { (path, $0) }
    }
  }
}
