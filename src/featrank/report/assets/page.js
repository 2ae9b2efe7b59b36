"use strict";

// The page is complete without this script, but for the table of all features, which it makes of
// packed columns: to be searched, sorted, filtered, selected from, copied and exported. Texts from
// data become text nodes and attributes, never markup.

const ROWS_A_PAGE = 100;
const DOTS = 5;
const SIZES = 10;
const UNKNOWN = "–";
const COLOURS = 8;
const KINDS = { f4: Float32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };
const ENGLISH = new Intl.NumberFormat("en-US");

// ---- Elements -----------------------------------------------------------------------------

function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function choice(options, chosen, change) {
  const select = make("select", { change: () => change(select.value) });
  for (const [value, text] of options) select.append(make("option", { value }, text));
  select.value = chosen;
  return select;
}

// ---- Texts --------------------------------------------------------------------------------

// One line without control characters, as the rest of the page shows names.
function oneLine(text) {
  return text
    .replace(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g, " ")
    .replace(/(?! )[\p{C}\p{Z}]/gu, "\ufffd");
}

function folded(text) {
  return text.normalize("NFKC").toLowerCase();
}

function shownNumber(value, show = (number) => number.toPrecision(4)) {
  if (Number.isNaN(value)) return UNKNOWN;
  return Number.isFinite(value) ? show(value) : "∞";
}

function grouped(number) {
  return ENGLISH.format(number);
}

