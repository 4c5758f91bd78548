// Inside the search: its simulations one by one in four phases, the growing tree, two methods side by
// side on one position and seed, and how both converge.

import { ask, listen, trying } from "./ask.js";
import { board, lineArrows } from "./board.js";
import { chart, names } from "./chart.js";
import { button, card, check, choice, field, h, key, put } from "./dom.js";
import { keysOf, leastVisits, treeAfter, withPath } from "./growing.js";
import { decimals, short } from "./moves.js";
import { Method } from "./setting.js";
import { outcome } from "./play.js";
import { place, state, watch } from "./state.js";
import { ACROSS, treePicture } from "./tree.js";

const PHASES = [
  ["select", "1 Selection", "walk down by score"],
  ["grow", "2 Expansion", "add a position"],
  ["roll", "3 Playout", "finish the game at random"],
  ["back", "4 Backup", "count the result"],
];
const LENGTHS = ["25", "50", "100", "200", "400"];
const BUDGETS = [["1000", "1,000"], ["10000", "10,000"], ["100000", "100,000"], ["1000000", "1,000,000"]];
const wishes = { second: true, steps: "100", others: "rave", budget: "10000" };
const ofTree = (method) => method.tree;

export function view(main) {
  const inside = new Inside(main);
  return () => inside.end();
}

class Inside {
  constructor(main) {
    this.at = 0; // simulations that are complete
    this.phase = 0; // of the next one
    this.timer = null;
    this.panels = [];
    this.methods = [new Method(state.method, () => this.load(), ofTree),
      new Method(wishes.others, () => { wishes.others = this.methods[1].text(); this.load(); }, ofTree)];
    this.boxes = Object.fromEntries(["controls", "panels", "curves"].map((name) => [name, h("div", { id: name })]));
    // After a click with the mouse, Space is to go on and not to press the same button again.
    this.boxes.controls.addEventListener("click", (event) => { if (event.detail) document.activeElement.blur(); });
    put(main, h("div", { class: "stack" },
      card("One simulation after the other", this.introduction(), this.boxes.controls),
      this.boxes.panels, card("Convergence and regret", this.asking(), this.boxes.curves)));
    this.unwatch = watch(() => this.load());
    this.load();
  }

  end() {
    this.unwatch();
    this.pause();
    this.stopCurves();
  }

  introduction() {
    return h("p", { class: "soft" }, `${capital(outcome(state.shown))}. A tree search repeats four phases. `,
      "Here they are slowed down: the plain-Python twin of the engine plays them, and it agrees with the engine visit for visit. ",
      "Space goes on by one phase, the arrow keys by one simulation.");
  }

  // The simulations

  async load() {
    this.pause();
    const wanted = wishes.second ? this.methods : this.methods.slice(0, 1);
    if (state.shown.result !== null) {
      put(this.boxes.panels, card(null, h("p", {}, "The game is over: take moves back in the first view.")));
      return;
    }
    const found = await trying(() => Promise.all(wanted.map((method) =>
      ask("steps", { ...place(), method: method.text(), steps: Number(wishes.steps) }))));
    if (!found) return;
    this.at = 0;
    this.phase = 0;
    this.panels = found.map((each, index) => new Panel(each, this.methods[index]));
    this.drawControls();
    put(this.boxes.panels, h("div", { class: `views${found.length > 1 ? " even" : ""}` }, this.panels.map((panel) => panel.box)));
    this.draw();
  }

  get length() {
    return this.panels[0]?.found.steps.length ?? 0;
  }

