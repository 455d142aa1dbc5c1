import { canonicalText, type TapeLine } from "../../tape/index.js";
import { member, messagesIn } from "../../tape/json-value.js";
import { declares } from "../visit.js";
import { endsOr, expect, linesOf, type Run, settled, type Work } from "./run.js";

const METHOD = "roots/list";
/** The time in which a client must answer, in milliseconds. */
const ANSWERED_WITHIN = 1_000;
/** The minimum time between two requests for roots, in milliseconds. */
const ROOTS_APART = 2_000;

/** Requests the roots again, and examines whether the client has announced each change. */
export async function rootsAgain(work: Work, run: Run): Promise<void> {
  const { server, answered } = run;
  const first = answered.get(METHOD);
  if (first === undefined || !declares(server.capabilities, "client.roots.listChanged")) return;
  await endsOr(run, () => false, first.at + ROOTS_APART - performance.now());
  if (run.ending) return;
  await server.ask(METHOD, undefined, Math.min(work.timeout, ANSWERED_WITHIN));
  await settled(work, run);
  const all = rootsIn(work, run);
  const lines = linesOf(work, run);
  const silent = all.find(({ roots }, index) => {
    const before = all[index - 1];
    if (before === undefined || before.roots === roots) return false;
    return !lines.some(({ n, message }) => n > before.line.n && isRootsChange(message));
  });
  expect(work, run, "client-roots-changed", silent === undefined, {
    line: silent?.line,
    pointer: "/result/roots",
    expected: "the roots of the response before, or notifications/roots/list_changed",
    received: member(member(silent?.line.message, "result"), "roots"),
  });
}

function isRootsChange(message: unknown): boolean {
  return messagesIn(message).some(
    (one) => member(one, "method") === "notifications/roots/list_changed",
  );
}

/** Returns the responses to all requests for roots, each with its roots as text that does not depend on their order. */
function rootsIn(
  { recorder }: Work,
  { server: { number } }: Run,
): readonly { readonly line: TapeLine; readonly roots: string }[] {
  const asked = new Set<unknown>();
  return recorder.lines.flatMap((line) => {
    const { conversation, from, message } = line;
    if (conversation !== number) return [];
    const id = member(message, "id");
    if (from === "server" && member(message, "method") === METHOD) asked.add(id);
    const roots = member(member(message, "result"), "roots");
    if (from !== "client" || !asked.has(id) || !Array.isArray(roots)) return [];
    const texts = roots.map((root) => canonicalText([member(root, "uri"), member(root, "name")]));
    return [{ line, roots: texts.toSorted().join() }];
  });
}
