import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2

/// Makes pairs of archives with one known difference each, and pairs with none.
///
/// Every archive has one event each of three customers; the difference is in the event that is neither the first nor the
/// last.
struct Planter {
  /// A change of one value; `nil` without one of this kind.
  private typealias Change = (_ customer: Customer, _ path: String) -> (Any?)?

  private var random: SeededGenerator
  private var made: [String: Customer] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Three customers by time, the one of the given fixture in the middle.
  private mutating func customers(_ fixture: String) throws -> [Customer]? {
    let victim = try customer(fixture, 1)
    var others: [Customer] = []
    for name in Customer.fixtures.shuffled(using: &random) where name != fixture && others.count < 2 {
      let other = try customer(name, 3 + others.count)
      let isEarlier = other.time < victim.time
      if other.time != victim.time, !others.contains(where: { ($0.time < victim.time) == isEarlier }) {
        others.append(other)
      }
    }
    guard others.count == 2 else { return nil }
    return (others + [victim]).sorted { $0.time < $1.time }
  }

  private mutating func customer(_ fixture: String, _ number: Int) throws -> Customer {
    let key = "\(fixture) \(number)"
    if let known = made[key] { return known }
    let customer = try Customer(fixture, number: number)
    made[key] = customer
    return customer
  }

  private static func archives(_ name: String, _ customers: [Customer]) throws -> PlantedArchives {
    PlantedArchives(
      name: name, legacy: try customers.map { try JSONTree.line($0.v1) },
      server: try customers.map { try JSONTree.line($0.v2) })
  }

  /// Archives with one difference, of every field and kind: at least as many as asked for, unless there are no more.
  mutating func different(_ count: Int) throws -> [PlantedArchives] {
    var planted: [PlantedArchives] = []
    var round = 0
    while planted.count < count, round < 40 {
      for fixture in Customer.fixtures.shuffled(using: &random) {
        guard let customers = try customers(fixture) else { continue }
        planted += try inServer(customers) + inLegacy(customers) + wholeMessages(customers)
        if count < 200 { planted = Array(planted.shuffled(using: &random).prefix(2 * count)) }
        if planted.count >= count, round > 0 || count < 200 { break }
      }
      round += 1
    }
    return Array(planted.shuffled(using: &random).prefix(max(count, count < 200 ? count : planted.count)))
  }

  // MARK: values of V2

  private mutating func inServer(_ customers: [Customer]) throws -> [PlantedArchives] {
    let victim = customers[1]
    var planted: [PlantedArchives] = []
    for path in victim.paths {
      let steps = JSONTree.steps(path)[...]
      let old = JSONTree.value(in: victim.v2, at: steps)
      func plant(_ kind: String, _ new: Any?) throws {
        var changed = customers
        changed[1].v2 = JSONTree.replacing(victim.v2, at: steps, with: new)
        planted.append(try Self.archives("\(victim.fixture): V2 \(path) \(kind)", changed))
      }
      if !PlantedRules.mayDiffer(path), let new = PlantedRules.other(path, old) { try plant("changed", new) }
      if !PlantedRules.mayLack(path) { try plant("removed", nil) }
      if let new = PlantedRules.unreadable(path) { try plant("unreadable", new) }
      if !PlantedRules.mayDiffer(path), let other = JSONTree.value(in: customers[2].v2, at: steps),
        "\(other)" != "\(old ?? "")"
      {
        var changed = customers
        changed[1].v2 = JSONTree.replacing(victim.v2, at: steps, with: other)
        changed[2].v2 = JSONTree.replacing(customers[2].v2, at: steps, with: old)
        planted.append(
          try Self.archives("\(victim.fixture), \(customers[2].fixture): V2 \(path) swapped", changed))
      }
    }
    return planted
  }

  // MARK: values of V1

