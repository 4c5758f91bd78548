// Answers of a recording, in place of the server's. The page's other files are as they are.

import { fault, trying } from "./live.js";

export { fault, trying };

const EVERY = 120; // milliseconds between two events of a stream
const ELSE = "This page is a recording, and this is not in it: `playout web` answers on your own machine.";
const answers = JSON.parse(document.getElementById("recorded").textContent);

/** The name of a request: the same text as in recording.py. */
function named(name, asked) {
  return JSON.stringify([name, Object.entries(asked).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

export async function ask(name, asked) {
  const found = answers[named(name, asked)];
  if (found === undefined) throw new Error(ELSE);
  return structuredClone(found);
}

/** The events of a stream, one after the other. */
export function listen(name, asked, take, done = () => {}) {
  const events = [...(answers[named(name, asked)] || [])];
  if (!events.length) fault(ELSE);
  const timer = setInterval(() => {
    if (events.length) return take(structuredClone(events.shift()));
    clearInterval(timer);
    return done();
  }, EVERY);
  return () => clearInterval(timer);
}
