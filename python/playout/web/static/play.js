// Play and analyse: the board, the live search, the game, the position editor, games in and out.

import { ask, listen, trying } from "./ask.js";
import { board, lineArrows } from "./board.js";
import { clocks } from "./clock.js";
import { button, card, check, choice, field, h, put } from "./dom.js";
import { editor } from "./editor.js";
import { exchange } from "./exchange.js";
import { joined, legend, marksOf, MovesTable, short } from "./moves.js";
import { Method, playerOptions } from "./setting.js";
import { back, forth, game, go, place, play, player, show, showGame, state, watch, writeLink } from "./state.js";

const SOON = 150; // milliseconds before a search begins, so that moves in quick succession start none
const wishes = { live: true, feedback: false, drawn: "values", seconds: 10 };

export function view(main, open) {
  const playing = new Playing(main);
  return () => playing.end();
}

class Playing {
  constructor(main) {
    this.boxes = Object.fromEntries(["players", "board", "told", "buttons", "moves", "rules", "live", "table"]
      .map((name) => [name, h("div", { id: name })]));
    this.clocks = clocks(() => this.flag());
    this.asked = 0; // the number of the newest search; answers to older ones are dropped
    const { boxes } = this;
    this.notes = h("div", {});
    this.table = new MovesTable((move) => { this.lit = move; this.mark(); }, (move) => this.mayMove && this.yours(move));
    this.method = new Method(state.method, () => this.changed());
    put(main, h("div", { class: "views two" },
      h("div", { class: "stack" },
        card(null, boxes.players, boxes.board, boxes.told, boxes.buttons),
        card("The game", boxes.moves, h("details", {}, h("summary", {}, "How it is played"), boxes.rules))),
      h("div", { class: "stack" },
        card("What the search thinks", this.settings(), boxes.live, boxes.table),
        card(null, h("details", {}, h("summary", {}, "Edit the position"), editor())),
        card(null, h("details", {}, h("summary", {}, "Games in and out"), exchange())))));
    this.unwatch = watch(() => this.draw());
    this.draw();
  }

  end() {
    this.unwatch();
    this.clocks.stop();
    this.stop();
    this.asked += 1;
  }

  settings() {
    const seconds = choice([["2", "2 s"], ["10", "10 s"], ["60", "60 s"]], String(wishes.seconds),
      (value) => { wishes.seconds = Number(value); this.search(); });
    const seed = h("input", { type: "number", min: 0, value: String(state.seed), "aria-label": "seed",
      change: () => { state.seed = Math.max(0, Math.floor(Number(seed.value)) || 0); writeLink(); this.search(); } });
    const drawn = choice([["values", "values and arrows"], ["arrows", "arrows"], ["none", "nothing"]],
      wishes.drawn, (value) => { wishes.drawn = value; this.mark(); });
    return h("div", {}, this.method.box, h("div", { class: "bar" }, field("search for", seconds),
      field("seed", seed), field("on the board", drawn),
      check("search live", wishes.live, (on) => { wishes.live = on; this.search(); })));
  }

  changed() {
    state.method = this.method.text();
    writeLink();
    this.search();
  }

  // What changes with the position

  draw() {
    const { shown } = state;
    this.lit = null;
    this.rows = [];
    this.exact = null;
    if (!game().methods.includes(this.method.kind)) this.method.read(state.method);
    put(this.boxes.players, this.players());
    this.picture = board(shown, {}, this.mayMove ? (move) => this.yours(move) : null);
    put(this.boxes.board, this.picture);
    put(this.boxes.buttons, this.buttons());
    put(this.boxes.moves, movesOf(shown));
    put(this.boxes.rules, h("p", {}, game().rules));
    this.clocks.turn(shown.result === null && state.lost === null ? shown.turn : null);
    this.search();
    this.askPlayer();
  }

  get mayMove() {
    return state.shown.result === null && state.lost === null && state.players[state.shown.turn] === "you";
  }

