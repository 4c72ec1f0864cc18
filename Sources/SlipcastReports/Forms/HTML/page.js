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

// Rows of records and pairs, made from the data in the page when they are wanted.
(() => {
  const read = (id) => {
    const template = document.getElementById(id);
    return template ? JSON.parse(template.content.textContent) : null;
  };
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const records = read("find-data");
  if (records) {
    const most = 50;
    const { texts, rows } = records;
    const body = document.getElementById("find-rows");
    const input = document.getElementById("find-input");
    const result = document.getElementById("find-result");
    document.getElementById("find-more")?.remove();
    const words = rows.map(([kind, type, product, time, original, places]) =>
      [texts[kind], texts[type], texts[product], texts[time], original, places].join("\n").toLowerCase());
    const line = ([kind, type, product, time, original, places, pair]) => {
      const cell = (...children) => make("td", { role: "cell", class: "words" }, ...children);
      return make("tr", { role: "row" },
        make("th", { scope: "row", role: "rowheader", class: "words" }, texts[kind]), cell(texts[type]),
        cell(make("code", {}, original)), cell(texts[product]), cell(texts[time]),
        cell(pair ? make("a", { href: `#pair-${pair}` }, places) : places));
    };
    const show = () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = [];
      for (let place = 0; place < rows.length; place += 1) {
        if (wanted.every((word) => words[place].includes(word))) found.push(rows[place]);
      }
      body.replaceChildren(...found.slice(0, most).map(line));
      const rest = found.length > most ? `; the first ${most} are shown` : "";
      result.textContent = `${found.length} of ${rows.length} ${rows.length === 1 ? "record" : "records"}${rest}`;
    };
    input.addEventListener("input", show);
    show();
  }

  const pairs = read("pair-data");
  if (!pairs) return;
  const { texts } = pairs;
  const fields = (list) => list.map(([path, kind, fails, entries, meaning]) => {
    const values = entries.flatMap(([label, value, isJSON, place]) => [
      make("dt", {}, texts[label]),
      make("dd", {}, make(isJSON ? "code" : "em", {}, value), texts[place] ? " " : "",
        ...(texts[place] ? [make("span", { class: "place" }, texts[place])] : [])),
    ]);
    const badges = make("span", { class: "badges" }, make("span", { class: "badge" }, texts[kind]));
    return make("details", { class: `row ${texts[kind]}`, open: "open", ...(fails ? { "data-fails": "true" } : {}) },
      make("summary", {}, badges, " ", make("span", { class: "path" }, texts[path])),
      make("div", { class: "body" }, ...(texts[meaning] ? [make("p", { class: "meaning" }, texts[meaning])] : []),
        make("dl", {}, ...values)));
  });
  const fill = (body, [, , , , , sides, notes, rows, rest]) => {
    if (body.childElementCount > 0) return;
    const facts = sides.flatMap((side) => {
      const [label, name, about] = side.split("\u001f");
      return [make("dt", {}, label), make("dd", {}, make("code", {}, name), about ? " " : "", make("span", {}, about))];
    });
    body.append(make("dl", { class: "sides" }, ...facts),
      ...notes.map((note) => make("p", { class: "about" }, texts[note])), make("div", { class: "rows" }, ...fields(rows)),
      ...(rest ? [make("p", { class: "about" }, `Fields without a contradiction that are left out: ${rest}.`)] : []));
  };
  document.getElementById("more-pairs").append(...pairs.rows.map((pair) => {
    const [number, records, sentence, tone, sign] = pair;
    const body = make("div", { class: "pair-body", id: `pair-${number}`, tabindex: "-1" });
    const details = make("details", { class: `pair ${texts[tone]}` },
      make("summary", {}, make("strong", {}, `Pair ${number.toLocaleString("en-US")}: ${records} `),
        make("span", { class: "outcome" }, `${texts[sign]} ${texts[sentence]}`)), body);
    details.addEventListener("toggle", () => { if (details.open) fill(body, pair); });
    return details;
  }));
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
