// Games in and out, as text of any form, and the link of the page.

import { ask, fault, trying } from "./ask.js";
import { button, choice, field, h, put, save } from "./dom.js";
import { place, showGame, state } from "./state.js";

const LONGEST = 20_000;
const NAMELESS = ["?", "you"]; // what stands for a name that is not known

export function exchange() {
  const text = h("textarea", { "aria-label": "game as text", spellcheck: "false",
    placeholder: "Paste a game: PGN with tags, JSON, SGF, GGF, a position in one line, or moves" });
  const file = h("input", { type: "file", "aria-label": "a file", change: load });
  const forms = h("span", {});
  let texts = {};

  async function load() {
    const [chosen] = file.files;
    if (!chosen) return;
    if (chosen.size > LONGEST) return fault(`${chosen.name} has more than ${LONGEST} bytes: take one game out of it`);
    text.value = await chosen.text();
    await read();
  }

  async function read() {
    const found = await trying(() => ask("read", { game: state.shown.game, text: text.value }));
    if (!found) return;
    showGame(found.position, found.players.every((name) => NAMELESS.includes(name)) ? null : found.players);
  }

  async function write() {
    const found = await trying(() => ask("write", { ...place(), players: state.names || state.players }));
    if (!found) return;
    texts = found.texts;
    const names = Object.keys(texts);
    const list = choice(names.map((name) => [name, name]), names[0], (name) => { text.value = texts[name]; }, { "aria-label": "form" });
    put(forms, field("form", list));
    text.value = texts[names[0]];
  }

  return h("div", { class: "stack", id: "exchange" }, text,
    h("div", { class: "bar" }, button("Read this game", read, { class: "main" }), button("Write the game", write), forms,
      button("Save as a file", () => save("game.txt", "text/plain", text.value)),
      button("Copy the link", () => navigator.clipboard?.writeText(location.href))),
    field("or read a file", file),
    h("p", { class: "soft" }, "The link of this page has the game, the moves, the method and the seed. It shows the same position and the same search again."));
}
