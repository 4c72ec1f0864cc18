internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastStores
internal import SlipcastTimeline

extension PageSite {
  /// The page of an event by its id.
  func event(_ text: String, _ request: PageRequest) throws -> PageAnswer {
    guard let store else { return .missing(Self.withoutStore) }
    guard let uuid = redactor.meant(text) else { return .missing(unknown(text)) }
    if redactor.isOn, !text.hasPrefix("~") { return .redirect("/event/" + redactor.linked(uuid)) }
    guard let view = try store.read({ try eventView(uuid, $0, links) }) else { return .missing(unknown(uuid)) }
    if let name = request["csv"] {
      guard name == "differences" else {
        return .missing(Self.nothing("This page has no table of that name.", shown: nil))
      }
      return .csv(name: name, text: view.differenceTable.csv)
    }
    return .page(View(title: view.name) { view.add(to: $0) })
  }

  /// The event of a customer that was a record of its source, as reports of parity name it.
  func event(of request: PageRequest) throws -> PageAnswer {
    guard let store else { return .missing(Self.withoutStore) }
    guard let text = request["customer"], let id = redactor.meant(text),
      let record = request["record"].flatMap({ Int64($0) })
    else { return .missing(Self.nothing("An event is named by its id.", shown: nil)) }
    guard let uuid = try store.read({ try $0.event(of: id, record: record) }) else { return .missing(unknown(id)) }
    return .redirect("/event/" + redactor.linked(uuid))
  }

  /// - Parameter known: the customers that may have its counterpart; `nil`: they are read.
  /// - Returns: `nil` for an id that no record has.
  func eventView(
    _ uuid: String, of known: [Customer]? = nil, _ snapshot: StoreSnapshot, _ links: PageLinks
  ) throws -> EventView? {
    guard let notice = try snapshot.notice(uuid) else { return nil }
    let other = try counterpart(of: notice, among: known, snapshot)
    let legacy = notice.origin == .v1 ? notice : other
    let server = notice.origin == .v2 ? notice : other
    let body = try legacy.flatMap { try snapshot.legacyBody(at: $0.place) }
    let cast = try legacy.flatMap { try snapshot.body(at: $0.place) }
    let apple = try server.flatMap { try snapshot.body(at: $0.place) }
    var comparison: Result<Comparison, ComparisonError>?
    if let first = body ?? cast, let apple {
      comparison = differ.compare(first, apple, receivedAt: legacy?.receivedAt)
    }
    let withoutBody =
      legacy == nil
      ? "No V1 message reports this event."
      : "The store keeps no V1 body: slipcast convert … --to STORE --keep-bodies keeps it, without the secret."
    let name = [notice.notificationType ?? "(no type)", notice.subtype].compactMap(\.self).joined(separator: "/")
    return EventView(
      notice: notice, name: name,
      sentence: sentences.sentence(of: name, product: notice.productId, next: nil),
      customer: notice.originalTransactionId,
      parts: [
        EventView.Part(title: "V1", body: body, absence: withoutBody),
        EventView.Part(title: "V1 converted", body: cast, absence: "No V1 message reports this event."),
        EventView.Part(
          title: "V2, from Apple", body: apple,
          absence: "No V2 record of this event is in the store; slipcast convert takes V2 records into it too."),
      ], comparison: comparison, isOfBody: body != nil, counterpart: other,
      findings: try snapshot.findings(at: [notice.place]), reasons: reasons(notice, snapshot), links: links)
  }

  private func counterpart(
    of notice: StoredNotice, among known: [Customer]?, _ snapshot: StoreSnapshot
  ) throws -> StoredNotice? {
    guard let id = notice.originalTransactionId else { return nil }
    let customers = try known ?? CustomerReader(snapshot: snapshot, rules: rules, latest: 0).customers(id)
    for customer in customers {
      if let found = customer.counterparts[notice.notificationUUID] { return found.notice }
      if let (uuid, _) = customer.counterparts.first(where: {
        $0.value.notice.notificationUUID == notice.notificationUUID
      }) {
        return customer.notices[uuid]
      }
    }
    return nil
  }

  private func reasons(_ notice: StoredNotice, _ snapshot: StoreSnapshot) -> [String] {
    rules.types.first { $0.id == notice.rule }?.meaning.v1.map { [$0] } ?? []
  }
}
