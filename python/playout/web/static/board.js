// The board as SVG: men, last move, values on squares, arrows; a click or a key plays a move.

import { s } from "./dom.js";

const SIDE = 48;
const EDGE = 24;

/**
 * A picture of a position. `marks`: {heat, arrows, rows: other men}; `act` is called with the move
 * that is played. `picture.remark(marks)` changes the marks alone, while a move is being picked.
 */
export function board(shown, marks = {}, act = null) {
  const rows = marks.rows || shown.rows;
  const width = shown.files.length * SIDE + 2 * EDGE;
  const height = rows.length * SIDE + 2 * EDGE;
  const picture = s("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, role: "group",
    "aria-label": `board, ${shown.caption}` });
  labels(picture, shown, height, width);
  rows.forEach((row, y) => [...row].forEach((man, x) => square(picture, shown, man, y, x, marks)));
  const signs = s("g");
  const above = s("g");
  picture.append(signs, above);
  picture.remark = ({ heat = [], arrows = [] }) => above.replaceChildren(...heat.map(colour),
    ...men(rows, heat), ...arrows.map(drawn), ...heat.flatMap(figures));
  picture.remark(marks);
  if (act) new Picking(picture, signs, shown, act);
  return picture;
}

const at = ([y, x]) => [EDGE + (x + 0.5) * SIDE, EDGE + (y + 0.5) * SIDE];

function labels(picture, shown, height, width) {
  shown.files.forEach((name, x) => {
    const place = EDGE + (x + 0.5) * SIDE;
    picture.append(s("text", { class: "edge", x: place, y: height - 8 }, name),
      s("text", { class: "edge", x: place, y: 16 }, name));
  });
  shown.ranks.forEach((name, y) => {
    const place = EDGE + (y + 0.5) * SIDE + 4;
    picture.append(s("text", { class: "edge", x: EDGE / 2, y: place }, name),
      s("text", { class: "edge", x: width - EDGE / 2, y: place }, name));
  });
}

function square(picture, shown, man, y, x, marks) {
  const box = { x: EDGE + x * SIDE, y: EDGE + y * SIDE, width: SIDE, height: SIDE };
  picture.append(s("rect", { ...box, fill: shown.colours[(x + y) % 2] }));
  const marked = marks.rows ? [] : shown.marked;
  if (marked.some(([row, column]) => row === y && column === x)) {
    picture.append(s("rect", { ...box, class: "mark" }));
  }
  if (man === "w" || man === "b") picture.append(disc(man, y, x));
}

function disc(man, y, x) {
  const [cx, cy] = at([y, x]);
  return s("circle", { class: `man ${man}`, cx, cy, r: SIDE * 0.39 });
}

/** The men on coloured squares once more, above the colour. */
function men(rows, heat) {
  return heat.map(({ square: [y, x] }) => [rows[y][x], y, x])
    .filter(([man]) => man === "w" || man === "b").map((each) => disc(...each));
}

const MIX = { low: [166, 97, 26], even: [250, 250, 245], high: [1, 133, 113] };

/** The colour of a value: brown for a loss, white for even, green for a win. */
export function colourOf(value) {
  const off = Math.max(-1, Math.min(1, 2 * value - 1));
  const end = off > 0 ? MIX.high : MIX.low;
  const share = Math.sqrt(Math.abs(off));
  return `rgb(${MIX.even.map((part, i) => Math.round(part + (end[i] - part) * share)).join(",")})`;
}

function colour(heat) {
  const [y, x] = heat.square;
  return s("rect", { class: "heat", x: EDGE + x * SIDE, y: EDGE + y * SIDE, width: SIDE,
    height: SIDE, fill: colourOf(heat.value), "fill-opacity": 0.45 + 0.5 * heat.weight });
}

function figures(heat) {
  const [x, y] = at(heat.square);
  const label = s("text", { class: "figure", x, y: y + (heat.note ? 1 : 5) }, heat.label);
  return heat.note ? [label, s("text", { class: "figure note", x, y: y + 14 }, heat.note)] : [label];
}