  drawControls() {
    this.now = h("b", { id: "now", class: "mono" });
    this.slider = h("input", { type: "range", min: 0, max: this.length, value: "0", "aria-label": "simulation", input: () => this.to(Number(this.slider.value), 0) });
    this.runner = button("Run", () => this.toggleRun(), { id: "run", class: "main" });
    this.phases = PHASES.map(([name, title, told], index) => h("button", { type: "button", class: name,
      "data-phase": name, click: () => this.to(Math.min(this.at, this.length - 1), index) }, title, h("small", {}, told)));
    put(this.boxes.controls, h("div", { class: "phases" }, this.phases),
      h("div", { class: "bar" }, button("|◀", () => this.to(0, 0), { title: "to the beginning" }),
        button("◀ simulation", () => this.to(this.at - (this.phase ? 0 : 1), 0)),
        button("phase ▶", () => this.next(), { id: "phase" }),
        button("simulation ▶", () => this.to(this.at + 1, 0), { id: "step" }), this.runner,
        button("▶|", () => this.to(this.length, 0), { title: "to the end" }), this.now), this.slider,
      h("div", { class: "bar" }, field("simulations", choice(LENGTHS.map((n) => [n, n]), wishes.steps, (n) => { wishes.steps = n; this.load(); })),
        check("two methods side by side", wishes.second, (on) => { wishes.second = on; this.load(); })),
      h("p", {}, key("hot", "colour of a node: its mean, brown 0 to green 1"), key("select", "the walk"), key("grow", "the new position"), key("roll", "the random game and its result"), key("back", "what is counted")));
    document.onkeydown = (event) => this.keyed(event);
  }

  keyed(event) {
    if (event.target.closest("input, select, textarea, button") && event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    if (event.target.closest("input, select, textarea")) return;
    const acts = { " ": () => this.next(), ArrowRight: () => this.to(this.at + 1, 0), ArrowLeft: () => this.to(this.at - 1, 0) };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  next() {
    if (this.at >= this.length) return this.pause();
    if (this.phase < PHASES.length - 1) this.to(this.at, this.phase + 1);
    else this.to(this.at + 1, 0);
  }

  to(at, phase) {
    this.at = Math.max(0, Math.min(this.length, at));
    this.phase = this.at === this.length ? 0 : phase;
    this.draw();
  }

  toggleRun() {
    if (this.timer) return this.pause();
    if (this.at === this.length) this.to(0, 0);
    this.runner.textContent = "Pause";
    this.timer = setInterval(() => { this.to(this.at + 1, 0); if (this.at === this.length) this.pause(); }, 160);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.runner) this.runner.textContent = "Run";
  }

  draw() {
    const shown = this.at < this.length;
    this.now.textContent = shown ? `simulation ${this.at + 1} of ${this.length}` : `all ${this.length} simulations`;
    this.slider.value = String(this.at);
    this.phases.forEach((each, index) => each.setAttribute("aria-pressed", String(shown && index === this.phase)));
    for (const panel of this.panels) panel.draw(this.at, shown ? PHASES[this.phase][0] : null);
  }

  // Convergence

  asking() {
    const budget = choice(BUDGETS, wishes.budget, (value) => { wishes.budget = value; });
    return h("div", {}, h("p", { class: "soft" }, "The engine searches the position by the same methods and the same seed. The curves show how the visits move to the best move; the regret is what the move that is best so far gives away, if the position can be solved."),
      h("div", { class: "bar" }, field("playouts", budget), button("Show the curves", () => this.curves(), { id: "converge", class: "main" })));
  }

  stopCurves() {
    for (const close of this.closing || []) close();
    this.closing = [];
    document.onkeydown = null;
  }

  async curves() {
    this.stopCurves();
    document.onkeydown = (event) => this.keyed(event);
    const { shown } = state;
    if (shown.result !== null) return;
    const wanted = wishes.second ? this.methods : this.methods.slice(0, 1);
    const boxes = wanted.map(() => h("div", { class: "card curve-of" }));
    const told = h("p", { class: "soft" }, "solving ...");
    const regrets = h("div", {});
    put(this.boxes.curves, h("div", { class: `views${boxes.length > 1 ? " even" : ""}` }, boxes), told, regrets);
    const playouts = Number(wishes.budget);
    const found = await trying(() => ask("exact", { ...place(), nodes: 500000 }));
    const exact = found?.values;
    told.textContent = exact ? "" : "This position cannot be solved quickly, so there is no regret to show: try a small board, or a position near the end.";
    const all = wanted.map(() => []);
    wanted.forEach((method, index) => {
      const asked = { ...place(), method: method.text(), playouts, every: Math.max(1, Math.floor(playouts / 60)), seconds: 60 };
      this.closing.push(listen("analysed", asked, (result) => {
        all[index].push(result);
        drawShares(boxes[index], all[index]);
        if (exact) drawRegrets(regrets, all, exact, wanted);
      }));
    });
  }
}

/** Shares of the visits of the moves that end up with most. */
function drawShares(box, results) {
  const last = results[results.length - 1];
  const curves = last.moves.slice(0, 6).map(({ move }) => ({ name: move, points: results.map((result) => {
    const all = result.moves.reduce((sum, row) => sum + row.visits, 0) || 1;
    return [result.playouts, (result.moves.find((row) => row.move === move)?.visits ?? 0) / all];
  }) }));
  put(box, h("h3", {}, `${last.method}: shares of the visits`), chart({ curves, x: "playouts", y: "share of the visits", logarithmic: true, label: short }), names(curves));
}

function drawRegrets(box, all, exact, methods) {
  const best = Math.max(...Object.values(exact));
  const curves = all.map((results, index) => ({ name: methods[index].text(),
    points: results.map((result) => [result.playouts, best - exact[result.move]]) })).filter((curve) => curve.points.length);
  const right = Object.keys(exact).filter((move) => exact[move] === best);
  put(box, h("h3", {}, "Regret of the best move so far"), h("p", { class: "soft" }, `Solved: ${right.length === Object.keys(exact).length ? "all moves are worth the same" : `best is ${right.join(", ")}`}, worth ${best}.`),
    chart({ curves, x: "playouts", y: "regret", logarithmic: true, label: short }), names(curves));
}

/** One method: its tree, what the phase does in words, the board. */
class Panel {
  constructor(found, method) {
    this.found = found;
    this.folded = new Set();
    this.drawn = null;
    this.parts = Object.fromEntries(["tree", "told", "board", "table"].map((name) => [name, h("div", { class: name === "told" ? "told" : name === "tree" ? "scroll tree-of" : `${name}-of` })]));
    this.box = h("section", { class: "card panel" }, h("h2", {}, found.method), method.box, this.parts.told,
      this.parts.tree, h("div", { class: "pair" }, this.parts.board, this.parts.table));
  }

