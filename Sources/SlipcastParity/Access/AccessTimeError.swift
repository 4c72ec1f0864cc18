package struct AccessTimeError: Error, CustomStringConvertible {
  package let description = "--access: no record of either archive has a date; --as-of TIME says when access is judged"
}
