import { expect, it } from "vitest";
import { alignColumns } from "../../generator/emit/template.js";
import { emitMethods } from "../../generator/emit/methods.js";
import { emitClient, emitServer } from "../../generator/emit/sides.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { planOf, protocolOf, schemaWith } from "./schema.js";
import type { Method } from "../../generator/link/protocol.js";

const SCHEMA = schemaWith({
  declarations: `
    export interface AddRequest extends Request { method: "add"; params: AddParams }
    export interface AddParams { n: string }
    export interface AddResult extends Result { sum: string }
    export interface GoneNotification extends Notification { method: "notifications/gone" }`,
  clientRequests: ["AddRequest"],
  serverNotifications: ["GoneNotification"],
  serverResults: ["AddResult"],
});

/** Generates methods.ts from a schema whose methods were altered after linking. */
function methodsWith(changes: Readonly<Record<string, Partial<Method>>>): string {
  const plan = planOf(SCHEMA);
  const methods = plan.protocol.methods.map((method) => ({ ...method, ...changes[method.method] }));
  return emitMethods({ ...plan, protocol: { ...plan.protocol, methods } }).text;
}

const rows = (text: string): string[] =>
  text.split("\n").filter((line) => /^ {2}(request|notification)\(/.test(line));

it("a row states exceptions only, in aligned columns", () => {
  expect(rows(methodsWith({}))).toEqual([
    `  request("add",        "client", v.AddParams,               v.AddResult),`,
    `  request("initialize", "client", v.InitializeRequestParams, v.InitializeResult, { role: "initialize" }),`,
    `  notification("notifications/gone", "server", optional(v.NotificationParams)),`,
  ]);
});

it("a row states the gate of a method and its other results", () => {
  const [row] = rows(
    methodsWith({
      add: {
        capability: "server.x.y",
        declares: { x: { y: true } },
        paginated: true,
        cacheable: true,
        channel: "embedded",
        nameHeader: "n",
        paramHeaders: "gone",
        result: {
          type: "AddResult",
          alternatives: [
            { type: "Result", when: "task" },
            { type: "EmptyResult", when: "input_required" },
          ],
          rule: "name",
        },
      },
    }),
  );
  expect(row).toContain(
    `{ channel: "embedded", capability: "server.x.y", declares: { x: { y: true } }, ` +
      "taskResult: v.Result, inputResult: v.EmptyResult, paginated: true, cacheable: true, " +
      `nameHeader: "n", paramHeaders: "gone" }`,
  );
});

/** Returns the names of the lifecycles in a file, in order. */
const namedIn = ({ text }: OutputFile) =>
  text.match(/\b(?:client|server)(?:Handshake|Stateless)\b/g);

it.each([
  ["initialize", "Handshake"],
  ["discover", "Stateless"],
] as const)(
  "each side of a revision that opens by %s imports its own lifecycle",
  (lifecycle, kind) => {
    const plan = planOf(SCHEMA);
    const traits = { ...plan.protocol.traits, lifecycle };
    const changed = { ...plan, protocol: { ...plan.protocol, traits } };
    expect(namedIn(emitClient(changed))).toEqual([`client${kind}`, `client${kind}`]);
    expect(namedIn(emitServer(changed))).toEqual([`server${kind}`, `server${kind}`]);
    expect(namedIn(emitMethods(changed))).toBeNull();
  },
);

it("conditions stand beside the table", () => {
  const text = methodsWith({ add: { conditions: [{ member: "n", capability: "server.n" }] } });
  expect(text).toContain(
    `const conditions = {\n  add: [{ member: "n", capability: "server.n" }],\n} as const;`,
  );
  expect(rows(text)[0]).toContain(`v.AddResult,        { conditions: conditions["add"] }`);
});

it("a message without parameters says so", () => {
  const methods = protocolOf(SCHEMA).methods.map(({ params: _params, ...method }) => method);
  const plan = planOf(SCHEMA);
  const { text } = emitMethods({ ...plan, protocol: { ...plan.protocol, methods } });
  expect(rows(text).at(-1)).toBe(`  notification("notifications/gone", "server", undefined),`);
  expect(text).toContain("import { type Revision, methodTable, notification, request } from");
});

it("imports only what the table uses", () => {
  expect(methodsWith({})).toContain(
    `import { type Revision, methodTable, notification, optional, request } from "@mcp-codegen/runtime/codegen";`,
  );
});

it("the last cell of a row is not padded", () => {
  expect(
    alignColumns([
      ["a", "bbb", "c"],
      ["aa", "b"],
    ]),
  ).toEqual(["a  bbb c", "aa b"]);
});
