import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// Finds out what a source is from its beginning: it reads it as `convert` would, in each way that its name allows, and
/// takes the way in which most rows have a record.
package enum SourceDetector {
  /// Detects a file, or one file of a folder.
  ///
  /// - Parameter bytes: how much of it is read.
  /// - Throws: `FileError` for a file that cannot be read.
  package static func detect(
    _ file: InputFile, patterns: [String] = [], bytes: Int = SourceSample.usual
  ) async throws -> Detection {
    var file = file
    file.sample = try SourceSample(of: file, bytes: bytes)
    if file.isJournal {
      var found = Detection(form: .journal)
      found.profile = try await profile(.file(file, patterns: patterns))
      return found
    }
    // The first way is the one of its name; the others are tried in vain for most sources.
    var best: (trial: FormTrial, profile: SourceProfile)?
    var equals: [FormTrial] = []
    var (fault, isDecided) = (String?.none, false)
    for (place, trial) in FormTrial.all(for: file.path).enumerated() {
      file.table = trial.table
      do {
        let profile = try await profile(.file(file, patterns: patterns))
        let most = best?.profile.recognized ?? 0
        if best == nil || profile.recognized > most {
          (best, equals) = ((trial, profile), [])
        } else if profile.recognized == most, most > 0, profile.unreadable == best?.profile.unreadable {
          equals.append(trial)
        }
        // Nearly all of it is understood: no other way can be better.
        if profile.recognized > 0, profile.recognized * 10 >= profile.looked * 9, trial.form != .tsv { break }
      } catch let error as FileError where error.number == 0 {
        // The first row shows that it is a table, and that it has no header row.
        if !isDecided, place == 0 || error.reason == TableHeader.isData {
          (fault, isDecided) = (error.description, error.reason == TableHeader.isData)
        }
      }
    }
    guard let best, best.profile.recognized > 0 else { return unknown(isDecided ? nil : best?.profile, fault) }
    return detection(best.trial, best.profile, equals: equals, of: file, patterns: patterns)
  }

  /// Detects the values of one column of a database.
  package static func detect(_ feed: any RowFeed) async throws -> Detection {
    var found = Detection(form: .rows)
    found.profile = try await profile(.rows(feed))
    if found.profile.whole.recordCount == 0 { choose(&found) }
    return found
  }

  /// Puts what was found in the columns of a table together.
  package static func detection(of columns: [(name: String, found: Detection)]) -> Detection {
    var all = Detection(form: .rows)
    // A table that was imported without a header row may have values as names.
    let named = columns.filter { ShownName.isName($0.name) }
    all.profile = SourceProfile(
      rows: columns.map(\.found.profile.looked).max() ?? 0,
      columns: named.map { $0.found.profile.whole.named($0.name) })
    choose(&all)
    if all.profile.recognized == 0 { all.form = .unknown }
    return all
  }

  private static func unknown(_ profile: SourceProfile?, _ fault: String?) -> Detection {
    var found = Detection(form: .unknown)
    found.profile = profile ?? SourceProfile()
    if found.profile.rows == 0 { found.fault = fault ?? (found.profile.isCut ? nil : found.profile.damage) }
    return found
  }

  private static func detection(
    _ trial: FormTrial, _ profile: SourceProfile, equals: [FormTrial], of file: InputFile, patterns: [String]
  ) -> Detection {
    let isText =
      trial.form == .json && profile.columns.isEmpty && profile.whole.records.keys.allSatisfy { $0.form != .object }
    var found = Detection(form: isText ? .texts : trial.form)
    (found.profile, found.options) = (profile, trial.options)
    if let other = equals.first(where: { $0.form == .tsv }), trial.table.escaping != nil {
      // Both ways give records, with other texts in them.
      let isCopy = BackslashEvidence.isCopy(file, patterns: patterns)
      found.options = isCopy ? trial.options : other.options
      found.notes.append(
        isCopy
          ? "every backslash is an escape of COPY, so --tsv copy; --tsv plain would keep both of two"
          : "some backslashes are no escapes of COPY, so --tsv plain")
    }
    choose(&found)
    return found
  }

  private static func choose(_ found: inout Detection) {
    let choice = ColumnChoice(found.profile)
    found.options += choice.options
    found.choices += choice.choices
    found.notes += choice.notes
  }

  // MARK: reading

  static func profile(_ source: RecordSource) async throws -> SourceProfile {
    let limits = JSONLimits(recordBytes: 16 << 20)
    let run = BulkRun(options: BulkOptions(recordBytes: limits.recordBytes)) { ProfileTask(limits) }
    var (profile, texts, raw) = (SourceProfile(), 0, 0)
    var sink = RejectSink { _ in }
    let (_, counts) = try await run.run(
      [source], to: &sink,
      deliver: { task, _, _ in
        profile = task.profile
        return task.book.counts
      },
      pause: { step, _ in
        texts += 1
        raw = step.rawBytes
        // An archive may have a million files without a row.
        return profile.looked < ProfileTask.mostRows && texts < 10 * ProfileTask.mostRows
      })
    profile.skippedLines = counts.skippedLines
    if case .file(let file, _) = source, let most = file.sample?.bytes {
      profile.isCut = counts.bytes >= most || raw >= most
    }
    // What was read of the last record is not the record.
    if profile.isCut, profile.endsUnreadable { profile.unreadable -= 1 }
    return profile
  }
}
