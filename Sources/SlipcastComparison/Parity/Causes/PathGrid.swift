/// Values by a number that all fields of a pair share, such as its day, and by the column of a path.
///
/// A pair touches one row, which is near in memory; with a table for each path, counting took a tenth of a comparison.
struct PathGrid<Value> {
  private var values: [Value] = []
  private var width: Int
  private let empty: Value

  /// - Parameter width: columns to begin with.
  init(_ empty: Value, width: Int = 64) { (self.empty, self.width) = (empty, width) }

  private var rows: Int { values.count / width }

  /// The empty value where none was written.
  subscript(row: Int, column: Int) -> Value {
    get { row < rows && column < width ? values[row * width + column] : empty }
    _modify {
      if column >= width { widen(to: column + 1) }
      if row >= rows { values += Array(repeating: empty, count: (row + 1 - rows) * width) }
      yield &values[row * width + column]
    }
  }

  /// The values of a column in the order of the rows.
  func column(_ column: Int) -> some Collection<Value> { (0..<rows).lazy.map { self[$0, column] } }

  private mutating func widen(to least: Int) {
    var wider = PathGrid(empty, width: max(2 * width, least))
    wider.values.reserveCapacity(rows * wider.width)
    for row in 0..<rows {
      wider.values += values[row * width..<(row + 1) * width]
      wider.values += Array(repeating: empty, count: wider.width - width)
    }
    self = wider
  }
}
