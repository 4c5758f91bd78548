// Review: the value after every move, the losses ranked, and each mistake to try again.

import { ask, listen, trying } from "./ask.js";
import { board, named } from "./board.js";
import { chart } from "./chart.js";
import { button, card, choice, field, h, put, save } from "./dom.js";
import { exchange } from "./exchange.js";
import { decimals } from "./moves.js";
import { go, place, player, state, watch } from "./state.js";

const FAULTS = ["blunder", "mistake", "inaccuracy"];
const EFFORTS = [["500", "quick"], ["3000", "careful"], ["20000", "deep"]];
const wishes = { playouts: "3000" };
let kept = null; // the last review and the game it is of

export function view(main, open) {
  const reviewing = new Reviewing(main, open);
  return () => reviewing.end();
}

class Reviewing {
  constructor(main, open) {
    this.open = open;
    this.box = h("div", { class: "stack", id: "reviewed" });
    this.bar = h("div", { class: "bar" });
    this.reading = h("details", {}, h("summary", {}, "Read a game"), exchange());
    put(main, h("div", { class: "stack" },
      card("Review a game", h("p", { class: "soft" }, "Every position of the game is searched, from the end back. As long as positions can be solved, their values are exact. The loss of a move is what it gave away, in expected results: 1 is a whole game."), this.bar,
        this.reading),
      this.box));
    this.unwatch = watch(() => this.draw());
    this.draw();
  }

  end() {
    this.unwatch();
    if (this.close) this.close();
  }

  get game() {
    return [...state.shown.moves, ...state.future].join(" ");
  }

  asked() {
    const names = state.names ? { players: state.names } : {};
    return { ...place(), ...names, moves: this.game.split(" ").filter(Boolean), playouts: Number(wishes.playouts) };
  }

  draw() {
    const n = this.game.split(" ").filter(Boolean).length;
    this.reading.open = !n; // a game that was read makes room
    put(this.bar, field("search", choice(EFFORTS, wishes.playouts, (value) => { wishes.playouts = value; })),
      button(n ? `Review these ${n} moves` : "No moves to review yet", () => this.run(), { class: "main", id: "begin-review", disabled: !n }),
      kept?.of === this.game ? [button("Save as a page", () => this.save("html"), { id: "save-html" }), button("Save as JSON", () => this.save("json"))] : null);
    if (kept?.of === this.game) this.show(kept.review);
    else put(this.box);
  }

  run() {
    if (this.close) this.close();
    const of = this.game;
    const line = h("progress", { max: 1, value: 0 });
    put(this.box, card(null, h("p", {}, "searching ..."), line));
    this.close = listen("reviewed", this.asked(), (event) => {
      if (event.of) line.setAttribute("value", String(event.done / event.of));
      if (event.review) {
        kept = { of, review: event.review };
        this.draw();
      }
    });
  }

  async save(kind) {
    const found = await trying(() => ask("page", this.asked()));
    if (found) save(`review.${kind}`, kind === "html" ? "text/html" : "application/json", found[kind]);
  }

  show(review) {
    const { sides } = state.shown;
    const points = review.values.map((value, ply) => [ply, value]);
    const worst = review.worst.map((ply) => review.moves[ply - 1]);
    this.place = h("div", { id: "place" });
    put(this.box,
      state.names ? h("p", { id: "players" }, h("b", {}, `${player(0)} — ${player(1)}`)) : null,
      h("div", { class: "views two" },
        card("Here", this.place),
        card(`Expected result of ${sides[0]}, move by move`, chart({ curves: [{ name: sides[0], points }], x: "moves played", y: "expected result", pick: (ply) => this.at(review, Math.min(ply, review.moves.length - 1)) }),
          h("p", { class: "soft" }, `Click a point to see the position. 1 is a win of ${sides[0]}, 0 one of ${sides[1]}.`), summary(review, sides))),
      card("Losses, the largest first", worst.length ? h("div", { class: "mistakes" }, worst.slice(0, 12).map((move) => this.mistake(move))) : h("p", {}, "No mistakes were found.")),
      card("All moves", allMoves(review, sides, (index) => this.at(review, index))));
    this.at(review, (worst[0]?.ply ?? 1) - 1);
  }

  /** The position before a move, with the move and the better one. */
  async at(review, index) {
    const move = review.moves[index];
    const moves = review.moves.slice(0, index).map((each) => each.move);
    const shown = await trying(() => ask("position", { ...place(), moves }));
    if (!shown) return;
    const arrows = [{ squares: named(shown, move.move), weight: 0.35 }];
    if (move.best !== move.move) arrows.push({ squares: named(shown, move.best), weight: 0.35, kind: "best" });
    put(this.place, board(shown, { arrows }), h("div", { class: `feedback ${move.word}` }, h("b", {}, `${move.number} ${move.move}: ${move.word}`), words(move)),
      h("p", { class: "soft" }, "Blue: what was played. Orange: the best move."),
      button("Try again from here", () => this.again(moves), { id: "again", class: "main" }));
  }

  /** Play this position against the strongest. */
  async again(moves) {
    const turn = moves.length ? null : state.shown.turn;
    if (!(await go(moves, []))) return;
    state.players = ["best@1s", "best@1s"];
    state.players[turn ?? state.shown.turn] = "you";
    this.open("play");
  }

  mistake(move) {
    const moves = kept.review.moves.slice(0, move.ply - 1).map((each) => each.move);
    return h("div", { class: `feedback ${move.word}` }, h("b", {}, `${move.number} ${move.move}`), words(move),
      h("div", {}, button("Show", () => this.at(kept.review, move.ply - 1)), " ", button("Try again", () => this.again(moves))));
  }
}

function words(move) {
  const sure = move.exact ? ", for certain" : "";
  if (move.move === move.best) return `, worth ${decimals(move.before)}${sure}`;
  const because = move.why.length ? ` (${move.why.join("; ")})` : "";
  return `, a loss of ${decimals(move.loss)}${sure}. Better: ${move.line.slice(0, 5).join(" ")}${because}.`;
}

function summary(review, sides) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["side", "moves", "mean loss", ...FAULTS.map((word) => `${word}s`.replace("ys", "ies"))].map((name) => h("th", {}, name)))),
    h("tbody", {}, sides.map((side, turn) => {
      const own = review.moves.filter((move) => move.turn === turn);
      const mean = own.reduce((sum, move) => sum + move.loss, 0) / (own.length || 1);
      return h("tr", {}, h("td", {}, side), h("td", {}, String(own.length)), h("td", {}, decimals(mean)), FAULTS.map((word) => h("td", {}, String(own.filter((move) => move.word === word).length))));
    }))));
}

function allMoves(review, sides, pick) {
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["move", "side", "worth", "best", "worth of best", "loss", "", "certain"].map((name) => h("th", {}, name)))),
    h("tbody", {}, review.moves.map((move, index) => h("tr", { class: FAULTS.includes(move.word) ? "lit" : null },
      h("td", {}, button(`${move.number} ${move.move}`, () => pick(index), { class: "link" })), h("td", {}, sides[move.turn]), h("td", {}, decimals(move.after)),
      h("td", {}, move.best), h("td", {}, decimals(move.before)), h("td", {}, decimals(move.loss)), h("td", {}, move.word), h("td", {}, move.exact ? "yes" : ""))))));
}
