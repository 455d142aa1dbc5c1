import { describe, expect, it } from "vitest";
import { diff } from "../../generator/diff/diff.js";
import { groupedChanges, sideText } from "../../generator/diff/impact/grouped-changes.js";
import type { ProtocolChange, Side } from "../../generator/diff/impact/protocol-change.js";
import { protocolChanges } from "../../generator/diff/impact/protocol-changes.js";
import { renderMarkdown } from "../../generator/diff/render.js";
import { callsOf } from "../../generator/emit/validators/check.js";
import { subjects } from "../../generator/emit/validators/subjects.js";
import type { Protocol } from "../../generator/link/protocol.js";
import { Shapes } from "../../generator/model/shape.js";
import { validatorsOf } from "../validators/build.js";
import { corpus, type Sample } from "../validators/corpus.js";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { BASICS, linkText, unions } from "./link-text.js";

function linesOf(given: readonly ProtocolChange[]): string[] {
  return groupedChanges(given).map((group) => {
    const { class: kind, names, pointer, message } = group;
    return `${kind} ${sideText(group)} ${names.join(", ")} ${pointer}: ${message}`.replaceAll(
      / +/g,
      " ",
    );
  });
}

function between(before: Protocol, after: Protocol): readonly ProtocolChange[] {
  return protocolChanges(before, after, diff(before, after));
}

/** Returns the changes of a client request whose parameters and result have a member `a`. */
function changesOf(before: string, after: string): string[] {
  const [one, other] = [before, after].map((text) => {
    const [params, result] = text.split(" => ");
    const { protocol, found } = linkText(
      `export interface AskRequest { method: "ask"; params: { ${params} } }
export interface AskResult { ${result} }${BASICS}${unions({ ClientRequest: "AskRequest", ServerResult: "AskResult" })}`,
      { revision: "test" },
    );
    expect(found).toEqual([]);
    return protocol!;
  });
  return linesOf(between(one!, other!));
}

describe("changes by class", () => {
  it.each([
    ["the same", "a: string => a: string", "a: string => a: string", []],
    [
      "a new argument",
      " => ",
      "a?: string => ",
      ["additive AskRequestParams /a: new member: string"],
    ],
    [
      "a new required argument",
      " => ",
      "a: string => ",
      ["breaking client AskRequestParams /a: new required member: string"],
    ],
    [
      "an argument that becomes required",
      "a?: string => ",
      "a: string => ",
      ["breaking client AskRequestParams /a: is required now"],
    ],
    [
      "an argument that becomes optional",
      "a: string => ",
      "a?: string => ",
      ["breaking server AskRequestParams /a: may be absent now"],
    ],
    [
      "a removed argument",
      "a?: string => ",
      " => ",
      ["breaking client AskRequestParams /a: is gone"],
    ],
    [
      "a wider argument",
      "a: string => ",
      "a: string | null => ",
      ["breaking server AskRequestParams /a: may be null now"],
    ],
    [
      "a narrower argument",
      "a: 'x' | 'y' => ",
      "a: 'x' => ",
      ['breaking client AskRequestParams /a: no longer "y"'],
    ],
    [
      "a new member of the result",
      " => ",
      " => a?: string",
      ["additive AskResult /a: new member: string"],
    ],
    [
      "a wider result",
      " => a: string",
      " => a: string | null",
      ["breaking client AskResult /a: may be null now"],
    ],
    [
      "a narrower result",
      " => a: string | null",
      " => a: string",
      ["breaking server AskResult /a: no longer null"],
    ],
    [
      "a removed member of the result",
      " => a: string",
      " => ",
      ["breaking client AskResult /a: is gone, and was required"],
    ],
    [
      "other elements",
      " => a: string[]",
      " => a: boolean[]",
      ["breaking both AskResult /a/*: string -> boolean"],
    ],
    [
      "members of another type",
      " => a: { [k: string]: string }",
      " => a: { [k: string]: unknown }",
      ["breaking client AskResult /a/*: undeclared members may be anything now"],
    ],
  ])("have %s", (_, before, after, expected) => {
    expect(changesOf(before, after)).toEqual(expected);
  });
});

