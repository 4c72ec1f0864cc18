/// Values by a number that all fields of a pair share, such as its day, and by the column of a path.
///
/// A pair touches one row, which is near in memory; with a table for each path, counting took a tenth of a comparison. A
/// row is as long as its pairs need: many strange paths on one day do not lengthen the others.
struct PathGrid<Value> {
  private var rows: [[Value]] = []
  private let empty: Value

  init(_ empty: Value) { self.empty = empty }

  /// The empty value where none was written.
  subscript(row: Int, column: Int) -> Value {
    get { rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : empty }
    _modify {
      if row >= rows.count { rows += Array(repeating: [], count: row + 1 - rows.count) }
      let missing = column + 1 - rows[row].count
      if missing > 0 { rows[row] += Array(repeating: empty, count: missing) }
      yield &rows[row][column]
    }
  }

  /// The values of a column in the order of the rows.
  func column(_ column: Int) -> some Collection<Value> { rows.indices.lazy.map { self[$0, column] } }
}
