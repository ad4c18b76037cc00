"use strict";
/* The script of all pages: sorting tables, saving CSV files, printing, and the map of features.
   It uses no library and makes no network requests. Names are inserted as text, never as HTML. */
(() => {
  const $ = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  /* ---- tables ---- */

  const textOf = (cell) => cell.dataset.text ?? cell.textContent.trim();
  const valueOf = (cell) => {
    const text = cell.dataset.value ?? textOf(cell);
    const number = Number(text);
    return text === "" || text === "\u2013" ? null : Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b
      : String(a).localeCompare(String(b), undefined, { numeric: true });

  function sortBy(table, column, button) {
    const head = button.closest("th");
    const down = head.getAttribute("aria-sort") === "ascending";
    all("thead th", table).forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    /* Rows that can be expanded have a tbody each; other tables have one tbody. */
    const units = table.tBodies.length > 1 ? [...table.tBodies] : [...table.tBodies[0].rows];
    const parent = units[0].parentNode;
    const keyed = units.map((unit) => [valueOf((unit.rows ? unit.rows[0] : unit).cells[column]), unit]);
    keyed.sort(([a], [b]) =>
      a === null || b === null ? (a === null) - (b === null) : (down ? -1 : 1) * compare(a, b));
    keyed.forEach(([, unit]) => parent.append(unit));
  }

  all("table.sortable").forEach((table) => {
    all("thead th", table).forEach((head, column) => {
      if (head.getAttribute("aria-hidden") || !head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortBy(table, column, button));
      head.append(button);
    });
  });

  /* ---- CSV ---- */

  const quoted = (value) => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const csv = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";

  function save(name, rows) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff" + csv(rows)], { type: "text/csv" }));
    link.download = name + ".csv";
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function tableRows(table) {
    const shown = all("thead th", table).map((head) => !head.getAttribute("aria-hidden"));
    const rows = [table.tHead.rows[0], ...all("tbody > tr:not(.more)", table)];
    return rows.map((row) => [...row.cells].filter((_, k) => shown[k])
      .map((cell) => cell.dataset.text ?? cell.dataset.value ?? textOf(cell)));
  }

  all("button[data-csv]").forEach((button) => button.addEventListener("click", () =>
    save(button.dataset.csv, tableRows(document.getElementById(button.dataset.csv)))));

  /* ---- copying ---- */

  all("button[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    const box = document.getElementById(button.dataset.copy), label = button.textContent;
    getSelection().selectAllChildren(box);
    try {
      await navigator.clipboard.writeText(box.textContent);
      button.textContent = "Copied";
    } catch {
      /* Browsers refuse this in some local files; the text is marked and can be copied by hand. */
      button.textContent = document.execCommand("copy") ? "Copied" : "Marked: press Ctrl+C";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  }));

  /* ---- printing: folded parts are printed too ---- */

  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((each) => { each.open = false; }));

  /* ---- the map ---- */

  const source = document.getElementById("data");
  const canvas = document.getElementById("map");
  if (!source || !canvas) return;
  const data = JSON.parse(source.textContent);
  const map = data.map, points = map.points, names = points.name;
  const nChosen = data.names.length;
  const pen = canvas.getContext("2d"), kept = document.createElement("canvas");
  const tip = $("#tip"), about = $("#map-about"), view = $("#view"), find = $("#find");
  const pad = { left: 72, right: 16, top: 16, bottom: 46 };
  let selected = -1, hovered = -1, xs = [], ys = [], size = { width: 0, height: 0 };

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axes = () => view.value.split(",").map((k) => map.axes[k]);
  const share = (axis, value) => {
    const of = axis.is_log ? Math.log : Number;
    const at = (of(Math.max(value, axis.is_log ? axis.low : value)) - of(axis.low)) / (of(axis.high) - of(axis.low));
    return Math.min(Math.max(at, 0), 1);
  };

  function ticks(axis) {
    if (axis.is_log) {
      const found = [];
      const low = Math.floor(Math.log10(axis.low)), high = Math.floor(Math.log10(axis.high));
      const step = Math.max(1, Math.ceil((high - low) / 6));
      /* If the axis spans few powers of ten, the powers alone would be too few ticks. */
      const factors = axis.high / axis.low < 500 ? [1, 2, 5] : [1];
      for (let k = low; k <= high; k += step) factors.forEach((f) => found.push(f * 10 ** k));
      return found.filter((value) => value >= axis.low && value <= axis.high);
    }
    const span = axis.high - axis.low, power = 10 ** Math.floor(Math.log10(span / 6));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => span / s <= 7);
    const found = [];
    for (let k = Math.ceil(axis.low / step); k * step <= axis.high * 1.0000001; k++) found.push(k * step);
    return found;
  }
  const label = (value) => (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5)
    ? value.toExponential(0).replace("e-", "e\u2212").replace("e+", "e") : String(+value.toPrecision(3)));

  function place() {
    const [across, upwards] = axes();
    const width = size.width - pad.left - pad.right, height = size.height - pad.top - pad.bottom;
    xs = names.map((_, i) => pad.left + width * share(across, points[across.key][i]));
    ys = names.map((_, i) => pad.top + height * (1 - share(upwards, points[upwards.key][i])));
  }

  function drawAxes() {
    const [across, upwards] = axes();
    const right = size.width - pad.right, bottom = size.height - pad.bottom;
    pen.font = "12.5px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.strokeStyle = color("--line");
    pen.fillStyle = color("--quiet");
    pen.textAlign = "center";
    for (const value of ticks(across)) {
      const x = pad.left + (right - pad.left) * share(across, value);
      pen.beginPath(); pen.moveTo(x, pad.top); pen.lineTo(x, bottom + 4); pen.stroke();
      pen.fillText(label(value), x, bottom + 18);
    }
    pen.textAlign = "right";
    for (const value of ticks(upwards)) {
      const y = bottom - (bottom - pad.top) * share(upwards, value);
      pen.beginPath(); pen.moveTo(pad.left - 4, y); pen.lineTo(right, y); pen.stroke();
      pen.fillText(label(value), pad.left - 8, y + 4);
    }
    pen.textAlign = "center";
    pen.fillText(across.label, (pad.left + right) / 2, size.height - 8);
    pen.save();
    pen.translate(15, (pad.top + bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(upwards.label, 0, 0);
    pen.restore();
  }

  function drawDensity() {
    const [across, upwards] = axes();
    const found = map.densities.find((each) => each.across === across.key && each.upwards === upwards.key);
    if (!found) return;
    const rows = found.counts.length, columns = found.counts[0].length;
    const width = (size.width - pad.left - pad.right) / columns;
    const height = (size.height - pad.top - pad.bottom) / rows;
    const most = Math.max(...found.counts.map((row) => Math.max(...row)));
    pen.fillStyle = color("--bar");
    found.counts.forEach((row, r) => row.forEach((count, c) => {
      if (!count) return;
      pen.globalAlpha = 0.06 + 0.5 * Math.sqrt(count / most);
      pen.fillRect(pad.left + width * c, size.height - pad.bottom - height * (r + 1), width + 0.5, height + 0.5);
    }));
    pen.globalAlpha = 1;
  }

  const disc = (i, radius) => { pen.beginPath(); pen.arc(xs[i], ys[i], radius, 0, 2 * Math.PI); };

  function drawPoints() {
    const group = selected >= 0 ? points.group[selected] : 0;
    pen.fillStyle = color("--point");
    pen.globalAlpha = map.densities.length ? 0.25 : names.length > 6000 ? 0.35 : 0.5;
    for (let i = nChosen; i < names.length; i++) { disc(i, map.densities.length ? 1.6 : 2.4); pen.fill(); }
    pen.globalAlpha = 1;
    pen.fillStyle = color("--c5");
    for (let i = nChosen; i < names.length && group; i++) {
      if (points.group[i] === group) { disc(i, 4); pen.fill(); }
    }
    pen.font = "600 12.5px system-ui, sans-serif";
    pen.textAlign = "left";
    for (let i = nChosen - 1; i >= 0; i--) {
      pen.fillStyle = color("--chosen");
      pen.strokeStyle = color("--bg");
      pen.lineWidth = 1.5;
      disc(i, 5.5); pen.fill(); pen.stroke();
    }
    const written = [];
    for (let i = 0; i < nChosen; i++) {
      /* A number that would lie on another is left out; hovering shows the feature. */
      const right = xs[i] > size.width - pad.right - 26;
      const x = xs[i] + (right ? -8 : 8), y = ys[i] + (ys[i] < pad.top + 10 ? 12 : -5);
      const wide = 8 * String(i + 1).length + 3;
      if (written.some(([a, b]) => Math.abs(a - x) < wide && Math.abs(b - y) < 12)) continue;
      written.push([x, y]);
      pen.textAlign = right ? "right" : "left";
      /* Written twice: a halo in the color of the page makes the number readable over points. */
      pen.lineWidth = 3.5;
      pen.strokeStyle = color("--bg");
      pen.strokeText(i + 1, x, y);
      pen.fillStyle = color("--ink");
      pen.fillText(i + 1, x, y);
    }
  }

  function drawRings() {
    for (const i of [hovered, selected]) {
      if (i < 0) continue;
      pen.strokeStyle = color("--ink");
      pen.lineWidth = 2;
      disc(i, 9); pen.stroke();
    }
  }

  /* The parts that hovering does not change are kept as a picture, so thousands of points are drawn once. */
  function redrawRings() {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(kept, 0, 0);
    const dense = canvas.width / size.width;
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    drawRings();
  }

  function draw() {
    const box = canvas.getBoundingClientRect();
    if (!box.width) return;
    const dense = window.devicePixelRatio || 1;
    if (size.width !== box.width || size.height !== box.height || canvas.width !== Math.round(box.width * dense)) {
      size = { width: box.width, height: box.height };
      canvas.width = Math.round(box.width * dense);
      canvas.height = Math.round(box.height * dense);
    }
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, size.width, size.height);
    place();
    drawAxes();
    drawDensity();
    drawPoints();
    kept.width = canvas.width;
    kept.height = canvas.height;
    kept.getContext("2d").drawImage(canvas, 0, 0);
    drawRings();
  }

  function nearest(event) {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    let best = -1, least = 14 * 14;
    for (let i = 0; i < names.length; i++) {
      /* A chosen feature is preferred to others that are nearly as close. */
      const apart = (xs[i] - x) ** 2 + (ys[i] - y) ** 2 - (i < nChosen ? 20 : 0);
      if (apart < least) { least = apart; best = i; }
    }
    return best;
  }

  function describe(i) {
    const rank = points.group[i];
    const values = map.axes.map((axis) => axis.label.replace(" (degrees)", "") + " "
      + points[axis.key][i].toPrecision(3) + (axis.label.includes("degrees") ? "\u00b0" : "")).join(", ");
    const role = i < nChosen ? "Selected, rank " + (i + 1) + "."
      : rank ? "Not selected: " + data.names[rank - 1] + " (rank " + rank + ") stands for it."
        : "Not selected.";
    return names[i] + ". " + role + " " + values + ".";
  }

  function select(i, { scroll = false, focus = false } = {}) {
    selected = i;
    const rank = i < 0 ? 0 : points.group[i];
    all("#features tbody").forEach((body) => {
      const isPicked = Number(body.dataset.rank) === rank;
      body.classList.toggle("picked", isPicked);
      const button = $("button.pick", body);
      button.toggleAttribute("aria-current", isPicked);
      if (isPicked && focus) button.focus({ preventScroll: !scroll });
    });
    about.textContent = i < 0 ? "No feature is marked." : describe(i);
    draw();
  }

  canvas.addEventListener("pointermove", (event) => {
    const i = nearest(event);
    if (i !== hovered) { hovered = i; redrawRings(); }
    tip.hidden = i < 0;
    if (i < 0) return;
    tip.textContent = names[i];
    const left = xs[i] > size.width / 2;
    tip.style.left = left ? "auto" : xs[i] + 12 + "px";
    tip.style.right = left ? size.width - xs[i] + 12 + "px" : "auto";
    tip.style.top = ys[i] + 10 + "px";
  });
  canvas.addEventListener("pointerleave", () => { hovered = -1; tip.hidden = true; redrawRings(); });
  canvas.addEventListener("click", (event) => select(nearest(event)));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") select(-1);
    if (!step || !nChosen) return;
    event.preventDefault();
    const from = selected >= 0 && selected < nChosen ? selected : step > 0 ? -1 : nChosen;
    select((from + step + nChosen) % nChosen);
  });

  const picks = () => all("#features button.pick");
  picks().forEach((button) => {
    button.addEventListener("click", () => select(Number(button.dataset.rank) - 1));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const order = picks();
      const next = order[order.indexOf(button) + step];
      if (next) select(Number(next.dataset.rank) - 1, { scroll: true, focus: true });
    });
  });

  view.addEventListener("change", draw);
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const wanted = find.value.trim().toLowerCase();
    const lower = names.map((name) => name.toLowerCase());
    let i = lower.indexOf(wanted);
    if (i < 0) i = lower.findIndex((name) => name.includes(wanted));
    if (wanted && i >= 0) select(i);
    else about.textContent = "No feature on the map has this name.";
  });

  const sources = {
    map: () => [["name", ...map.axes.map((axis) => axis.key), "chosen_rank", "group_of_rank"],
      ...names.map((name, i) => [name, ...map.axes.map((axis) => points[axis.key][i]),
        i < nChosen ? i + 1 : "", points.group[i] || ""])],
    samples: () => {
      const { classes, outcome, values } = data.samples;
      return [["outcome", ...data.names.slice(0, values.length)],
        ...outcome.map((each, k) => [classes ? classes[each] : each, ...values.map((row) => row[k])])];
    },
  };
  all("button[data-csv-of]").forEach((button) => button.addEventListener("click", () =>
    save(button.dataset.csvOf, sources[button.dataset.csvOf]())));

  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  matchMedia("print").addEventListener("change", draw);
  addEventListener("beforeprint", draw);
  addEventListener("afterprint", draw);
  draw();
})();