  draw(at, phase) {
    this.drawn = [at, phase];
    const step = phase ? this.found.steps[at] : null;
    const counted = phase === "back" ? at + 1 : at;
    const root = treeAfter(this.found.steps, counted, state.shown.turn);
    const path = step ? (phase === "select" && step.grown ? step.path.slice(0, -1) : step.path) : [];
    withPath(root, path);
    const keys = new Set(keysOf(path));
    if (step) keys.add("");
    const lit = { keys, phase, fresh: step?.path.join(" "), result: step?.result };
    const room = this.parts.tree.clientWidth || 600;
    const least = leastVisits(root, Math.max(6, Math.floor(room / ACROSS) - 2));
    put(this.parts.tree, treePicture(root, { least, room, folded: this.folded, lit,
      toggle: (each) => { if (!this.folded.delete(each)) this.folded.add(each); this.draw(...this.drawn); } }));
    this.lookAt(lit.fresh);
    put(this.parts.told, step ? told(step, phase) : h("p", {}, "All simulations are counted. The most visited move is the answer."));
    const rows = step && phase === "roll" ? step.end : step && phase !== "select" ? step.leaf : null;
    const marks = step ? { rows, arrows: phase === "roll" ? [] : lineArrows(step.path, state.shown) } : {};
    put(this.parts.board, board(state.shown, marks), h("p", { class: "soft" }, captionOf(step, phase)));
    put(this.parts.table, step && phase === "select" ? choices(step) : standing(this.found, counted));
  }

