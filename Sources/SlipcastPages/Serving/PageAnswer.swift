internal import SlipcastHTTP
internal import SlipcastReports

/// What a view answers.
enum PageAnswer {
  case page(View)
  /// Another address shows it.
  case redirect(String)
  /// A table for spreadsheets: the name of the file, and its text.
  case csv(name: String, text: String)
  /// There is no such thing.
  case missing(View)
}

/// A page without its frame.
struct View {
  var title: String
  /// The place in the navigation, such as `/archive`; empty for a page that is no such place.
  var place = ""
  /// The text in the search box.
  var searched = ""
  /// What stands in `main`.
  var body: (Markup) -> Void
}