/** An arrow from square to square, or a ring; numbered if it is part of a line. */
function drawn({ squares, weight = 0.4, kind = "", number = "" }) {
  const group = s("g", { class: `arrow ${kind}` });
  if (!squares.length) return group;
  const [x1, y1] = at(squares[0]);
  const [x2, y2] = at(squares[squares.length - 1]);
  const wide = 2 + 8 * weight;
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) {
    group.append(s("circle", { cx: x1, cy: y1, r: SIDE * 0.46 - wide / 3, "stroke-width": 2 + 3.5 * weight }));
  } else {
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const head = 7 + wide;
    const [bx, by] = [x2 - head * dx, y2 - head * dy];
    group.append(s("line", { x1, y1, x2: bx, y2: by, "stroke-width": wide }),
      s("polygon", { points: `${x2},${y2} ${bx - 0.6 * head * dy},${by + 0.6 * head * dx} ` +
        `${bx + 0.6 * head * dy},${by - 0.6 * head * dx}` }));
  }
  if (number) {
    group.append(s("circle", { class: "disc", cx: x2, cy: y2, r: 10 }),
      s("text", { class: "number", x: x2, y: y2 + 4 }, String(number)));
  }
  return group;
}

/** The squares that a line of moves enters, as numbered arrows. */
export function lineArrows(line, shown) {
  return line.map((move, index) => ({ squares: named(shown, move), kind: "line", weight: 0.2,
    number: index + 1 })).filter((arrow) => arrow.squares.length).reverse();
}

/** The squares that a move names: those of a legal move, or by file and rank. */
export function named(shown, move) {
  const legal = shown.legal.find((each) => each.move === move);
  if (legal) return legal.squares;
  return [...move.matchAll(/([a-z])(\d+)/g)]
    .map(([, file, rank]) => [shown.ranks.indexOf(rank), shown.files.indexOf(file)])
    .filter(([y, x]) => y >= 0 && x >= 0);
}

/** Choosing a move on the board: one square, or a man and then where it goes. */
class Picking {
  constructor(picture, signs, shown, act) {
    this.legal = shown.legal.filter((each) => each.squares.length);
    this.act = act;
    this.from = null;
    this.signs = signs;
    this.hits = s("g");
    shown.rows.forEach((row, y) => [...row].forEach((_, x) => this.hits.append(this.hit(shown, y, x))));
    picture.append(this.hits);
    this.draw();
  }

  /** The moves whose square number `index` is this one, of those that fit what was picked. */
  fitting(y, x) {
    const index = this.from ? 1 : 0;
    return this.legal.filter(({ squares }) => squares[index] && squares[index][0] === y &&
      squares[index][1] === x && (!this.from || same(squares[0], this.from)));
  }

  hit(shown, y, x) {
    const pick = () => this.pick(y, x);
    const name = `${shown.files[x]}${shown.ranks[y]}`;
    const starts = this.legal.some(({ squares }) => squares.some((each) => same(each, [y, x])));
    return s("rect", { class: `hit${starts ? " can" : ""}`, "data-square": name, x: EDGE + x * SIDE,
      y: EDGE + y * SIDE, width: SIDE, height: SIDE, click: pick, role: starts ? "button" : null,
      tabindex: starts ? 0 : null, "aria-label": starts ? name : null,
      keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(); } } });
  }

  pick(y, x) {
    let found = this.fitting(y, x);
    if (!found.length && this.from) {
      this.from = null;
      found = this.fitting(y, x);
    }
    const last = this.from ? 2 : 1;
    const whole = found.find(({ squares }) => squares.length === last);
    if (whole) this.act(whole.move);
    else this.from = found.length ? [y, x] : null;
    if (!whole) this.draw();
  }

  draw() {
    const index = this.from ? 1 : 0;
    const ends = this.legal.filter(({ squares }) => squares.length === index + 1 &&
      (!this.from || same(squares[0], this.from)));
    this.signs.replaceChildren(...ends.map(({ squares }) => {
      const [cx, cy] = at(squares[index]);
      return s("circle", { class: "open", cx, cy, r: 6 });
    }));
    if (this.from) {
      const [cx, cy] = at(this.from);
      this.signs.append(s("circle", { class: "here", cx, cy, r: SIDE * 0.42 }));
    }
  }
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];
