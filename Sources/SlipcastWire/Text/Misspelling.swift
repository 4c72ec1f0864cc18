package enum Misspelling {
  package static func ends(_ text: [UInt8], with word: [UInt8], faults: Int) -> Bool {
    (-faults...faults).contains { more in
      let length = word.count + more
      return text.count >= length && distance(text.suffix(length), word[...], countsSwaps: false) <= faults
    }
  }

  /// How many letters are changed, missing or too many (Levenshtein), or swapped with their neighbor if that counts as
  /// one fault.
  static func distance<Letter: Equatable>(
    _ left: ArraySlice<Letter>, _ right: ArraySlice<Letter>, countsSwaps: Bool
  ) -> Int {
    var (earlier, last, row) = (Array(0...right.count), Array(0...right.count), Array(0...right.count))
    var before: Letter?
    for (place, letter) in left.enumerated() {
      row[0] = place + 1
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, row[column] + 1, last[column] + (letter == other ? 0 : 1))
        if countsSwaps, column > 0, before == other, letter == right[right.startIndex + column - 1] {
          cost = min(cost, earlier[column - 1] + 1)
        }
        row[column + 1] = cost
      }
      (earlier, last, row, before) = (last, row, earlier, letter)
    }
    return last[right.count]
  }
}
