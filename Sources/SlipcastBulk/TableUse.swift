/// Which texts the options about tables and logs act on, by their names.
extension TableOptions {
  /// - Parameters:
  ///   - option: `csv`, `separator`, `tsv` or `from-logs`.
  ///   - isCSV: sources without a known extension are CSV.
  package static func acts(_ option: String, on name: String, isCSV: Bool) -> Bool {
    var (with, without) = (TableOptions(), TableOptions())
    switch option {
    case "csv":
      // A file that is named as CSV is read as the option says.
      with.isCSV = true
      if without.form(of: name) == with.form(of: name) { return without.form(of: name) == .csv(UInt8(ascii: ",")) }
    case "separator":
      (with.isCSV, without.isCSV) = (isCSV, isCSV)
      // Not the usual one, so that it makes a difference.
      with.separator = 0x01
    case "tsv": with.escaping = .plain
    case "from-logs": return without.form(of: name) == nil
    default: return true
    }
    return with.form(of: name) != without.form(of: name)
  }
}

extension InputFile {
  /// Whether it is an archive, as its content says; `nil` where that cannot be known without using it up.
  package var isArchive: Bool? {
    guard !isStream, !isJournal else { return nil }
    guard let first = try? SourceMembers(self, patterns: []).next() else { return nil }
    return first.name != path
  }

  /// Whether one of the texts in it has a name as it is wanted; true where that cannot be known.
  ///
  /// - Parameter patterns: which files of an archive are read.
  package func hasText(_ patterns: [String], where isWanted: (String) -> Bool) -> Bool {
    guard !isStream, let members = try? SourceMembers(self, patterns: patterns) else { return true }
    do throws(FileError) {
      while let member = try members.next() {
        if isWanted(member.name) { return true }
      }
      return false
    } catch {
      return true
    }
  }
}
