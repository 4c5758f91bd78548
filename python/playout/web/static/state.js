// The game that the page shows, and its link. All views share it.

import { ask, trying } from "./ask.js";

export const state = {
  games: [], // the registry
  sources: {}, // where values come from, in words
  shown: null, // the position on the board, as the server describes it
  future: [], // moves that were taken back and can be played again
  method: "uct",
  seed: 1,
  players: ["you", "you"], // of the first side and the second
  view: "play",
  names: null, // of the players, if the game was read from text that has them
  lost: null, // the side whose time is over
};

const watchers = new Set();
const beginners = []; // called when another game is shown

/** Call a function after every change of the position. Returns a function that ends that. */
export function watch(act) {
  watchers.add(act);
  return () => watchers.delete(act);
}

export function game() {
  return state.games.find((each) => each.name === state.shown.game);
}

/** A side, with its player's name if that is known. */
export const player = (turn) => state.shown.sides[turn] + (state.names ? `, ${state.names[turn]}` : "");

/** What every request says of the position. */
export function place() {
  return { game: state.shown.game, start: state.shown.start, moves: state.shown.moves, seed: state.seed };
}

export async function begin() {
  const found = await ask("games", {});
  state.games = found.games;
  state.sources = found.sources;
  await follow();
}

/** Show the position that the link of the page names. */
export async function follow() {
  const link = new URLSearchParams(location.hash.slice(1));
  state.view = link.get("view") || state.view;
  const name = link.get("game") || state.games[0].name;
  const moves = (link.get("moves") || "").split(/[\s,]+/).filter(Boolean);
  const seed = Number.parseInt(link.get("seed") ?? "1", 10);
  state.method = link.get("method") || state.method;
  state.seed = Number.isSafeInteger(seed) && seed >= 0 ? seed : 1;
  const asked = { game: name, start: link.get("start") || "", moves };
  const shown = await trying(() => ask("position", asked));
  showGame(shown || (await ask("position", { game: state.games[0].name })));
}

export function atNewGame(act) {
  beginners.push(act);
}

/** Show another game, with the names of its players if they are known. */
export function showGame(shown, names = null) {
  state.names = names;
  for (const act of beginners) act();
  show(shown);
}

/** Show a position and write its link. */
export function show(shown, future = []) {
  state.shown = shown;
  state.future = future;
  state.lost = null;
  writeLink();
  for (const act of [...watchers]) act();
}

export function writeLink() {
  const link = new URLSearchParams({ game: state.shown.game, start: state.shown.start });
  if (state.shown.moves.length) link.set("moves", state.shown.moves.join(" "));
  link.set("method", state.method);
  link.set("seed", String(state.seed));
  if (state.view !== "play") link.set("view", state.view);
  history.replaceState(null, "", `#${link}`);
}

/** Play moves from the position, or from the start of the game. */
export async function go(moves, future = []) {
  const shown = await trying(() => ask("position", { ...place(), moves }));
  if (shown) show(shown, future);
  return Boolean(shown);
}

export const play = (move) => go([...state.shown.moves, move]);

export function back(plies = 1) {
  const moves = state.shown.moves;
  const at = Math.max(0, moves.length - plies);
  return go(moves.slice(0, at), [...moves.slice(at), ...state.future]);
}

export function forth() {
  const [next, ...rest] = state.future;
  return next ? go([...state.shown.moves, next], rest) : undefined;
}