  /** Scroll a wide tree to a node. */
  lookAt(key) {
    const { tree } = this.parts;
    const node = key === undefined ? null : [...tree.querySelectorAll(".node")].find((each) => each.dataset.key === key);
    if (node && tree.scrollWidth > tree.clientWidth) {
      const at = (Number(node.getAttribute("cx")) / tree.firstChild.viewBox.baseVal.width) * tree.scrollWidth;
      tree.scrollLeft = at - tree.clientWidth / 2;
    }
  }
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);

function captionOf(step, phase) {
  if (!step) return "the position";
  if (phase === "roll") return `the end of the random game, after ${step.playout.length} moves`;
  return phase === "select" ? "the walk, on the first position" : "where the walk ends";
}

function told(step, phase) {
  const walk = step.path.join(" ");
  const isEvaluated = ![0, 0.5, 1].includes(step.result); // an evaluation ended the playout
  const winner = isEvaluated ? `an evaluation of ${step.result.toFixed(2)} for ${state.shown.sides[0]}`
    : step.result === 0.5 ? "nobody wins" : `${state.shown.sides[step.result === 1 ? 0 : 1]} wins`;
  const gain = isEvaluated ? "this value for the side that made it" : `a win for ${step.result === 0.5 ? "nobody" : "the moves of the winner"}`;
  const words = {
    select: `From the root the move with the highest score is followed, position after position: ${walk}.`,
    grow: step.grown ? `The walk leaves the tree with ${step.path[step.path.length - 1]}: this position becomes a new node.` : "The game ends here, so nothing is added.",
    roll: step.playout.length ? `From there both sides play ${step.playout.length} random moves: ${winner}.` : `The result is known here: ${winner}.`,
    back: `The result counts for every move of the walk: a visit, and ${gain}.${besides(step)}`,
  };
  return h("p", {}, words[phase]);
}

/** What AMAF counts besides, if the method has it. */
function besides(step) {
  const later = step.amaf.filter((move) => move !== step.path[0]);
  if (!later.length || !("amaf" in step.choices[0].moves[0])) return "";
  return ` At the root AMAF counts it for ${later.join(", ")} too, which ${state.shown.sides[state.shown.turn]} played later.`;
}

const HEADS = { visits: "visits", mean: "mean", bonus: "+ bonus", amaf_visits: "AMAF visits", amaf: "AMAF", beta: "beta", score: "= score" };

/** What each choice of the walk was made of. */
function choices(step) {
  return step.choices.slice(0, 3).map(({ moves, others }, depth) => {
    const heads = Object.keys(HEADS).filter((name) => name in moves[0]);
    return h("div", { class: "scroll" }, h("h3", {}, depth ? `after ${step.path.slice(0, depth).join(" ")}` : "at the root"),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "move"), heads.map((name) => h("th", {}, HEADS[name])))),
        h("tbody", {}, moves.map((row) => h("tr", { class: row.chosen ? "lit" : null }, h("td", {}, row.chosen ? h("b", {}, row.move) : row.move),
          heads.map((name) => h("td", {}, row[name] === null ? (name === "score" ? "untried: first" : "") : Number.isInteger(row[name]) && name.includes("visits") ? String(row[name]) : decimals(row[name]))))))),
      others ? h("p", { class: "soft" }, `and ${others} more moves`) : null);
  });
}

/** Visits and means of the moves at the root so far. */
function standing(found, counted) {
  if (!counted) return h("p", { class: "soft" }, "Nothing is counted yet.");
  const rows = found.steps[counted - 1].root.map(([visits, mean], index) => ({ move: found.moves[index], visits, mean }))
    .sort((one, other) => other.visits - one.visits || other.mean - one.mean).slice(0, 8);
  return h("div", { class: "scroll" }, h("h3", {}, "at the root"), h("table", {},
    h("thead", {}, h("tr", {}, ["move", "visits", "mean"].map((name) => h("th", {}, name)))),
    h("tbody", {}, rows.map((row, index) => h("tr", { class: index ? null : "lit" }, h("td", {}, row.move), h("td", {}, String(row.visits)), h("td", {}, row.visits ? decimals(row.mean) : ""))))));
}
