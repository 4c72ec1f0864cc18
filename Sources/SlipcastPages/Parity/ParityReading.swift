internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastReports
@_spi(Slipcast) internal import SlipcastWire

/// Reads the members of a report; a member that is missing or of another kind is left out.
struct ParityReading {
  private let root: JSONElement

  /// - Returns: `nil` for anything but a report.
  init?(_ root: JSONElement) {
    guard root.kind == .object, root["verdict"]?.string != nil, root["pairs"]?.kind == .object else { return nil }
    self.root = root
  }

  func fill(_ file: inout ParityFile) {
    file.verdict = root["verdict"]?.string ?? ""
    file.pairs = numbers(root["pairs"])
    file.access = numbers(root["access"]).filter { $0.name != "asOf" }
    file.asOf = root["access"]?["asOf"]?.integer
    file.gates = items("gates").map { gate in
      ParityFile.Gate(
        name: gate["gate"]?.string ?? gate["name"]?.string ?? "", holds: gate["holds"]?.boolean ?? true,
        words: ["explanation", "message", "limit"].compactMap { gate[$0].flatMap(Self.text) }.joined(separator: "; "))
    }
    file.causes = items("causes").map(cause)
    file.missing = missing()
    fillCustomers(&file)
    file.differences = items("differences").flatMap(differences)
    file.fields = items("fields").map { field in
      (field["v2Path"]?.string ?? field["v1Path"]?.string ?? "", numbers(field))
    }
    file.notes = items("notes").compactMap { $0["message"]?.string }
  }

  private func items(_ name: String) -> [JSONElement] { children(root[name]) }

  private func children(_ list: JSONElement?) -> [JSONElement] {
    guard let list, list.kind == .array else { return [] }
    return list.children.filter { $0.kind == .object }
  }

  private func numbers(_ object: JSONElement?) -> [(name: String, count: Int64)] {
    guard let object, object.kind == .object else { return [] }
    return object.children.compactMap { child in child.integer.map { (child.name, $0) } }
  }

  private static func text(_ element: JSONElement) -> String? {
    switch element.kind {
    case .string: element.string
    case .number, .true, .false: element.json
    default: nil
    }
  }

  private func missing() -> [ParityFile.Row] {
    [("legacy", "missing in V2"), ("server", "missing in V1")].flatMap { side, kind in
      children(root["missing"]?[side]).map { event in
        var row = ParityFile.Row(kind: kind)
        row.type = event["type"]?.string ?? ""
        row.customer = event["originalTransactionId"]?.string.flatMap { $0.isEmpty ? nil : GuardedText(id: $0) }
        row.productId = event["productId"]?.string ?? ""
        row.time = event["time"]?.integer
        row.source = event["source"]?.string.map { GuardedText(id: $0) }
        row.id = event["id"]?.string.map { GuardedText(id: $0) }
        let record = event["record"]?.integer
        if side == "legacy" { row.legacyRecord = record } else { row.serverRecord = record }
        row.isAccepted = event["accepted"]?.boolean ?? false
        return row
      }
    }
  }

  /// The customers whose access differs; where no record has a date, `parity` judges pairs alone.
  private func fillCustomers(_ file: inout ParityFile) {
    guard let access = root["access"] else {
      file.changes = children(root["entitlement"]?["samples"]).map(change)
      return
    }
    file.ofCustomers = access["customers"] == nil ? .absent : .listed
    let all = children(access["customers"]).compactMap(customer)
    file.changes = all.filter { $0.outcome != .unknown }.map(\.row)
    file.undecided = all.filter { $0.outcome == .unknown }.map(\.row)
    let counts = AccessChange.Outcome.allCases.filter { $0 != .same }.map { outcome in
      (isUndecided: outcome == .unknown, count: Int(access[outcome.rawValue]?.integer ?? 0))
    }
    file.changeCount = counts.filter { !$0.isUndecided }.reduce(0) { $0 + $1.count }
    file.undecidedCount = counts.filter(\.isUndecided).reduce(0) { $0 + $1.count }
  }

