/// What a person should know about the current record, in the order in which the phases noticed it.
final class NoteCollector {
  /// Each with the place of its value on the tape; 0 for the record itself.
  private(set) var notes: [(note: ConversionNote, index: Int)] = []
  /// What was found out about the record before it was converted.
  private(set) var remarks: [Converter.Remark] = []

  func begin(_ remarks: [Converter.Remark]) {
    notes.removeAll(keepingCapacity: true)
    self.remarks = remarks
  }

  func add(_ note: ConversionNote, _ index: Int) { notes.append((note, index)) }

  func contains(where fits: (ConversionNote) -> Bool) -> Bool { notes.contains { fits($0.note) } }
}