  players() {
    const { shown } = state;
    const options = playerOptions();
    const lists = shown.sides.map((side, turn) => field(`${player(turn)} (${shown.counts[turn]} men)`,
      choice(options, state.players[turn], (value) => {
        state.players[turn] = value;
        wishes.live = wishes.live && state.players.every((each) => each === "you");
        this.draw();
      }, { "aria-label": side })));
    const games = choice(state.games.map((each) => [each.name, each.title]), shown.game, (name) => this.start({ game: name }), { "aria-label": "game" });
    return [h("div", { class: "bar" }, field("game", games), this.sizes(), lists), this.clocks.box,
      h("p", { id: "turn" }, h("b", {}, outcome(shown)), h("span", { class: "soft" }, `, after ${shown.moves.length} moves`))];
  }

  sizes() {
    const { shown } = state;
    const rows = h("input", { type: "number", min: 3, max: 9, value: String(shown.rows.length), "aria-label": "rows" });
    const columns = h("input", { type: "number", min: 3, max: 9, value: String(shown.files.length), "aria-label": "columns" });
    rows.classList.add("tiny");
    columns.classList.add("tiny");
    const change = () => this.start({ game: shown.game, rows: Number(rows.value), columns: Number(columns.value) });
    rows.addEventListener("change", change);
    columns.addEventListener("change", change);
    return [field("rows", rows), field("columns", columns)];
  }

  async start(asked) {
    const shown = await trying(() => ask("position", asked));
    if (!shown) return;
    if (shown.game !== state.shown.game) state.players = ["you", "you"];
    showGame(shown);
  }

  buttons() {
    const { shown, future } = state;
    const undo = state.players.includes("you") && state.players.some((each) => each !== "you") && shown.moves.length > 1 ? 2 : 1;
    return h("div", { class: "bar" },
      button("Undo", () => { this.asked += 1; back(undo); }, { disabled: !shown.moves.length, id: "undo" }),
      button("Redo", () => forth(), { disabled: !future.length }),
      button("To the start", () => go([]), { disabled: !shown.moves.length }),
      button("Hint", () => this.hint(), { disabled: shown.result !== null, id: "hint" }),
      ...shown.legal.filter((each) => !each.squares.length && this.mayMove).map((each) => button(each.move, () => this.yours(each.move), { class: "main" })),
      check("comment on my moves", wishes.feedback, (on) => { wishes.feedback = on; }));
  }

  // Moves

  async yours(move) {
    put(this.boxes.told);
    const before = state.shown.turn;
    if (await play(move)) {
      this.clocks.moved(before);
      if (wishes.feedback) await this.judge();
    }
  }

  async judge() {
    const asked = place();
    const found = await trying(() => ask("judged", asked));
    if (!found) return;
    const lost = found.loss > 0 ? `, it gives away ${found.loss.toFixed(2)}${found.exact ? " for certain" : ""}` : "";
    const better = found.move === found.best ? "" : ` Better: ${found.line.slice(0, 5).join(" ")}${why(found.why)}.`;
    put(this.boxes.told, h("div", { class: `feedback ${found.word}`, id: "feedback" },
      h("b", {}, `${found.move}: ${found.word}`), `${lost}${why(found.played)}.${better}`));
  }

  async hint() {
    put(this.boxes.told, h("p", { class: "soft" }, "thinking ..."));
    const found = await trying(() => ask("hint", place()));
    if (!found) return;
    put(this.boxes.told, h("div", { class: "feedback good", id: "hinted" }, h("b", {}, `Try ${found.move}`),
      `: worth ${found.value.toFixed(2)} to ${state.shown.sides[state.shown.turn]}${why(found.reasons)}. It may go on ${found.line.slice(1, 5).join(" ") || "no further"}.`));
    this.picture.remark({ arrows: lineArrows(found.line.slice(0, 4), state.shown) });
  }

  /** If a method is to move, ask for its move; drop the answer if the position has changed. */
  async askPlayer() {
    const number = this.asked += 1;
    const { shown } = state;
    const asked = state.players[shown.turn];
    if (asked === "you" || shown.result !== null || state.lost !== null) return;
    const found = await trying(() => ask("move", { ...place(), method: asked }));
    if (!found || number !== this.asked) return;
    this.clocks.moved(shown.turn);
    show(found.position, []);
    if (!wishes.feedback) put(this.boxes.told, h("p", { class: "soft" },
      `${shown.sides[shown.turn]} played ${found.result.move}, worth ${found.result.value.toFixed(2)} to it.`));
  }

