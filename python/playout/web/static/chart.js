// A chart of lines: values from 0 to 1 over a count of playouts or over the moves of a game.

import { h, s } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [560, 220, 44, 12, 12, 40];
export const COLOURS = ["#2f7fc4", "#d9822b", "#3f9a5f", "#a855b8", "#c0483f", "#6b7f8c", "#b59a1f", "#3aa3a8"];

/** `curves`: [{name, points: [[x, y]], colour}]; x may be logarithmic; `levels`: [[y, name]]. */
export function chart({ curves, x, y, logarithmic = false, levels = [], pick = null, label = String }) {
  const points = curves.flatMap((curve) => curve.points);
  const scale = (value) => logarithmic ? Math.log10(Math.max(1, value)) : value;
  const xs = points.map(([value]) => scale(value));
  const [low, high] = [logarithmic ? Math.floor(Math.min(...xs)) : 0, Math.max(...xs, 1)];
  const top = Math.max(1, ...points.map(([, value]) => value));
  const across = (value) => LEFT + ((scale(value) - low) / (high - low || 1)) * (WIDTH - LEFT - RIGHT);
  const up = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const picture = s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": y });
  for (const value of [0, 0.25, 0.5, 0.75, 1].map((part) => part * top)) {
    picture.append(s("line", { class: value === 0.5 ? "even" : "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: up(value), y2: up(value) }),
      s("text", { x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, value.toFixed(2)));
  }
  for (const value of ticks(low, high, logarithmic)) {
    picture.append(s("text", { x: across(value), y: HEIGHT - BOTTOM + 20, "text-anchor": "middle" }, label(value)));
  }
  picture.append(s("text", { x: WIDTH - RIGHT, y: HEIGHT - 3, "text-anchor": "end" }, x));
  for (const [value, name] of levels) {
    picture.append(s("line", { class: "even", x1: LEFT, x2: WIDTH - RIGHT, y1: up(value), y2: up(value) }),
      s("text", { x: WIDTH - RIGHT, y: up(value) - 4, "text-anchor": "end" }, name));
  }
  curves.forEach((curve, index) => {
    const colour = curve.colour || COLOURS[index % COLOURS.length];
    picture.append(s("polyline", { class: "curve", stroke: colour,
      points: curve.points.map(([a, b]) => `${across(a).toFixed(1)},${up(b).toFixed(1)}`).join(" ") },
      s("title", {}, curve.name)));
    if (pick) {
      for (const [a, b] of curve.points) {
        picture.append(s("circle", { class: "dot", fill: colour, cx: across(a), cy: up(b), r: 4.5,
          click: () => pick(a) }, s("title", {}, `${label(a)}: ${b.toFixed(3)}`)));
      }
    }
  });
  return picture;
}

function ticks(low, high, logarithmic) {
  if (logarithmic) return Array.from({ length: Math.floor(high) - low + 1 }, (_, i) => 10 ** (low + i));
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => (high - low) / each <= 12) || 200;
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, i) => i * step);
}

/** What the colours of a chart stand for. */
export function names(curves) {
  return h("p", {}, curves.map((curve, index) => {
    const dot = h("i");
    dot.style.color = curve.colour || COLOURS[index % COLOURS.length];
    return h("span", { class: "key" }, dot, curve.name);
  }));
}