function counted(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

// A string literal of Python; what cannot be seen is escaped.
function pythonText(text) {
  const literal = JSON.stringify(text);
  return literal.replace(/(?! )[\p{C}\p{Z}]/gu, (letter) => {
    const code = letter.codePointAt(0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

function pythonCode(names) {
  const lines = names.map((name) => `    ${pythonText(name)},\n`).join("");
  return `# table: a data frame of pandas or polars\nselected = table[[\n${lines}]]\n`;
}

// A cell of CSV. A leading apostrophe keeps spreadsheets from running a string as a formula.
function csvCell(value) {
  if (typeof value === "number") {
    if (Number.isNaN(value)) return "";
    return Number.isFinite(value) ? String(Number(value.toPrecision(7))) : "inf";
  }
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvText(rows) {
  return rows.map((row) => row.map(csvCell).join(",") + "\n").join("");
}

// ---- Packed columns -----------------------------------------------------------------------

async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const start = 4 + new DataView(buffer).getUint32(0, true);
  const text = (from, size) => new TextDecoder().decode(new Uint8Array(buffer, from, size));
  const header = JSON.parse(text(4, start - 4));
  const columns = {};
  for (const { name, kind, offset, size } of header.columns) {
    const Kind = KINDS[kind];
    columns[name] = Kind
      ? new Kind(buffer, start + offset, size / Kind.BYTES_PER_ELEMENT)
      : JSON.parse(text(start + offset, size));
  }
  return { about: header.about, columns };
}

// ---- The table of features ----------------------------------------------------------------

class Explorer {
  constructor(place, { about, columns }) {
    this.place = place;
    this.about = about;
    this.columns = columns;
    this.names = columns.feature;
    this.folded = this.names.map(folded);
    this.selected = new Uint8Array(this.names.length);
    this.method = about.methods.indexOf(about.method);
    this.k = about.k;
    this.search = "";
    this.least = 0;
    this.onlySelected = false;
    this.shown = this.describedColumns();
    this.build();
    this.chooseMethod(this.method);
  }

  // -- numbers of a feature

  get methodName() { return this.about.methods[this.method]; }
  trialsOf(method) { return this.about.trials[this.about.methods[method]]; }
  chosen(method) { return this.columns[`chosen ${method} ${this.k}`]; }
  rank(method, row) { return this.columns[`rank ${method}`][row] || NaN; }
  share(method, row) { return this.chosen(method)[row] / this.trialsOf(method); }
  value(row) { return this.columns[`value ${this.method}`][row]; }
  direction(row) { return this.about.classes[this.columns.direction[row] - 1]; }

  nameOrder() {
    if (!this.placesOfNames) {
      const { compare } = new Intl.Collator("en", { numeric: true });
      const order = [...this.names.keys()].sort((a, b) => compare(this.names[a], this.names[b]));
      this.placesOfNames = new Uint32Array(order.length);
      order.forEach((row, place) => { this.placesOfNames[row] = place; });
    }
    return this.placesOfNames;
  }

  // What the table shows: of each column its heading, what it is sorted by (NaN comes last), and
  // the content of a cell.
  describedColumns() {
    const ranks = this.about.methods.map((name, number) => ({
      head: () => `rank\n${oneLine(name)}`,
      value: (row) => this.rank(number, row),
      cell: (row) => this.rankCell(number, row),
      method: number,
    }));
    return [
      { head: () => "feature", value: (row) => this.nameOrder()[row] },
      {
        head: () => `${this.about.value_names[this.methodName]}\n${oneLine(this.methodName)}`,
        down: true,
        value: (row) => this.value(row),
        cell: (row) => make("td", { class: "right" }, shownNumber(this.value(row))),
      },
      {
        head: () => `in top ${this.k}\n${oneLine(this.methodName)}`, down: true, left: true,
        value: (row) => this.share(this.method, row), cell: (row) => this.shareCell(row),
      },
      ...ranks,
      ...(this.about.effect ? [] : [{
        head: () => "higher in", left: true,
        value: (row) => this.columns.direction[row] || NaN,
        cell: (row) => make("td", {}, oneLine(this.direction(row) ?? UNKNOWN)),
      }]),
      {
        head: () => this.about.effect ?? "effect", down: true,
        value: (row) => this.columns.effect[row],
        cell: (row) => make("td", { class: "right" }, this.shownEffect(row)),
      },
    ];
  }

  shownEffect(row) {
    return shownNumber(this.columns.effect[row], (effect) => effect.toFixed(2));
  }

  // A rank with a dot after it, whose area is the share of trials, in tenths.
  rankCell(method, row) {
    const [rank, chosen] = [this.rank(method, row), this.chosen(method)[row]];
    const trials = this.trialsOf(method);
    const size = Math.ceil((SIZES * chosen) / trials) || 0;
    const cell = make("td", {}, Number.isNaN(rank) ? UNKNOWN : grouped(rank));
    cell.className = `right share dot${size} f${method % COLOURS}`;
    cell.classList.toggle("own", method === this.method);
    if (chosen) cell.title = `in the top ${this.k} of ${chosen} of ${counted(trials, "trial")}`;
    return cell;
  }

  shareCell(row) {
    const [chosen, trials] = [this.chosen(this.method)[row], this.trialsOf(this.method)];
    const full = Math.floor((DOTS * chosen) / trials) || 0;
    const dots = "●".repeat(full) + "○".repeat(DOTS - full);
    return make("td", {}, make("span", { "aria-hidden": "true" }, dots), ` ${chosen} of ${trials}`);
  }

  // -- what readers choose

  chooseMethod(number) {
    this.method = number;
    const trials = this.trialsOf(number);
    this.least = Math.min(this.least, trials);
    this.leastInput.max = trials;
    this.leastInput.value = this.least;
    this.leastTrials.textContent = `of ${counted(trials, "trial")}`;
    this.sortBy(this.shown.findIndex((column) => column.method === number), false);
  }

  chooseK(k) {
    this.k = k;
    this.sort();
  }

  // Sort by a column: its own way first, the other way the next time.
  sortBy(number, down) {
    this.sorted = number;
    this.down = down;
    this.sort();
  }

  toggleSort(number) {
    const own = Boolean(this.shown[number].down);
    this.sortBy(number, number === this.sorted ? !this.down : own);
  }

  sort() {
    const { value } = this.shown[this.sorted];
    const keys = Float64Array.from(this.names, (_, row) => value(row));
    const sign = this.down ? -1 : 1;
    this.order = Uint32Array.from(keys.keys()).sort((a, b) => {
      const [first, second] = [keys[a], keys[b]];
      if (first === second) return a - b;
      if (Number.isNaN(first)) return Number.isNaN(second) ? a - b : 1;
      return Number.isNaN(second) || sign * (first - second) < 0 ? -1 : 1;
    });
    this.filter();
  }

  filter() {
    const [wanted, chosen] = [folded(this.search), this.chosen(this.method)];
    this.matching = this.order.filter(
      (row) => chosen[row] >= this.least
        && (!this.onlySelected || this.selected[row])
        && this.folded[row].includes(wanted),
    );
    this.page = 0;
    this.render();
  }

  turn(pages) {
    const last = Math.max(0, Math.ceil(this.matching.length / ROWS_A_PAGE) - 1);
    this.page = Math.min(Math.max(this.page + pages, 0), last);
    this.render();
  }

  select(rows, on) {
    for (const row of rows) this.selected[row] = on;
    this.render();
  }

  // The rows stay, so that the keyboard keeps its place and a slip can be undone.
  tick(box) {
    this.selected[Number(box.value)] = box.checked;
    this.renderLabels();
  }

  // -- what they take home

  selectedRows() { return this.order.filter((row) => this.selected[row]); }

  bestRows() {
    const rank = (row) => this.rank(this.method, row);
    return [...this.order].filter((row) => rank(row) <= this.k).sort((a, b) => rank(a) - rank(b));
  }

  // The selected features, or else the best of the method.
  takenNames() {
    const rows = this.selectedRows();
    return (rows.length ? [...rows] : this.bestRows()).map((row) => this.names[row]);
  }

  command() {
    const [before, after] = this.about.commands[this.methodName];
    return `${before} ${this.k} ${after}`;
  }

  csv() {
    const { methods } = this.about;
    const kinds = (name) => ["rank", this.about.value_names[name], `share in top ${this.k}`];
    const heads = methods.flatMap((name) => kinds(name).map((kind) => `${kind} ${name}`));
    const selected = this.selectedRows();
    const rows = Array.from(selected.length ? selected : this.matching, (row) => [
      this.names[row],
      ...methods.flatMap((_, number) => [
        this.rank(number, row), this.columns[`value ${number}`][row], this.share(number, row),
      ]),
      ...(this.about.effect ? [] : [this.direction(row) ?? ""]),
      this.columns.effect[row],
    ]);
    const last = this.about.effect ? [this.about.effect] : ["higher in", "effect"];
    return csvText([["feature", ...heads, ...last], ...rows]);
  }

  exportCsv() {
    const address = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" }));
    make("a", { href: address, download: "features.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // Where the browser does not let a page copy, readers do it themselves.
  async copy(text) {
    this.copied.value = text;
    this.copied.rows = Math.min(text.split("\n").length, 8);
    this.copyPlace.hidden = false;
    try {
      await navigator.clipboard.writeText(text);
      this.copyStatus.textContent = "Copied:";
    } catch {
      this.copyStatus.textContent = "This browser blocks copying. Copy it from here:";
      this.copied.select();
    }
  }

  // -- elements

  build() {
    this.status = make("p", { role: "status", class: "note" });
    this.body = make("tbody", { change: ({ target }) => this.tick(target) });
    this.heads = this.shown.map((column, number) => this.headCell(column, number));
    const corner = make("td", {}, make("span", { class: "unseen" }, "selected"));
    const head = make("thead", {}, make("tr", {}, corner, ...this.heads));
    const region = { class: "scroll", tabindex: 0, role: "region", "aria-label": "Features" };
    this.place.replaceChildren(
      this.filters(), this.selectors(), this.takers(), this.copyParts(), this.status,
      make("div", region, make("table", {}, head, this.body)),
      this.pager(),
    );
  }

  headCell(column, number) {
    const button = this.button(() => this.toggleSort(number));
    return make("th", { scope: "col", class: this.side(column) }, button);
  }

  side(column) { return column.cell && !column.left ? "right" : undefined; }

  filters() {
    const { methods, n_features: counts } = this.about;
    const search = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    search.addEventListener("input", () => { this.search = search.value; this.filter(); });
    const method = choice(methods.map((name, number) => [number, oneLine(name)]), this.method,
      (number) => this.chooseMethod(Number(number)));
    const best = choice(counts.map((k) => [k, k]), this.k, (k) => this.chooseK(Number(k)));
    this.leastInput = make("input", { type: "number", min: 0, value: 0 });
    this.leastInput.addEventListener("input", () => {
      this.least = Number(this.leastInput.value) || 0;
      this.filter();
    });
    this.leastTrials = make("span");
    return make(
      "div", { class: "controls", role: "group", "aria-label": "Search and filter" },
      make("label", { class: "wide" }, "Search ", search),
      make("label", {}, "Method ", method),
      make("label", {}, "Top k ", best),
      make("label", {}, "Present in at least ", this.leastInput, " ", this.leastTrials),
    );
  }

  button(click, text = "") {
    return make("button", { type: "button", click }, text);
  }

  selectors() {
    this.clearButton = this.button(() => this.select(this.order, 0), "Clear selection");
    const only = make("input", { type: "checkbox" });
    only.addEventListener("change", () => { this.onlySelected = only.checked; this.filter(); });
    return make(
      "div", { class: "controls", role: "group", "aria-label": "Select" },
      this.button(() => this.select(this.matching, 1), "Select all that match"),
      this.clearButton,
      make("label", {}, only, " Only selected"),
    );
  }

  takers() {
    this.commandButton = this.button(() => this.copy(this.command()));
    this.pythonButton = this.button(() => this.copy(pythonCode(this.takenNames())));
    this.csvButton = this.button(() => this.exportCsv());
    return make(
      "div", { class: "controls", role: "group", "aria-label": "Copy and export" },
      this.commandButton, this.pythonButton, this.csvButton,
    );
  }

  copyParts() {
    this.copyStatus = make("p", { role: "status", class: "note" });
    const look = { readonly: "", "aria-label": "Text to copy", spellcheck: "false" };
    this.copied = make("textarea", look);
    const hidden = { class: "controls copied", hidden: "" };
    this.copyPlace = make("div", hidden, this.copyStatus, this.copied);
    return this.copyPlace;
  }

  pager() {
    this.before = this.button(() => this.turn(-1), "Previous");
    this.after = this.button(() => this.turn(1), "Next");
    this.places = make("span", { class: "note" });
    return make(
      "div", { class: "controls", role: "group", "aria-label": "Pages" },
      this.before, this.after, this.places,
    );
  }

  render() {
    const start = ROWS_A_PAGE * this.page;
    const rows = this.matching.subarray(start, start + ROWS_A_PAGE);
    this.body.replaceChildren(...Array.from(rows, (row) => this.rowOf(row)));
    this.renderHeads();
    this.renderPager(start, rows.length);
    this.renderLabels();
  }

  renderHeads() {
    this.heads.forEach((cell, number) => {
      const column = this.shown[number];
      cell.firstChild.textContent = column.head();
      cell.classList.toggle("own", column.method === this.method);
      if (number !== this.sorted) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", this.down ? "descending" : "ascending");
    });
  }

  // Buttons at an end keep the focus, so that the keyboard does not lose its place.
  renderPager(start, length) {
    const total = this.matching.length;
    this.before.setAttribute("aria-disabled", start === 0);
    this.after.setAttribute("aria-disabled", start + length >= total);
    this.places.textContent = length
      ? `${grouped(start + 1)} to ${grouped(start + length)} of ${grouped(total)}`
      : "";
  }

  // Labels that contain the number of selected features.
  renderLabels() {
    const [selected, matching] = [this.selectedRows().length, this.matching.length];
    const best = `top ${this.k} of ${oneLine(this.methodName)}`;
    const taken = `${grouped(selected)} selected`;
    const all = counted(this.names.length, "feature");
    this.status.textContent = `${grouped(matching)} of ${all} match`
      + (selected ? `, ${taken}.` : ".");
    this.commandButton.textContent = `Copy featrank select: ${best}`;
    this.commandButton.disabled = !this.about.commands[this.methodName];
    this.commandButton.title = this.commandButton.disabled
      ? "No command line reproduces the settings of this method."
      : "";
    this.pythonButton.textContent = `Copy Python: ${selected ? taken : best}`;
    this.csvButton.textContent = `Export CSV: ${counted(selected || matching, "feature")}`;
    this.clearButton.disabled = !selected;
  }

  rowOf(row) {
    const name = oneLine(this.names[row]);
    const box = make("input", { type: "checkbox", "aria-label": `Select ${name}`, value: row });
    box.checked = Boolean(this.selected[row]);
    const head = make("th", { scope: "row", dir: "auto" }, name);
    const cells = this.shown.slice(1).map((column) => column.cell(row));
    return make("tr", {}, make("td", {}, box), head, ...cells);
  }
}

// ---- Ranks by two methods -----------------------------------------------------------------

const POINTS = 500;
const LISTED = 50;
const PLOT = { left: 52, right: 410, bottom: 378, top: 26, least: 0.8 };

function draw(name, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// The scatter plot of ranks, redrawn for any two methods that the reader chooses.
class Scatter {
  constructor(figure, numbers, { about, columns }) {
    Object.assign(this, { figure, numbers, about, columns });
    const shown = JSON.parse(figure.dataset.methods);
    this.pair = shown.map((name) => about.methods.indexOf(name));
    const options = about.methods.map((name, number) => [number, oneLine(name)]);
    const chooser = (side, text) => make("label", {}, text, choice(options, this.pair[side],
      (value) => { this.pair[side] = Number(value); this.render(); }));
    figure.querySelector("figcaption").after(
      make("p", { class: "controls" }, chooser(0, "Ranks by "), chooser(1, " and by ")),
    );
  }

  render() {
    const [first, second] = this.pair.map((method) => this.columns[`rank ${method}`]);
    const names = this.pair.map((method) => oneLine(this.about.methods[method]));
    const best = (row) => Math.min(first[row], second[row]);
    const rows = [...this.columns.feature.keys()].filter((row) => first[row] && second[row]);
    rows.sort((a, b) => best(a) - best(b) || first[a] - first[b]);
    const shown = rows.slice(0, POINTS);
    const title = `Ranks by ${names[0]} and by ${names[1]}; 1 is best, both on logarithmic scales`;
    this.figure.querySelector("figcaption").textContent = title;
    this.renderPicture(shown, first, second, names, title);
    this.renderNumbers(shown, first, second, names);
  }

  renderPicture(rows, first, second, names, title) {
    const { left, right, bottom, top, least } = PLOT;
    const most = 1.2 * rows.reduce((far, row) => Math.max(far, first[row], second[row]), 2);
    const share = (rank) => Math.log(rank / least) / Math.log(most / least);
    const x = (rank) => (left + share(rank) * (right - left)).toFixed(2);
    const y = (rank) => (bottom - share(rank) * (bottom - top)).toFixed(2);
    const svg = this.figure.querySelector("svg");
    svg.setAttribute("aria-label", title);
    const nodes = [];
    for (let tick = 1; tick <= most; tick *= 10) {
      nodes.push(
        draw("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), class: "grid" }),
        draw("text", { x: left - 6, y: Number(y(tick)) + 4, "text-anchor": "end", class: "tick" },
          grouped(tick)),
        draw("text", { x: x(tick), y: bottom + 16, "text-anchor": "middle", class: "tick" },
          grouped(tick)),
      );
    }
    nodes.push(
      draw("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "axis" }),
      draw("line", { x1: left, y1: bottom, x2: right, y2: top, class: "mark" }),
      draw("text", { x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle",
        class: "label" }, `rank by ${names[0]}`),
      draw("text", { x: left - 40, y: top - 12, class: "label" }, `rank by ${names[1]}`),
    );
    for (const row of rows) {
      const dot = draw("circle", { cx: x(first[row]), cy: y(second[row]), r: 3, class: "dot f1" });
      const name = oneLine(this.columns.feature[row]);
      dot.append(draw("title", {}, `${name}: ${first[row]} and ${second[row]}`));
      nodes.push(dot);
    }
    svg.replaceChildren(...nodes);
  }

  renderNumbers(rows, first, second, names) {
    const heads = this.numbers.querySelectorAll("thead th");
    names.forEach((name, side) => { heads[side + 1].textContent = name; });
    this.numbers.querySelector("tbody").replaceChildren(...rows.slice(0, LISTED).map((row) =>
      make("tr", {}, make("td", {}, oneLine(this.columns.feature[row])),
        make("td", { class: "right" }, String(first[row])),
        make("td", { class: "right" }, String(second[row])))));
  }
}

function compareRanks(packed) {
  const figure = document.querySelector("figure[data-methods]");
  if (!figure) return;
  const numbers = [...document.querySelectorAll("#agree details")].pop();
  new Scatter(figure, numbers, packed);
}

async function explore() {
  const [place, data] = ["explorer", "explorer-data"].map((id) => document.getElementById(id));
  if (!place || !data || typeof DecompressionStream === "undefined") return;
  const packed = await unpacked(data.textContent);
  new Explorer(place, packed);
  compareRanks(packed);
}

explore();
