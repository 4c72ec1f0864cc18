/// Words that may be misspelled.
package enum Misspelling {
  /// Whether a text ends with a word, or with one that differs in at most so many letters.
  package static func ends(_ text: [UInt8], with word: [UInt8], faults: Int) -> Bool {
    (-faults...faults).contains { more in
      let length = word.count + more
      return text.count >= length && distance(text.suffix(length), word[...]) <= faults
    }
  }

  /// How many letters are changed, missing or too many (Levenshtein).
  private static func distance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    var row = Array(0...right.count)
    for (place, letter) in left.enumerated() {
      var before = row[0]
      row[0] = place + 1
      for (column, other) in right.enumerated() {
        let cost = min(row[column] + 1, row[column + 1] + 1, before + (letter == other ? 0 : 1))
        before = row[column + 1]
        row[column + 1] = cost
      }
    }
    return row[right.count]
  }
}
