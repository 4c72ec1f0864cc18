internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastStores

/// All views: finds the one that an address names.
final class PageSite: Sendable {
  let store: StoreLibrary?
  let reports: [ParityFile]
  let rules: RuleSet
  let redactor: Redactor
  let layout: Layout
  /// The numbers of the whole store, which take a while; `nil` without a store.
  let overview: OverviewCache?
  let differ: RecordDiffer
  let sentences: EventSentences

  /// - Throws: `StoreError`.
  init(_ options: PageOptions) throws {
    let store = try options.store.map { (location) throws(StoreError) in try StoreLibrary(location) }
    (self.store, reports, rules) = (store, options.reports, options.rules)
    sentences = EventSentences(options.rules)
    overview = store.map { OverviewCache($0, note: options.note) }
    differ = try RecordDiffer(options.rules)
    var pseudonyms: Pseudonyms?
    if options.redacts {
      let secret = try store?.read { try $0.fingerprint() } ?? options.reports.map(\.digest).joined()
      pseudonyms = Pseudonyms(secret: secret)
    }
    redactor = Redactor(pseudonyms: pseudonyms)
    var places = [Layout.Place(address: "/", name: "Search")]
    if !options.reports.isEmpty { places.append(Layout.Place(address: "/parity", name: "Parity")) }
    if store != nil { places.append(Layout.Place(address: "/archive", name: "Archive")) }
    places.append(Layout.Place(address: "/rules", name: "Rules"))
    let names = [store?.name].compactMap(\.self) + options.reports.map(\.name)
    layout = Layout(
      places: places, subject: redactor.isOn ? "" : "Shown: \(names.joined(separator: ", "))",
      remark: redactor.isOn ? "Ids are replaced by pseudonyms (--redact)." : nil)
  }

  var links: PageLinks { PageLinks(redactor: redactor) }

  /// - Throws: `StoreError` when the store cannot be read.
  func answer(_ request: PageRequest) throws -> PageAnswer {
    let steps = request.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    let rest = steps.count > 2 ? steps[2] : ""
    switch (steps.count > 1 ? steps[1] : "", rest.isEmpty) {
    case ("", _) where steps.count <= 2: return try home(request)
    case ("customer", false): return try customer(rest, request)
    case ("event", true): return try event(of: request)
    case ("event", false): return try event(rest, request)
    case ("parity", true): return try parity(request)
    case ("archive", true): return try archive(request)
    case ("rules", true): return .page(RuleView(rules: rules).index(request["q"]))
    case ("rules", false): return RuleView(rules: rules).page(rest)
    default: return .missing(Self.nothing("This address has no page.", shown: nil))
    }
  }

  /// A page that says that there is nothing.
  static func nothing(_ words: String, shown: String?, advice: String? = nil) -> View {
    View(title: "Not found") { main in
      main.add("h1", text: "Not found")
      main.add("p", ["class": "lead"], text: words)
      if let shown { main.add("p").add("code", text: shown) }
      if let advice { main.add("p", ["class": "about"], text: advice) }
      main.add("p").add("a", ["href": "/"], text: "Back to the search")
    }
  }

  static var withoutStore: View {
    nothing(
      "Only reports of parity are open, and no store.", shown: nil,
      advice: "Start slipcast ui with a store too: slipcast ui archive.sqlite parity.json")
  }
}