  private func customer(_ one: JSONElement) -> (outcome: AccessChange.Outcome, row: ParityFile.Row)? {
    guard let outcome = one["outcome"]?.string.flatMap(AccessChange.Outcome.init(rawValue:)) else { return nil }
    let (legacy, server) = (AccessState(one["legacy"]), AccessState(one["server"]))
    var row = ParityFile.Row(kind: outcome.title)
    row.customer = one["originalTransactionId"]?.string.map { GuardedText(id: $0) }
    row.productId = one["productId"]?.string ?? ""
    (row.legacyRecord, row.serverRecord) = (legacy.record, server.record)
    (row.legacy, row.server) = (GuardedText(words: legacy.words), GuardedText(words: server.words))
    row.id = (legacy.id ?? server.id).map { GuardedText(id: $0) }
    return (outcome, row)
  }

  private func change(_ sample: JSONElement) -> ParityFile.Row {
    func side(_ name: String) -> GuardedText {
      let access = sample[name]?["access"]?.boolean.map { $0 ? "access" : "no access" } ?? "unknown"
      return GuardedText(words: [access, sample[name]?["reason"]?.string].compactMap(\.self).joined(separator: ", "))
    }
    let grants = (sample["legacy"]?["access"]?.boolean, sample["server"]?["access"]?.boolean)
    let kind = grants == (true, false) ? "locked out" : grants == (false, true) ? "served for free" : "other end"
    var row = record(sample, kind: kind)
    row.time = sample["asOf"]?.integer
    (row.legacy, row.server) = (side("legacy"), side("server"))
    row.words = sample["explanation"]?.string ?? ""
    return row
  }

  private func record(_ element: JSONElement, kind: String) -> ParityFile.Row {
    var row = ParityFile.Row(kind: kind)
    row.type = element["type"]?.string ?? ""
    row.customer = element["originalTransactionId"]?.string.map { GuardedText(id: $0) }
    row.legacyRecord = element["legacyRecord"]?.integer
    row.serverRecord = element["serverRecord"]?.integer
    row.id = (element["legacyId"]?.string ?? element["serverId"]?.string).map { GuardedText(id: $0) }
    return row
  }

  private func differences(_ found: JSONElement) -> [ParityFile.Row] {
    children(found["pairs"]).map { pair in
      var row = record(pair, kind: found["class"]?.string ?? "conflict")
      row.path = found["path"]?.string ?? ""
      row.legacy = GuardedText(found["legacy"].flatMap(Self.text) ?? "", of: row.path)
      row.server = GuardedText(found["server"].flatMap(Self.text) ?? "", of: row.path)
      row.words = found["state"]?.string ?? ""
      return row
    }
  }

  private func cause(_ cause: JSONElement) -> ParityFile.Cause {
    let path = cause["path"]?.string ?? ""
    return ParityFile.Cause(
      kind: cause["kind"]?.string ?? "", path: path, pairs: Int(cause["pairs"]?.integer ?? 0),
      share: cause["share"].flatMap { Double($0.json) }.map { Words.percent($0) } ?? "", common: common(cause, path))
  }

  /// The shift or the two values of a cause, and what its pairs have in common.
  private func common(_ cause: JSONElement, _ path: String) -> GuardedText {
    let place = cause["where"]
    let names = ["bundleId", "productId", "type", "since", "until"]
    let places = names.compactMap { name -> String? in
      if let time = place?[name]?.integer { return "\(name) \(PageTime.moment(time))" }
      return place?[name].flatMap(Self.text).map { "\(name) \($0)" }
    }
    let shift = cause["by"]?.integer.map { "V2 \(Words.duration($0.magnitude)) \($0 < 0 ? "earlier" : "later")" }
    let zone = cause["timeZone"].flatMap(Self.text).map { "timeZone \($0)" }
    let values = ["from", "to"].compactMap { name in
      cause[name].flatMap(Self.text).map { GuardedText(words: "\(name) ") + GuardedText($0, of: path) }
    }
    let all = [shift, zone].compactMap(\.self).map { GuardedText(words: $0) } + values
    let parts = all + places.map { GuardedText(words: $0) }
    return parts.dropFirst().reduce(parts.first ?? GuardedText(words: "")) { $0 + GuardedText(words: ", ") + $1 }
  }
}
