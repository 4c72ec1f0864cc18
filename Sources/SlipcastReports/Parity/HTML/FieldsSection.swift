import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// Every path with its counts and samples, to be filtered and searched.
struct FieldsSection {
  /// Samples beyond these unfold.
  private static let fewSamples = 3

  let fields: [ParityField]
  /// Paths that the page does not show, all of them better than these.
  let leftOut: Int

  var part: ParityPart? {
    guard !fields.isEmpty else { return nil }
    let about = "Each path under the most serious class that it has in any pair; unfolded, it shows pairs as samples."
    return ParityPart(id: "fields", title: "Fields", about: about) { section in
      HTMLFilters(counts: ParityResult.counts(fields)).add(to: section) {
        for differenceClass in DifferenceClass.allCases {
          let rows = fields.filter { $0.worst == differenceClass }
          guard !rows.isEmpty else { continue }
          let group = HTMLFilters.group(differenceClass, count: rows.count, level: "h3", section)
          for field in rows { row(field, group) }
        }
      }
      guard leftOut > 0 else { return }
      let rest = "\(Words.count(leftOut, "path")) that agree\(leftOut == 1 ? "s" : "") at least as well"
      section.add(
        "p", ["class": "about"],
        text: "\(rest) \(leftOut == 1 ? "is" : "are") left out on this page; the JSON form has all.")
    }
  }

  private func row(_ field: ParityField, _ group: HTMLElement) {
    let name = field.worst.rawValue
    let row = group.add("details", ["class": "row field \(name)", "data-class": name])
    if field.fails { row.set("data-fails", "true") }
    let summary = row.add("summary")
    let badges = summary.add("span", ["class": "badges"])
    badges.add("span", ["class": "badge"], text: name)
    if field.fails {
      badges.add(text: " ")
      badges.add("span", ["class": "tag"], text: "fails")
    }
    summary.add(text: " ")
    summary.add("span", ["class": "path", "data-find": "path"]).add(path: field.path)
    summary.add(text: " ")
    summary.add("span", ["class": "change"], text: Self.words(field))
    // The target of links lies inside, because browsers unfold what holds it.
    body(field, row.add("div", ["class": "body", "id": "field-\(field.number)", "tabindex": "-1"]))
  }

  private static func words(_ field: ParityField) -> String {
    guard field.conflicts > 0 else {
      return ([Words.count(field.pairs, "pair")] + field.strictWords).joined(separator: ", ")
    }
    return ["\(field.agreement) agree, \(field.conflicts.grouped) in conflict", field.acceptedWords].compactMap(\.self)
      .joined(separator: ", ")
  }

  private func body(_ field: ParityField, _ body: HTMLElement) {
    let counts = body.add("ul", ["class": "counts"])
    for (differenceClass, count) in field.counts {
      let item = counts.add("li", ["class": differenceClass.rawValue])
      item.add("strong", text: count.grouped)
      item.add(text: " \(differenceClass.rawValue)")
    }
    if let accepted = field.acceptedWords {
      counts.add("li", ["class": "identical"], text: "\(accepted) by a baseline")
    }
    if let reason = field.reason { body.add("p", ["class": "meaning", "data-find": "meaning"], text: reason) }
    guard !field.samples.isEmpty else {
      body.add("p", ["class": "about"], text: "No samples: there is nothing to look at.")
      return
    }
    samples(field.samples.prefix(Self.fewSamples), body)
    let rest = field.samples.dropFirst(Self.fewSamples)
    if !rest.isEmpty { samples(rest, body.folded(Words.count(rest.count, "more sample"))) }
  }

  private func samples(_ samples: ArraySlice<ParitySample>, _ parent: HTMLElement) {
    let list = parent.add("ol", ["class": "samples"])
    for sample in samples {
      let name = sample.row.differenceClass.rawValue
      let item = list.add("li", ["class": "sample \(name)"])
      PairLink(records: sample.records, number: sample.pair, differenceClass: name).add(to: item)
      if !sample.row.meaning.isEmpty {
        item.add("p", ["class": "meaning", "data-find": "meaning"], text: sample.row.meaning)
      }
      HTMLRow(row: sample.row).facts(item.add("dl"))
    }
  }
}

/// V1 values without a place in V2.
struct LossesSection {
  let fields: [ParityField]

  var part: ParityPart? {
    let losses = fields.filter(\.isLost).sorted { $0.number < $1.number }
    guard !losses.isEmpty else { return nil }
    let title = "Losses"
    return ParityPart(id: "losses", title: title, about: "Values of V1 without a place in V2, with their pairs.") {
      section in
      let list = section.add("ul", ["class": "findings"])
      for loss in losses {
        let item = list.add("li")
        item.add("strong", ["class": "count"]).add(number: loss.pairs.grouped)
        let words = item.add("div")
        words.add("a", ["class": "path", "href": "#field-\(loss.number)"]).add(path: loss.path)
        if let reason = loss.reason { words.add("p", text: reason) }
      }
      if let rest = ParityResult.restWords(fields) { section.add("p", text: rest) }
    }
  }
}
