/// What a source is, and the options that read it.
package struct Detection: Sendable {
  /// An option that has to be chosen by a person, and the values that fit equally well.
  package struct Choice: Hashable, Sendable {
    package var option: String
    package var values: [String]

    package init(_ option: String, _ values: [String]) { (self.option, self.values) = (option, values) }
  }

  package var form: SourceForm
  package var profile = SourceProfile()
  /// The options that read it.
  package var options: [ReadingOption] = []
  /// What is undecided.
  package var choices: [Choice] = []
  /// Where names decided among several places, and what else a person should know.
  package var notes: [String] = []
  /// Why it cannot be read.
  package var fault: String?

  package init(form: SourceForm) { self.form = form }

  /// The records of the place that was chosen, by their kinds.
  package var kinds: [String: Int] { chosen.kinds }

  private var chosen: ColumnProfile {
    options.first { $0.name == "body" }?.value.flatMap { column(at: $0) } ?? profile.whole
  }

  /// The place that an option names.
  package func column(at place: String) -> ColumnProfile? {
    profile.columns.first { $0.pointer.optionValue == place }
  }

  /// All records are V2: they need no conversion.
  package var isServer: Bool { chosen.recordCount > 0 && chosen.records.keys.allSatisfy(\.isServer) }
  /// The kinds of records, wherever they are, that Apple cannot send again.
  ///
  /// V1 notifications and `verifyReceipt` responses. Each run replaces its file of rejects.
  package var irreplaceable: Set<String> {
    if profile.isOfRejects { return [] }
    // Lines of a timeline repeat V1's type next to V2's names.
    let isWritten = ["originalTransactionId", "kind"].allSatisfy { name in
      profile.columns.contains { $0.pointer.tokens == [name] }
    }
    let kinds = ((isWritten ? [] : [profile.whole]) + profile.columns).flatMap { $0.records.keys.map(\.kind) }
    return Set(kinds.filter { RecordKind(rawValue: $0)?.isLegacy == true })
  }
  /// Apple's signatures are in them.
  package var isSigned: Bool { chosen.records.keys.contains(where: \.isSigned) }

  /// A command reads it, once all options are chosen.
  package var isReadable: Bool { form != .unknown && fault == nil }
}

extension JSONPointer {
  /// The pointer as a value of `--body`: the name of a plain column, else the pointer itself.
  package var optionValue: String {
    guard tokens.count == 1, let name = tokens.first, !name.isEmpty,
      name.unicodeScalars.allSatisfy({
        $0 == "_" || $0 == "-" || $0.isASCII && $0.properties.isAlphabetic
          || ("0"..."9").contains($0)
      })
    else { return description }
    return name
  }
}

extension Detection {
  /// Adds what was found in another file that is read with the same options.
  package mutating func add(_ other: Detection) {
    profile.add(other.profile)
    for note in other.notes where !notes.contains(note) { notes.append(note) }
  }
}