  private mutating func inLegacy(_ customers: [Customer]) throws -> [PlantedArchives] {
    let victim = customers[1]
    var planted: [PlantedArchives] = []
    for path in victim.paths where !PlantedRules.mayDiffer(path) && PlantedRules.isCopied(path) {
      guard let origin = victim.origins[path] else { continue }
      let old = JSONTree.value(in: victim.v1, at: JSONTree.steps(origin)[...])
      func plant(_ kind: String, _ new: Any?) throws {
        var changed = customers
        changed[1].v1 = PlantedRules.replacing(victim.v1, origin, with: new)
        planted.append(try Self.archives("\(victim.fixture): V1 \(origin) \(kind)", changed))
      }
      if let new = PlantedRules.otherV1(path, origin, old) { try plant("changed", new) }
      if PlantedRules.saysByAbsence(path) { try plant("removed", nil) }
      if let new = PlantedRules.unreadableV1(path) { try plant("unreadable", new) }
      if let otherOrigin = customers[2].origins[path], otherOrigin == origin,
        let other = JSONTree.value(in: customers[2].v1, at: JSONTree.steps(origin)[...]),
        "\(other)" != "\(old ?? "")", let old
      {
        var changed = customers
        changed[1].v1 = PlantedRules.replacing(victim.v1, origin, with: other)
        changed[2].v1 = PlantedRules.replacing(customers[2].v1, origin, with: old)
        planted.append(
          try Self.archives("\(victim.fixture), \(customers[2].fixture): V1 \(origin) swapped", changed))
      }
    }
    return planted
  }

  // MARK: whole messages

  private func wholeMessages(_ customers: [Customer]) throws -> [PlantedArchives] {
    let victim = customers[1]
    let whole = try Self.archives(victim.fixture, customers)
    func copy(_ what: String, _ change: (inout PlantedArchives) throws -> Void) rethrows -> PlantedArchives {
      var copy = whole
      copy.name += ": \(what)"
      try change(&copy)
      return copy
    }
    let steps = JSONTree.steps("data.transactionInfo.productId")[...]
    let contradiction = JSONTree.replacing(victim.v2, at: steps, with: "com.example.another")
    let day: Int64 = 86_400_000
    let again = JSONTree.replacing(
      JSONTree.replacing(victim.v2, at: ["notificationUUID"], with: UUID().uuidString.lowercased()),
      at: ["signedDate"], with: victim.time + (customers[2].time - victim.time) / 2 + 1)
    var planted = [
      copy("lost in V1") { $0.legacy.remove(at: 1) },
      try copy("contradictory in V2, last") { $0.server.append(try JSONTree.line(contradiction)) },
      try copy("contradictory in V2, first") { $0.server.insert(try JSONTree.line(contradiction), at: 0) },
    ]
    // Before V2 went live no V2 record can be missing.
    if victim.time >= (Archives.rules.serverStart?.milliseconds ?? 0) {
      planted.append(copy("lost in V2") { $0.server.remove(at: 1) })
    }
    if customers[2].time - victim.time > 4 * day {
      planted.append(
        try copy("repeated as another event in V2") { $0.server.append(try JSONTree.line(again)) })
    }
    return planted
  }

  // MARK: unknown values

  /// Archives with one V2 value that no rule names, by turns with and without `--strict unknown`.
  mutating func unknown(_ count: Int) throws -> [PlantedArchives] {
    var planted: [PlantedArchives] = []
    while planted.count < count {
      guard let customers = try customers(random.one(of: Customer.fixtures)) else { continue }
      let victim = customers[1]
      let paths = victim.paths.filter { !PlantedRules.mayDiffer($0) && !PlantedRules.words($0).isEmpty }
      guard !paths.isEmpty else { continue }
      let path = random.one(of: paths)
      var changed = customers
      changed[1].v2 = JSONTree.replacing(victim.v2, at: JSONTree.steps(path)[...], with: "GLAZED")
      var archives = try Self.archives("\(victim.fixture): V2 \(path) unknown", changed)
      archives.path = path
      if planted.count % 2 == 1 { archives.strict = [.unknown] }
      planted.append(archives)
    }
    return planted
  }

  // MARK: no difference

  /// Archives without a difference: another order, spelling, wrapping or compression, and repeated deliveries.
  mutating func equal(_ count: Int) throws -> [PlantedArchives] {
    var planted: [PlantedArchives] = []
    while planted.count < count {
      guard let customers = try customers(random.one(of: Customer.fixtures)) else { continue }
      var archives = try Self.archives(customers.map(\.fixture).joined(separator: ", "), customers)
      archives.form = random.one(of: PlantedArchives.Form.allCases)
      archives.name += ", \(archives.form.rawValue)"
      if random.number(0...1) == 1 {
        archives.legacy = try customers.map { try JSONTree.line(PlantedRules.respelled($0.v1)) }
        archives.name += ", respelled"
      }
      if random.number(0...2) == 0 {
        archives.legacy.append(random.one(of: archives.legacy))
        archives.server.append(random.one(of: archives.server))
        archives.name += ", repeated"
      }
      archives.legacy.shuffle(using: &random)
      archives.server.shuffle(using: &random)
      planted.append(archives)
    }
    return planted
  }
}
