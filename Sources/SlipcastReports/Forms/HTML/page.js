"use strict";
(() => {
  const search = document.getElementById("search");
  if (!search) return;
  const tiles = [...document.querySelectorAll(".tile")];
  const groups = [...document.querySelectorAll(".group")];
  const result = document.getElementById("result");
  const nothing = document.getElementById("nothing");
  const unfold = document.getElementById("unfold");
  const rows = [...document.querySelectorAll(".group > .row")].map((element) => ({
    element,
    kind: element.dataset.class,
    fails: "fails" in element.dataset,
    text: [...element.querySelectorAll("[data-find]")].map((part) => part.textContent).join("\n").toLowerCase(),
  }));

  const isPressed = (tile) => tile.getAttribute("aria-pressed") === "true";
  const press = (tile, on) => tile.setAttribute("aria-pressed", String(on));
  const fields = (count) => (count === 1 ? "1 field" : `${count} fields`);
  const visible = () => rows.filter((row) => !row.element.hidden);

  function nameUnfold() {
    const shown = visible();
    unfold.textContent = shown.length > 0 && shown.every((row) => row.element.open) ? "Close all" : "Open all";
  }

  function show() {
    const kinds = new Set(tiles.filter(isPressed).map((tile) => tile.dataset.class));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let elsewhere = 0;
    for (const row of rows) {
      const fits = words.every((word) => row.text.includes(word));
      row.element.hidden = !(fits && kinds.has(row.kind));
      if (fits && !kinds.has(row.kind)) elsewhere += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector(".row:not([hidden])");
    const count = visible().length;
    const more = words.length > 0 && elsewhere > 0 ? `; ${elsewhere} more in classes not shown` : "";
    result.textContent = `${count} of ${fields(rows.length)} shown${more}`;
    nothing.hidden = count > 0;
    nameUnfold();
  }

  function clear() {
    search.value = "";
    show();
  }

  // Fields that agree are of no interest at first, unless they fail here or there is nothing else.
  const quiet = new Set(["repeated", "representation", "identical"]);
  const loud = rows.filter((row) => row.fails).map((row) => row.kind);
  if (rows.some((row) => !quiet.has(row.kind))) {
    for (const tile of tiles) press(tile, !quiet.has(tile.dataset.class) || loud.includes(tile.dataset.class));
  }

  for (const tile of tiles) {
    tile.addEventListener("click", () => {
      press(tile, !isPressed(tile));
      show();
    });
  }
  search.addEventListener("input", show);
  document.getElementById("every").addEventListener("click", () => {
    for (const tile of tiles) press(tile, true);
    clear();
  });
  unfold.addEventListener("click", () => {
    const shown = visible();
    const open = !shown.every((row) => row.element.open);
    for (const row of shown) row.element.open = open;
    nameUnfold();
  });
  for (const row of rows) row.element.addEventListener("toggle", nameUnfold);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== search && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && search.value !== "") {
      clear();
    }
  });

  // On paper nothing unfolds.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = visible().filter((row) => !row.element.open);
    for (const row of folded) row.element.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const row of folded) row.element.open = false;
  });

  document.documentElement.classList.add("js");
  show();
})();

// Links within the page unfold what they lead to, also where a filter has hidden it.
(() => {
  function reveal() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.closest("[hidden]")) document.getElementById("every")?.click();
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    (target.closest("details") ?? target).scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    // A second click on the same link changes nothing in the address. The browser goes there first.
    if (link && link.hash === location.hash) setTimeout(reveal);
  });
  if (document.readyState === "complete") reveal();
  else window.addEventListener("load", () => setTimeout(reveal));
})();
