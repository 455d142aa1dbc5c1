import { type Finding, judgeTape } from "@mcp-codegen/testing/checks";
import { openTape } from "@mcp-codegen/testing/tape";
import { describe, expect, it } from "vitest";
import {
  type FilterProblem,
  type Filter,
  readFilter,
} from "../../../runtime/testing/show/model/filter.js";
import { orderOf, tracksOf } from "../../../runtime/testing/show/model/order.js";
import { readRows, type Rows } from "../../../runtime/testing/show/model/read-rows.js";
import { beginsGroup, type Row } from "../../../runtime/testing/show/model/row.js";
import { time } from "../../../runtime/testing/show/page/dom.js";
import { hostile, long, session, stateless, tapeOf } from "./tapes.js";

async function rowsOf(text: string): Promise<Rows> {
  const rows = readRows();
  for await (const line of await openTape([text])) rows.add(line);
  rows.end();
  return rows;
}

const EVERYTHING: Filter = { isEmpty: true, matches: () => true };

/** Returns the groups as `kind: first method, number of rows`. */
const groupsOf = ({ rows }: Rows): string[] =>
  rows
    .filter(beginsGroup)
    .map(({ group, method, children }) => `${group}: ${method}, ${children.length + 1}`);

/** Returns the numbers of the lines that a filter matches. */
async function matching(text: string): Promise<number[]> {
  const { rows } = await rowsOf(tapeOf(session));
  const filter = readFilter(text) as Filter;
  return rows.filter(filter.matches).map(({ line }) => line.n);
}

it.each([
  [0.04, "0 ms"],
  [9.94, "9.9 ms"],
  [9.96, "10 ms"],
  [999.4, "999 ms"],
  [999.6, "1.00 s"],
  [59_994, "59.99 s"],
  [59_996, "1 min 00 s"],
  [119_600, "2 min 00 s"],
])("a time of %s ms is shown as %s, rounded to the unit below", (milliseconds, text) => {
  expect(time(milliseconds)).toBe(text);
});

describe("rows of a tape", () => {
  it.each([
    ["a session", tapeOf(session)],
    ["stateless requests", tapeOf(stateless, { transport: "http" })],
    ["a long session", tapeOf(long(500))],
    ["hostile texts", hostile(1000)],
  ])("have the findings of check-tape at their lines, none more: %s", async (_, text) => {
    const expected: Finding[] = [];
    for await (const finding of judgeTape(await openTape([text]))) expected.push(finding);
    const { rows, problem } = await rowsOf(text);
    const shown = rows.flatMap(({ line, findings }) =>
      findings.map((one) => [line.n, one] as const),
    );
    expect(problem).toBe(undefined);
    expect(shown.map(([n]) => n)).toEqual(shown.map(([, finding]) => finding.n));
    expect(new Set(shown.map(([, finding]) => finding))).toEqual(new Set(expected));
    expect(shown).toHaveLength(expected.length);
  });

  it("show each message of a batch, with its own findings", async () => {
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: 2, method: 7 },
    ];
    const { rows, findings } = await rowsOf(tapeOf([{ from: "client", message: batch }]));
    expect(rows.map(({ place }) => place)).toEqual(["/0", "/1"]);
    expect(findings.length).toBeGreaterThan(0);
    expect(rows.flatMap((row) => row.findings)).toHaveLength(findings.length);
  });

  it("pair responses with requests of the other side", async () => {
    const { rows } = await rowsOf(tapeOf(session));
    const answer = rows.find(({ line }) => line.n === 12)!;
    expect([answer.method, answer.request?.line.n, answer.duration]).toEqual([
      "elicitation/create",
      9,
      30,
    ]);
  });
});

describe("groups", () => {
  it("hold a call with its progress and questions, a subscription, and a task with its polls", async () => {
    expect(groupsOf(await rowsOf(tapeOf(session)))).toEqual([
      "call: tools/call, 6",
      "subscription: resources/subscribe, 4",
      "task: tools/call, 4",
    ]);
  });

  it("hold a login, the rounds of a call, and a subscription with its events", async () => {
    expect(groupsOf(await rowsOf(tapeOf(stateless, { transport: "http" })))).toEqual([
      "login: tools/list, 6",
      "rounds: tools/call, 4",
      "subscription: subscriptions/listen, 3",
    ]);
  });

  it("are shown together, or folded into their first row", async () => {
    const { rows } = await rowsOf(tapeOf(session));
    const all = orderOf(rows, EVERYTHING, new Set());
    const folded = orderOf(rows, EVERYTHING, new Set(rows.filter(beginsGroup)));
    expect(all.map(({ line }) => line.n).slice(6, 15)).toEqual([7, 8, 9, 12, 13, 14, 10, 11, 15]);
    expect(folded.map(({ line }) => line.n).slice(6, 10)).toEqual([7, 10, 11, 15]);
    expect(new Set(all)).toEqual(new Set(rows));
  });

  it("lie on tracks that do not overlap", async () => {
    const { rows } = await rowsOf(tapeOf(session));
    const tracks = tracksOf(rows, 4);
    const at = (n: number): number | undefined =>
      tracks.get(rows.find(({ line }) => line.n === n) as Row);
    expect([at(7), at(9), at(10), at(15)]).toEqual([0, 1, 2, 0]);
  });
});

describe("a filter", () => {
  it.each([
    ["", 27],
    ["method:tools/call from:server", 4],
    ["error", 6],
    ["finding:result-shape", 2],
    ["time>500", 2],
    ["time>0.5s from:client", 1],
    ['name:"deploy" kind:request', 2],
    ["id:q", 2],
    ["group:task", 4],
    ["-kind:request -kind:result", 8],
    ["Deployed", 1],
    ['"Unknown tool"', 1],
    ["at>=400 at<500", 1],
  ])("%s matches %i rows", async (text, number) => {
    expect(await matching(text)).toHaveLength(number);
  });

  it.each([
    ["metod:x", /^metod is not a field\. Fields and words are method, /],
    ["from:nobody", "from is client or server, not nobody."],
    ["time>soon", "time needs a number: time>500, not soon."],
    ["method>x", "method cannot be compared with >. Write method:x"],
    ["constructor:x", /^constructor is not a field/],
  ])("is refused in words: %s", (text, problem) => {
    expect((readFilter(text) as FilterProblem).problem).toMatch(problem);
  });

  it.each(['"', "method:", "-", "::", "a:b:c", 'x"y', "\\", "time>", "((", "é:1"])(
    "never throws: %s",
    (text) => {
      const read = readFilter(text);
      expect("problem" in read || typeof read.matches === "function").toBe(true);
    },
  );
});
