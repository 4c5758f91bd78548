// The table of moves: a value for every legal move, with its interval and where it comes from.

import { h, key, put, s } from "./dom.js";

const WIDE = 130;
export const short = (n) => n >= 1e6 ? `${(n / 1e6).toFixed(1)}M` : n >= 1e4 ? `${Math.round(n / 1e3)}k` :
  n >= 1e3 ? `${(n / 1e3).toFixed(1)}k` : String(n);
export const decimals = (value) => value === null || value === undefined ? "" : value.toFixed(3);

const COLUMNS = [ // head, the cell of a row, whether any row has it
  ["visits", (row) => row.visits?.toLocaleString("en"), "visits"],
  ["share", (row, all) => row.visits === undefined ? "" : `${Math.round((100 * row.visits) / all)} %`, "visits"],
  ["nodes", (row) => row.nodes?.toLocaleString("en"), "nodes"],
  ["mean", (row) => decimals(row.mean), "mean"],
  ["AMAF", (row) => decimals(row.amaf_mean), "amaf_mean"],
  ["beta", (row) => decimals(row.beta), "beta"],
  ["evaluation", (row) => decimals(row.evaluation), "evaluation"],
  ["exact", (row) => decimals(row.exactly), "exactly"],
];
const FROM = { proven: "proven", mean: "playouts", amaf_mean: "AMAF", value: "look-ahead", "": "nothing yet" };

/** The rows of a result, with the evaluation and the exact value of each move. */
export function joined(result, shown, exact) {
  const byMove = new Map(shown.legal.map((each) => [each.move, each]));
  return result.moves.filter((row) => byMove.has(row.move)).map((row) => ({ ...row,
    evaluation: byMove.get(row.move).evaluation ?? undefined,
    exactly: exact?.[row.move] }));
}

/**
 * The table. Its rows stay while their numbers change, so that they can be pointed at and clicked.
 * `light` is called with the move under the pointer, and with null when it leaves.
 */
export class MovesTable {
  constructor(light, act) {
    this.light = light;
    this.act = act;
    this.head = h("tr", {});
    this.body = h("tbody", {});
    this.lines = new Map(); // the row of each move
    this.box = h("div", { class: "scroll" }, h("table", { class: "values" }, h("thead", {}, this.head), this.body));
  }

  update(rows, sources, points) {
    const all = rows.reduce((sum, row) => sum + (row.visits || 0), 0) || 1;
    const shown = COLUMNS.filter(([, , name]) => rows.some((row) => row[name] !== undefined && row[name] !== null));
    put(this.head, h("th", {}, "move"), h("th", { class: "text" }, "value"), h("th", {}, ""),
      h("th", { class: "text" }, "from"), shown.map(([head]) => h("th", {}, head)));
    const moves = new Set(rows.map((row) => row.move));
    for (const [move, line] of this.lines) {
      if (!moves.has(move)) {
        line.remove();
        this.lines.delete(move);
      }
    }
    const focused = document.activeElement;
    rows.forEach((row, index) => {
      const line = this.line(row.move);
      line.title = sources[row.source] || "";
      while (line.children.length > 1) line.lastChild.remove();
      line.append(h("td", { class: "text" }, points ? "" : valueBar(row)),
        h("td", {}, points ? row.worth.toFixed(1) : decimals(row.worth)),
        h("td", { class: "text soft" }, row.exactly === undefined ? FROM[row.source] ?? row.source : "solved"),
        ...shown.map(([, cell]) => h("td", {}, cell(row, all) ?? "")));
      if (this.body.children[index] !== line) this.body.insertBefore(line, this.body.children[index] ?? null);
    });
    if (this.body.contains(focused)) focused.focus(); // a row that moves loses it
  }

  /** The row of a move, made if there is none yet. */
  line(move) {
    if (!this.lines.has(move)) {
      this.lines.set(move, h("tr", { "data-move": move, mouseenter: () => this.light(move),
        mouseleave: () => this.light(null), focusin: () => this.light(move), focusout: () => this.light(null) },
      h("td", {}, h("button", { type: "button", class: "link", click: () => this.act(move), title: `play ${move}` }, move))));
    }
    return this.lines.get(move);
  }
}

/** A bar from 0 to 1, with a line for the interval and a tick for the evaluation. */
export function valueBar(row) {
  const end = WIDE * Math.max(0, Math.min(1, row.worth));
  const parts = [s("rect", { class: "rail", width: WIDE, height: 16 })];
  const kind = row.source === "value" ? "value-points" : row.source === "amaf_mean" ? "amaf" : row.source;
  if (row.source) parts.push(s("rect", { class: kind, y: 3, width: end, height: 7 }));
  if (row.amaf_mean !== undefined && row.amaf_mean !== null) {
    parts.push(s("rect", { class: "amaf", y: 11, width: WIDE * row.amaf_mean, height: 3 }));
  }
  if (row.error) {
    const low = Math.max(0, end - WIDE * row.error);
    const high = Math.min(WIDE, end + WIDE * row.error);
    parts.push(s("line", { class: "interval", x1: low, x2: high, y1: 6.5, y2: 6.5 }));
  }
  if (row.evaluation !== undefined) {
    const x = WIDE * row.evaluation;
    parts.push(s("line", { class: "evaluation", x1: x, x2: x, y1: 1, y2: 12 }));
  }
  parts.push(s("line", { class: "middle", x1: WIDE / 2, x2: WIDE / 2, y1: 0, y2: 16 }));
  return s("svg", { class: "value", viewBox: `0 0 ${WIDE} 16`, width: WIDE, height: 16, role: "img",
    "aria-label": `${row.move}: ${row.worth.toFixed(3)}` }, parts);
}

export function legend(rows) {
  const has = (name) => rows.some((row) => row[name] !== undefined && row[name] !== null);
  return h("p", {}, has("mean") ? key("mean", "mean of the playouts") : null,
    rows.some((row) => row.error) ? key("interval", "95 % interval") : null,
    has("amaf_mean") ? key("amaf", "AMAF") : null,
    rows.some((row) => row.source === "value") ? key("weight", "look-ahead (bar)") : null,
    has("evaluation") ? key("weight", "evaluation (tick)") : null,
    rows.some((row) => row.source === "proven") ? key("hot", "proven") : null,
    h("span", { class: "soft" }, "0 is a loss, 1 a win for the side to move."));
}

/** Values as colours on the squares where moves end; arrows for the most visited moves. */
export function marksOf(rows, shown, points) {
  const heat = new Map();
  const most = Math.max(1, ...rows.map((row) => row.visits ?? 1));
  const squaresOf = new Map(shown.legal.map((each) => [each.move, each.squares]));
  for (const row of rows) {
    const squares = squaresOf.get(row.move) || [];
    const end = squares[squares.length - 1];
    if (!end || points || !row.source || heat.has(String(end))) continue;
    heat.set(String(end), { square: end, value: row.worth, weight: Math.sqrt((row.visits ?? most) / most),
      label: row.worth >= 0.995 ? "1" : row.worth < 0.005 ? "0" : row.worth.toFixed(2).slice(1),
      note: row.visits === undefined ? "" : short(row.visits) });
  }
  const total = rows.reduce((sum, row) => sum + (row.visits || 0), 0) || 1;
  const arrows = rows.slice(0, 5).map((row, index) => ({ squares: squaresOf.get(row.move) || [],
    weight: row.visits === undefined ? 0.5 : row.visits / total, kind: index ? "" : "best" }))
    .filter((arrow) => arrow.squares.length && arrow.weight > 0.02).reverse();
  return { heat: [...heat.values()], arrows };
}
