import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastWire

/// The V2 record that a cast should be.
struct ConversionExpectation {
  /// Members that Slipcast makes itself; they count only where the expectation has them.
  private static let ownMembers: Set<String> = ["migration", "notificationUUID"]

  let name: String
  let file: URL?
  /// The file is to be recorded and does not exist yet.
  let isMissing: Bool
  private let tree: JSONTree

  init(_ expected: some ParityRecord) throws(CheckFault) {
    file = Input.file(of: expected)
    if let file, !FileManager.default.fileExists(atPath: file.path) {
      name = ShownPath.of(file)
      guard Surroundings.current.isRecording else {
        throw CheckFault("\(name): file not found; SLIPCAST_RECORD=1 writes it from the conversion")
      }
      (tree, isMissing) = (.object([]), true)
      return
    }
    let input = try Input(expected, fallback: "the expectation")
    (name, isMissing) = (input.name, false)
    do throws(JSONError) {
      tree = try JSONTree(input.bytes)
    } catch {
      throw input.fault(TextPlace.words(error.offset, in: input.bytes), error.message)
    }
    guard case .object = tree else { throw input.fault("", "expected a version 2 record, found no JSON object") }
    if ["notification_type", "unified_receipt", "latest_receipt_info"].contains(where: { tree[$0] != nil }) {
      throw input.fault("", "expected a version 2 record, found a version 1 record")
    }
  }

  /// What a legacy record must be cast into, to be compared with this.
  var emission: Emission {
    if tree["transactions"] != nil { return .history }
    if case .array? = tree["data"] { return .statuses }
    return .auto
  }

  /// The cast as it is written down: with Slipcast's own members where they stood before.
  func recorded(_ cast: Conversion) throws(CheckFault) -> JSONTree {
    // A synthetic id is as stable as anything else; the explanation of the conversion may improve some day.
    let left = isMissing ? ["migration"] : Self.ownMembers.filter { tree[$0] == nil }
    return try found(cast).without(left)
  }

  /// The conversion compared with the expectation, leaf by leaf.
  func compare(_ cast: Conversion, named legacy: String) throws(CheckFault) -> Comparison {
    let found = try found(cast).without(Self.ownMembers.filter { tree[$0] == nil }).leaves
    let expected = tree.leaves
    let values = (Dictionary(found) { $1 }, Dictionary(expected) { $1 })
    let origins = Dictionary(cast.account.fields.map { ($0.v2Path, $0) }) { first, _ in first }
    let absences = Dictionary(cast.account.absent.map { ($0.v2Path, $0) }) { first, _ in first }
    let paths = found.map(\.0) + expected.map(\.0).filter { values.0[$0] == nil }
    let fields = paths.map { path in
      let sides = (found: Self.shown(values.0[path], path), expected: Self.shown(values.1[path], path))
      let origin = origins[path]
      return FieldDifference(
        path: path, found: sides.found, expected: sides.expected, origin: origin,
        explanation: Self.explanation(isFound: sides.found != nil, origin, absences[path]))
    }
    return Comparison(
      expectation: fields, legacy: Comparison.Side(legacy, "cast"), expected: Comparison.Side(name, "expectation"))
  }

  private func found(_ cast: Conversion) throws(CheckFault) -> JSONTree {
    do throws(JSONError) {
      return try JSONTree(Array(cast.json.utf8))
    } catch {
      throw CheckFault("the conversion cannot be read: \(error)")
    }
  }

  /// A value as the test's output shows it; an expectation may hold a secret by mistake.
  private static func shown(_ json: String?, _ path: String) -> ComparedValue? {
    json.map { path.lowercased().contains("password") ? .withheld : .json($0) }
  }

  private static func explanation(
    isFound: Bool, _ origin: Account.Field?, _ absence: Account.Absence?
  ) -> String {
    if let origin, isFound { return "Made by rule \(origin.rule), \(origin.confidence.rawValue)." }
    guard !isFound else { return "" }
    guard let absence else { return "A conversion never has this field." }
    return "Left out by rule \(absence.rule): \(absence.reason.words)."
  }
}

extension Account.Absence.Reason {
  fileprivate var words: String {
    switch self {
    case .noV1Source: "V1 has no key for it"
    case .objectAbsentInV1: "the V1 object with its key is not in the record"
    case .absentInV1: "V1's key for it is absent"
    case .noneInV1: "V1 states that the value is absent"
    case .undetermined: "V1 has too little data"
    }
  }
}