const pairs = bundled.slice(1).map((after, index) => [bundled[index]!, after] as const);

describe.each(pairs)("changes by class from %s to %s", (from, to) => {
  const [before, after] = [protocolOf(from), protocolOf(to)];
  const all = between(before, after);

  it("match the reviewed list", async () => {
    const text = `${linesOf(all).join("\n")}\n`;
    await expect(text).toMatchFileSnapshot(`../fixtures/diff/${from}..${to}.changes.txt`);
  });

  it("name a side only if they are breaking, and the worst come first", () => {
    const classes = all.map((change) => change.class);
    expect(classes).toEqual(
      classes.toSorted((one, other) => RANK.indexOf(one) - RANK.indexOf(other)),
    );
    for (const { class: kind, sides } of all) expect(sides.length > 0).toBe(kind === "breaking");
  });

  it("contain every added or removed method", () => {
    const names = new Set(all.map(({ name }) => name));
    for (const { method, change } of diff(before, after).methods) {
      if (change !== "changed") expect(names).toContain(method);
    }
  });

  it("name a side wherever a value is valid in one revision and invalid in the other", async () => {
    const [old, now] = [await validatorsOf(before), await validatorsOf(after)];
    const inside = [before, after].map(reachOf);
    const found = new Set<string>();
    for (const [type, senders] of sendersOf(before, after)) {
      const reach = new Set(inside.flatMap((of) => [...of(type)]));
      const isReported = (side: Side): boolean =>
        all.some(({ name, sides }) => sides.includes(side) && reach.has(name));
      // No client sends members that the revision does not know.
      const lost = valuesOf(before, type).some((value) => old[type]!(value) && !now[type]!(value));
      const won = valuesOf(after, type).some((value) => now[type]!(value) && !old[type]!(value));
      const concerned = [...(lost ? senders : []), ...(won ? senders.map(other) : [])];
      for (const side of concerned) if (!isReported(side)) found.add(`${type} ${side}`);
    }
    expect([...found]).toEqual([]);
  });
});

it("changes by class are a table of the Markdown page, and no text breaks out of a cell", () => {
  const [before, after] = [protocolOf(bundled[0]!), protocolOf(bundled[1]!)];
  const page = renderMarkdown(diff(before, after), between(before, after));
  expect(page).toContain(
    "| breaking | client | `PromptMessage`, `SamplingMessage` at `/content` | `may be AudioContent now` |",
  );
  for (const row of page.split("\n").filter((line) => line.startsWith("| breaking")))
    expect(row.replaceAll("\\|", "").split("|")).toHaveLength(6);
});

const RANK = ["breaking", "dangerous", "prose", "additive"];
const other = (side: Side): Side => (side === "client" ? "server" : "client");

/** Returns values near the border of a type. */
function valuesOf(protocol: Protocol, type: string): readonly unknown[] {
  const known = samples.get(protocol) ?? corpus(protocol);
  samples.set(protocol, known);
  return known.filter((sample) => sample.type === type).map(({ value }) => value);
}

const samples = new Map<Protocol, readonly Sample[]>();

/** Returns the types of parameters and results that both revisions have, with their senders. */
function sendersOf(before: Protocol, after: Protocol): Map<string, Side[]> {
  const senders = new Map<string, Side[]>();
  for (const method of before.methods) {
    const next = after.methods.find((one) => one.method === method.method);
    if (!next || next.from !== method.from) continue;
    const sides: Side[] = method.from === "both" ? ["client", "server"] : [method.from];
    if (method.params && next.params?.type === method.params.type) {
      senders.set(method.params.type, sides);
    }
    if (method.result && next.result?.type === method.result.type) {
      senders.set(method.result.type, sides.map(other));
    }
  }
  return senders;
}

/** Returns the names of a type and of everything inside it. */
function reachOf(protocol: Protocol): (type: string) => ReadonlySet<string> {
  const { exported, hidden } = subjects(protocol, new Shapes(protocol.declarations));
  const checks = new Map([...exported, ...hidden]);
  return (type) => {
    const found = new Set([type]);
    for (const name of found) {
      const check = checks.get(name);
      if (check) for (const inner of callsOf(check)) found.add(inner);
    }
    return found;
  };
}