  /** The side to move has lost on time: the game ends here. */
  flag() {
    state.lost = state.shown.turn;
    this.asked += 1;
    this.draw();
    put(this.boxes.told, h("div", { class: "feedback blunder", id: "flag" }, h("b", {}, outcome(state.shown)),
      ". Take a move back to go on without a clock, or begin a new game."));
  }

  // The live search

  stop() {
    if (this.close) this.close();
    this.close = null;
  }

  search() {
    this.stop();
    const { shown } = state;
    put(this.boxes.table);
    this.rows = [];
    this.mark();
    if (!wishes.live || shown.result !== null) {
      put(this.boxes.live, h("p", { class: "soft" }, shown.result !== null ? "The game is over." : "The search is off."));
      return;
    }
    put(this.boxes.live, h("p", { class: "soft" }, "searching ..."));
    const asked = { ...place(), method: this.method.text(), seconds: wishes.seconds };
    let close = null;
    const begin = setTimeout(() => {
      close = listen("analysed", asked, (result) => this.take(result, shown), () => this.solve(asked, shown));
    }, SOON);
    this.close = () => { clearTimeout(begin); close?.(); };
  }

  /** When the search has ended: the exact values, if they can be found quickly. */
  async solve(asked, shown) {
    if (state.shown !== shown || !this.rows.length) return;
    const found = await trying(() => ask("exact", asked));
    if (!found?.values || state.shown !== shown) return;
    this.exact = found.values;
    this.take(this.result, shown);
  }

  take(result, shown) {
    this.result = result;
    this.rows = joined(result, shown, this.exact);
    const work = result.playouts ? `${result.playouts.toLocaleString("en")} playouts` : `${result.nodes.toLocaleString("en")} nodes, depth ${result.depth}`;
    const rate = short(Math.round((result.playouts || result.nodes) / Math.max(result.seconds, 1e-3)));
    put(this.boxes.live, h("p", { id: "effort", class: "mono" }, h("b", {}, result.move),
      ` is best so far, ${work} of ${result.method} in ${result.seconds.toFixed(1)} s (${rate}/s)`,
      result.reason === "running" ? "" : `, ended: ${result.reason}`));
    this.drawTable();
    this.mark();
  }

  drawTable() {
    if (!this.table.box.isConnected) put(this.boxes.table, this.table.box, this.notes);
    this.table.update(this.rows, state.sources, this.result.points);
    put(this.notes, this.result.points ? h("p", { class: "soft" }, "Values are points of the evaluation.") : legend(this.rows),
      h("p", { class: "soft" }, "Rest on a move to see the expected line on the board; its name plays it."));
  }

  /** Draw values and arrows, or the line of the move under the pointer. */
  mark() {
    if (!this.picture) return;
    const row = this.rows.find((each) => each.move === this.lit);
    if (row) return this.picture.remark({ arrows: lineArrows(row.line, state.shown) });
    const marks = this.rows.length && wishes.drawn !== "none" ? marksOf(this.rows, state.shown, this.result.points) : {};
    this.picture.remark(wishes.drawn === "arrows" ? { arrows: marks.arrows } : marks);
  }
}

const why = (reasons) => reasons.length ? `: it ${reasons.join(", and ")}`.replace(": it the ", ": the ").replace(": it one ", ": one ").replace(": it there", ": there") : "";

export function outcome(shown) {
  if (state.lost !== null) return `${shown.sides[state.lost]} has lost on time: ${shown.sides[1 - state.lost]} has won`;
  if (shown.result === null) return `${shown.sides[shown.turn]} to move`;
  return shown.result === 0.5 ? "a draw" : `${shown.sides[shown.result === 1 ? 0 : 1]} has won`;
}

/** The moves of the game; a click goes there. */
export function movesOf(shown) {
  const future = state.future;
  const all = [...shown.moves, ...future];
  if (!all.length) return h("p", { class: "soft" }, "No moves yet: click a man or a square on the board, or a move in the table.");
  return h("div", { class: "moves" }, all.map((move, index) => [
    index % game().numbered ? " " : h("span", { class: "soft" }, ` ${index / game().numbered + 1}. `),
    button(move, () => go(all.slice(0, index + 1), all.slice(index + 1)), { class: index + 1 === shown.moves.length ? "now" : "" })]));
}
