import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire

/// Changes one mapped value of a V2 document to another valid one, or takes it away.
struct Mutation {
  var path: String
  var json: [UInt8]
  /// A reading says that this value may differ, or pairing would look elsewhere.
  var isTolerated: Bool
  /// A V2 record may lack it: it got the member at a known date, or V1 does not state it.
  var mayLack = false

  private struct Place {
    var path: String
    var steps: [String]
    var rule: FieldRule
  }

  static func change(_ json: [UInt8], _ random: inout SeededGenerator) throws -> Mutation? {
    let root = try JSONSerialization.jsonObject(with: Data(json))
    let places = places(root).filter { !isKey($0) }
    guard !places.isEmpty else { return nil }
    let place = random.one(of: places)
    guard let value = other(place, at(root, place.steps[...]), &random) else { return nil }
    return Mutation(
      path: place.path, json: try data(replacing(root, place.steps[...], value)), isTolerated: isTolerated(place))
  }

  static func remove(_ json: [UInt8], _ random: inout SeededGenerator) throws -> Mutation? {
    let root = try JSONSerialization.jsonObject(with: Data(json))
    let places = places(root).filter { !isKey($0) && $0.rule.comparing.compare != .event }
    guard !places.isEmpty else { return nil }
    let place = random.one(of: places)
    return Mutation(
      path: place.path, json: try data(replacing(root, place.steps[...], nil)),
      isTolerated: place.rule.comparing.compare == .grace,
      mayLack: place.rule.since != nil || place.rule.from.isEmpty || place.rule.using == "ownership")
  }

  private static func data(_ root: Any) throws -> [UInt8] { Array(try JSONSerialization.data(withJSONObject: root)) }

  /// Values by which items are found: changing one changes the pair.
  private static func isKey(_ place: Place) -> Bool {
    let isInList = place.path.contains("[")
    return isInList && ["webOrderLineItemId", "transactionId", "originalTransactionId"].contains(place.steps.last)
  }

  private static func isTolerated(_ place: Place) -> Bool {
    switch place.rule.comparing.compare {
    case .version, .renumbered, .event, .grace, .boundary: true
    default: !place.rule.comparing.untold.isEmpty
    }
  }

  // MARK: places

  private static func places(_ root: Any) -> [Place] {
    var places: [Place] = []
    let family = (root as? [String: Any])?["transactions"] != nil ? "receipt" : "notification"
    collect(root, family, "", "", [], &places)
    return places
  }

  private static func collect(
    _ value: Any, _ family: String, _ prefix: String, _ path: String, _ steps: [String], _ places: inout [Place]
  ) {
    guard let object = value as? [String: Any] else { return }
    for name in object.keys.sorted() {
      let (own, next) = (path + name, steps + [name])
      switch name {
      case "data": collect(object[name] ?? 0, family, "data.", own + ".", next, &places)
      case "transactionInfo": collect(object[name] ?? 0, "transaction", "", own + ".", next, &places)
      case "renewalInfo": collect(object[name] ?? 0, "renewal", "", own + ".", next, &places)
      case "transactions":
        for (index, item) in (object[name] as? [Any] ?? []).enumerated() {
          collect(item, "transaction", "", "\(own)[\(index)].", next + ["\(index)"], &places)
        }
      default:
        guard let rule = rule(family, prefix + name), rule.using != nil else { continue }
        if [.synthetic, .signing, .paging].contains(rule.comparing.compare) { continue }
        places.append(Place(path: own, steps: next, rule: rule))
      }
    }
  }

  private static func rule(_ family: String, _ to: String) -> FieldRule? {
    Shared.rules.field(family: family, to: to)
  }

  // MARK: values

  private static func at(_ value: Any?, _ steps: ArraySlice<String>) -> Any? {
    guard let step = steps.first else { return value }
    if let list = value as? [Any] { return at(Int(step).map { list[$0] }, steps.dropFirst()) }
    return at((value as? [String: Any])?[step], steps.dropFirst())
  }

  private static func replacing(_ value: Any, _ steps: ArraySlice<String>, _ new: Any?) -> Any {
    guard let step = steps.first else { return new ?? value }
    if var list = value as? [Any], let index = Int(step) {
      list[index] = replacing(list[index], steps.dropFirst(), new)
      return list
    }
    var object = value as? [String: Any] ?? [:]
    if steps.count == 1 {
      object[step] = new
    } else if let inner = object[step] {
      object[step] = replacing(inner, steps.dropFirst(), new)
    }
    return object
  }

  /// Another value that Apple's documents allow in that field.
  private static func other(_ place: Place, _ old: Any?, _ random: inout SeededGenerator) -> Any? {
    let to = place.rule.to ?? ""
    let name = to.split(separator: ".").last.map(String.init) ?? to
    switch RuleSet.kind(family: place.rule.family, to: to) {
    case .milliseconds: return (old as? Int64 ?? 0) + 86_400_000 * Int64(random.number(2...40))
    case .boolean: return !(old as? Bool ?? false)
    case .uuid: return UUID(uuidString: "0DDBA11\(random.number(0...9))-0000-4000-8000-00000000000A")?.uuidString
    case .word("notificationType"):
      return random.one(of: NotificationType.allCases.map(\.rawValue).filter { $0 != old as? String })
    case .word("subtype"): return random.one(of: Subtype.allCases.map(\.rawValue).filter { $0 != old as? String })
    case .word:
      let known = Shared.rules.values.filter { $0.of == name && $0.vocabulary == "V2" }.map(\.value)
      return known.filter { $0 != old as? String }.first ?? "OTHER"
    case .code:
      let known = Shared.rules.values.filter { $0.of == name && $0.vocabulary == "V2" }.compactMap { Int($0.value) }
      return random.one(of: known.filter { $0 != old as? Int })
    case .integer32, .integer64, .milliunits: return (old as? Int64 ?? 0) + 1
    case .text: return (old as? String ?? "") + "0"
    default: return nil
    }
  }
}
