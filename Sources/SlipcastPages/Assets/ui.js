// Adds what a page without scripts does without: the local time, and a key for the search.

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  // Where the clock shows UTC there is nothing to add.
  if (Number.isNaN(moment.valueOf()) || moment.getTimezoneOffset() === 0) continue;
  const isSameDay = moment.getDate() === moment.getUTCDate();
  const day = isSameDay ? {} : { month: "short", day: "numeric" };
  const local = document.createElement("span");
  local.className = "local";
  local.textContent = moment.toLocaleString(undefined, {
    ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });
  time.append(" ", local);
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
