// Adds what a page without scripts does without: the local time, and a key for the search.

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.valueOf())) continue;
  const local = moment.toLocaleString(undefined, {
    year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });
  time.title = `Local time: ${local}`;
}

const search = document.getElementById("search");

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === "/" && !isTyping && search) {
    event.preventDefault();
    search.focus();
    search.select();
  }
  if (event.key === "Escape" && event.target === search) search.blur();
});

// A filter that is chosen is shown at once.
for (const choice of document.querySelectorAll("form.filter select")) {
  choice.addEventListener("change", () => choice.form.requestSubmit());
}
