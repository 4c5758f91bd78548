// Choosing a method, its settings and a limit.

import { choice, field, h, put } from "./dom.js";
import { game } from "./state.js";

/** The methods of the game as options; `only` keeps those that it accepts. */
export function methodOptions(only = () => true) {
  return game().methods.filter(only).map((each) => [each.name, each.name === "best" ? "the strongest" : each.text.replace(/\(\)$/, "")]);
}

/** The players of the game as options: you, the levels, and methods with one second a move. */
export function playerOptions() {
  return [["you", "you"],
    ...game().levels.map(({ name, player }) => [name, `${name} — ${player}`]),
    ["best@1s", "the strongest, 1 s a move"],
    ...game().methods.filter((each) => each.playouts && each.name !== "best").map((each) => [`${each.name}@0.5s`, `${each.name}, ½ s a move`])];
}

/** A method with sliders. `text()` is what the server reads; `act` is called after a change. */
export class Method {
  constructor(text, act, only) {
    this.only = only;
    this.act = act;
    this.box = h("div", { class: "stack" });
    this.read(text);
  }

  read(text) {
    const [name] = text.split("(");
    const known = game().methods.filter(this.only || (() => true));
    const of = (wanted) => known.find((each) => each.name === wanted);
    this.kind = of(name.trim().toLowerCase()) || of(USUAL) || known[0];
    this.changed = new Map();
    for (const { name: setting } of this.kind.sliders) {
      const found = text.match(new RegExp(`\\b${setting}=([0-9.e+-]+)`));
      if (found && Number.isFinite(Number(found[1]))) this.changed.set(setting, Number(found[1]));
    }
    this.draw();
  }

  text() {
    if (!this.changed.size) return this.kind.name;
    return `${this.kind.name}(${[...this.changed].map(([name, value]) => `${name}=${plain(value)}`).join(", ")})`;
  }

  draw() {
    const list = choice(methodOptions(this.only), this.kind.name, (name) => { this.read(name); this.act(); });
    put(this.box, h("div", { class: "bar" }, field("method", list)),
      h("div", { class: "sliders" }, this.kind.sliders.map((each) => this.slider(each))));
  }

  slider({ name, value, least, most, multiplies }) {
    const now = this.changed.get(name) ?? value;
    const to = (x) => multiplies ? Math.log10(x) : x;
    const from = (x) => multiplies ? Number((10 ** x).toPrecision(2)) : x;
    const told = h("output", {}, plain(now));
    const set = (x) => { this.changed.set(name, from(Number(x))); told.textContent = plain(from(Number(x))); };
    const line = h("input", { type: "range", min: to(least), max: to(most), "aria-label": name,
      step: multiplies ? 0.1 : most > 10 ? 10 : 0.05, value: String(to(now)),
      input: () => set(line.value), change: () => this.act() });
    return h("label", { title: EXPLAINED[name] || "" }, h("span", {}, `${name} = `, told, h("span", { class: "soft" }, ` ${EXPLAINED[name] || ""}`)), line);
  }
}

const USUAL = "uct"; // the method if a link names one that the game does not have

const EXPLAINED = {
  c: "explore more",
  bias: "trust AMAF less",
  ref: "visits before own AMAF counts",
};

const plain = (value) => String(Number(value.toPrecision(3)));
