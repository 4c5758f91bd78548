// A tidy drawing of a growing tree: leaves side by side, parents above the middle of their children.

import { colourOf } from "./board.js";
import { s } from "./dom.js";

export const ACROSS = 40; // pixels between two leaves
const [DOWN, TOP, LEFT] = [84, 26, 30];
const LARGEST = 1.6;
const NAME = 13; // the height of a node's move, and of the number of its hidden children

/**
 * Draw a tree; `room`: the width of the page for it, in pixels. `lit`: {keys: Set, phase, fresh: the key of the new node, playout: its result seen by
 * the first player}; `folded`: keys whose children are hidden; `toggle` folds or unfolds one.
 */
export function treePicture(root, { least, room, folded, lit, toggle }) {
  const placed = [];
  let leaves = 0;

  function place(at, parent) {
    const all = [...at.children.values()].sort((one, other) => other.visits - one.visits);
    const kept = folded.has(at.key) ? [] : all.filter((each) => each.visits >= least || lit.keys.has(each.key));
    const drawn = { at, parent, hidden: all.length - kept.length, x: 0, y: at.depth };
    placed.push(drawn);
    const below = kept.map((each) => place(each, drawn));
    drawn.x = below.length ? (below[0].x + below[below.length - 1].x) / 2 : leaves++;
    return drawn;
  }

  place(root, null);
  const deepest = Math.max(...placed.map((each) => each.y));
  const rolls = lit.phase === "roll" || lit.phase === "back";
  const width = LEFT * 2 + Math.max(4, leaves - 1) * ACROSS;
  const height = TOP * 2 + deepest * DOWN + (rolls ? 64 : 26);
  const offset = (width - (leaves - 1) * ACROSS) / 2;
  const point = (each) => [offset + each.x * ACROSS, TOP + each.y * DOWN];
  const zoom = Math.max(1, Math.min(LARGEST, room / width)); // a small tree is drawn larger
  const picture = s("svg", { class: "tree", viewBox: `0 0 ${width} ${height}`, width: width * zoom, height: height * zoom,
    role: "img", "aria-label": `the tree after ${root.visits} simulations` });
  placed.filter((each) => each.parent).forEach((each) => picture.append(...link(each, point, root, lit)));
  placed.forEach((each) => picture.append(...dot(each, point, root, lit, folded, toggle)));
  const fresh = placed.find((each) => each.at.key === lit.fresh);
  if (rolls && fresh) picture.append(...roll(point(fresh), lit.result));
  return picture;
}

function link(each, point, root, lit) {
  const [x1, top] = point(each.parent);
  const [x2, y2] = point(each);
  const y1 = top + radius(each.parent.at, root) + (each.parent.hidden ? 2 : 1) * NAME; // below the parent's name
  const middle = (y1 + y2) / 2;
  const on = lit.keys.has(each.at.key) && lit.phase;
  const wide = 1 + 9 * (each.at.visits / Math.max(1, root.visits));
  const curve = s("path", { class: `link${on ? (lit.phase === "back" ? " back" : " on") : ""}`,
    d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`, "stroke-width": on ? null : wide.toFixed(1) });
  const count = each.at.visits > 0
    ? s("text", { class: "count", x: x2 + 8, y: y2 - radius(each.at, root) - 4 }, String(each.at.visits)) : null;
  return [curve, count].filter(Boolean);
}

const radius = (at, root) => 5 + 11 * Math.sqrt(at.visits / Math.max(1, root.visits));

function dot(each, point, root, lit, folded, toggle) {
  const { at, hidden } = each;
  const [cx, cy] = point(each);
  const r = radius(at, root);
  const mean = at.depth && at.visits ? at.wins / at.visits : null;
  const kinds = ["node"];
  if (at.key === lit.fresh && lit.phase && lit.phase !== "select") kinds.push(lit.phase === "back" ? "back" : "new");
  else if (lit.keys.has(at.key) && lit.phase) kinds.push(lit.phase === "back" ? "back" : "on");
  const told = `${at.move || "root"}: ${at.visits} visits${mean === null ? "" : `, mean ${mean.toFixed(3)} to the player who made the move`}`;
  const circle = s("circle", { class: kinds.join(" "), "data-key": at.key, cx, cy, r,
    fill: mean === null ? "#8a9399" : colourOf(mean), click: () => toggle(at.key) }, s("title", {}, told));
  const name = s("text", { x: cx, y: cy + r + 12, "text-anchor": "middle" }, at.move || "root");
  const more = hidden ? s("text", { class: "count", x: cx, y: cy + r + 23, "text-anchor": "middle" },
    folded.has(at.key) ? `+${hidden} ▸` : `+${hidden}`) : null;
  return [circle, name, more].filter(Boolean);
}

/** The random game below the new node, and its result. */
function roll([x, y], result) {
  const zigzag = `M${x} ${y + 26}l7 6l-14 6l14 6l-7 5`;
  const words = result === 1 ? "1" : result === 0 ? "0" : "½";
  return [s("path", { class: "roll", d: zigzag }),
    s("circle", { cx: x, cy: y + 62, r: 11, fill: colourOf(result), stroke: "var(--roll)", "stroke-width": 2.5 }),
    s("text", { x, y: y + 66, "text-anchor": "middle", class: "result" }, words)];
}
