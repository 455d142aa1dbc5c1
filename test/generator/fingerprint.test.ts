import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { apiDigest } from "../../generator/fingerprint/api-digest.js";
import { type WireMessage, wireDigest } from "../../generator/fingerprint/wire-digest.js";
import type { Declaration } from "../../generator/model/schema-model.js";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { modelOf } from "./model-of.js";
import { describeWith } from "../support/conditional.js";
import { OFFICIAL, officialSchema } from "../support/official.js";

/** The digests of the official files, as recorded when the algorithm was written. */
const RECORDED: Readonly<Record<string, readonly [api: string, wire: string]>> = {
  "2024-11-05": [
    "1f1fe488cc13f29ebebf75bfe7f0a571db37b135f9e6299b1e9cc9ea5e620771",
    "ab5d3240cc91ba9e41c324f359e373fa4bb07298f3aa1536605cb2a16947a110",
  ],
  "2025-03-26": [
    "e7f01cbda1a6e5de4a1d17f5910c8b8f3ba043784c84def741b60380e594b5f0",
    "6ce500ac1dd5769fc42a84665a5c56e744f12611f5e4d7dd797a5295df407e9f",
  ],
  "2025-06-18": [
    "ed3dd90491fc748a432839cd5a06d0f114b2b4dec6ecb4754a1636f2d4c97ad2",
    "3ec4ec4f0038d7f13cda302897b19de74616eb8d5246b3ded6b34b21c6e75e31",
  ],
  "2025-11-25": [
    "05a058795f233639d66d9bf9185f73bcfdd756cf430131633ee905f5d6a6a18e",
    "b12bb7656ae2a3f62e536f3200aabcc8e8082239896cfdf5652280bb542a51c8",
  ],
  "2026-07-28": [
    "aceda081c9ee99449e84f89c78fa82b773ff31eba338d7fb8c3c106be5c6cd5b",
    "4295ae19860455299965b1310f990c8012ed7564033617c54d938658d4d89ff7",
  ],
};

const withoutDocs = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => (name === "doc" ? undefined : inner)),
  ) as T;

const membersReversed = (declaration: Declaration): Declaration =>
  declaration.kind === "interface"
    ? { ...declaration, members: declaration.members.toReversed() }
    : declaration;

describe.each(Object.entries(RECORDED))("%s", (revision, [api, wire]) => {
  const { declarations, methods } = protocolOf(revision);

  it("has the digests of the official file", () => {
    expect(apiDigest({ declarations })).toBe(api);
    expect(wireDigest({ declarations }, methods)).toBe(wire);
  });

  it("keeps them when declarations move", () => {
    const reordered = declarations.map(membersReversed).toReversed();
    expect(apiDigest({ declarations: reordered })).toBe(api);
    expect(wireDigest({ declarations: reordered }, methods.toReversed())).toBe(wire);
  });

  it("keeps the wire digest without documentation", () => {
    expect(wireDigest({ declarations: withoutDocs(declarations) }, methods)).toBe(wire);
  });
});

it("every recorded revision is bundled", () => {
  expect(bundled).toEqual(expect.arrayContaining(Object.keys(RECORDED)));
});

describeWith(officialSchema("draft") !== undefined, OFFICIAL, "the official draft", () => {
  it("equals 2026-07-28", () => {
    const model = modelOf(readFileSync(officialSchema("draft")!, "utf8"));
    const [api, wire] = RECORDED["2026-07-28"]!;
    expect(apiDigest(model)).toBe(api);
    expect(wireDigest(model, protocolOf("2026-07-28").methods)).toBe(wire);
  });
});

const MESSAGES: readonly WireMessage[] = [
  {
    method: "a/get",
    kind: "request",
    type: "GetRequest",
    from: "client",
    channel: "wire",
    result: { type: "GetResult", alternatives: [], rule: "name" },
  },
  {
    method: "notifications/a",
    kind: "notification",
    type: "ANotification",
    from: "both",
    channel: "wire",
  },
];

const SCHEMA = `
export const LATEST_PROTOCOL_VERSION = "1";
export const CODE = -32700;
/* Data */
/** A place in a list. */
export type Cursor = string;
export type Role = "user" | "assistant";
export interface Root { uri: string; /** @minimum 0\n * @maximum 1 */ size?: number; roots: Root[] }
export interface GetRequest { method: "a/get"; params?: { cursor?: Cursor; /** @TJS-type number */ part: number } }
export interface GetResult { role: Role; root: Root; [key: string]: unknown }
export interface ANotification { method: "notifications/a"; jsonrpc: "2.0" }
export interface BadError { code: typeof CODE }
export type JSONRPCMessage = GetRequest | ANotification;
`;

function digests(text: string, messages = MESSAGES): { api: string; wire: string } {
  const model = modelOf(text);
  return { api: apiDigest(model), wire: wireDigest(model, messages) };
}

/** Returns the schema with one thing expressed differently. */
function changed(from: string | RegExp, to: string): string {
  const text = SCHEMA.replace(from, to);
  if (text === SCHEMA) throw new Error(`nothing to change: ${from}`);
  return text;
}

const original = digests(SCHEMA);

describe("both digests ignore", () => {
  it.each([
    ["comments and headings", changed(/\/\* Data \*\/|\/\*\* A place.*?\*\//g, "// another")],
    ["formatting", SCHEMA.replaceAll("; ", ",\n\t")],
    ["array syntax", changed("Root[]", "Array<Root>")],
    ["parentheses", changed("Root[]", "(Root)[]")],
    ["the order of members", changed("role: Role; root: Root;", "root: Root; role: Role;")],
    ["the order of arms", changed('"user" | "assistant"', '"assistant" | "user"')],
    ["nested unions", changed('"user" | "assistant"', '("user" | ("assistant" | "user"))')],
    ["constants behind typeof", changed("code: typeof CODE", "code: -32700")],
    ["any for unknown", changed("]: unknown", "]: any")],
    ["the version", changed('VERSION = "1"', 'VERSION = "2"')],
  ])("%s", (_, text) => expect(digests(text)).toEqual(original));
});

describe("only the API digest sees", () => {
  it.each([
    ["another name", changed(/\bCursor\b/g, "Position")],
    ["a helper type written out", changed("role: Role", 'role: "user" | "assistant"')],
    [
      "an interface as a type",
      changed(/export interface Root (\{.*?\[\] \})/s, "export type Root = $1;"),
    ],
    [
      "a member moved to a base",
      changed(
        "GetResult { role: Role;",
        "GetBase { role: Role }\nexport interface GetResult extends GetBase {",
      ),
    ],
    ["an unused declaration", `${SCHEMA}export interface Unused {}`],
    [
      "a redundant index signature",
      changed("]: unknown }", "]: unknown }\nexport type Also = GetResult;"),
    ],
  ])("%s", (_, text) => {
    expect(digests(text).api).not.toBe(original.api);
    expect(digests(text).wire).toBe(original.wire);
  });
});

describe("both digests see", () => {
  it.each([
    ["a member that becomes required", changed("size?", "size")],
    ["a member that becomes optional", changed("role:", "role?:")],
    ["another value of an enum", changed('"user" |', '"user" | "system" |')],
    ["an enum that becomes open", changed('"user" |', "string |")],
    ["another bound", changed("@maximum 1", "@maximum 2")],
    ["a kind of number", changed("@TJS-type number", "No tag")],
    ["an error code", changed("CODE = -32700", "CODE = -32701")],
    ["a value that becomes fixed", changed('"notifications/a"', '"notifications/b"')],
    ["a typed map", changed("]: unknown", "]: Role | Root")],
    ["a new member", changed("uri: string;", "uri: string; name: string;")],
  ])("%s", (_, text) => {
    expect(digests(text).api).not.toBe(original.api);
    expect(digests(text).wire).not.toBe(original.wire);
  });
});

/** Returns the wire digest with a different first message. */
function wireAfter(change: Partial<WireMessage>): string {
  return digests(SCHEMA, [{ ...MESSAGES[0]!, ...change }, MESSAGES[1]!]).wire;
}

describe("the wire digest sees", () => {
  it.each<[string, Partial<WireMessage>]>([
    ["the sender of a message", { from: "server" }],
    ["the kind of a message", { channel: "embedded" }],
    ["its method", { method: "a/other" }],
    ["its result", { result: { type: "Root", alternatives: [], rule: "response" } }],
    [
      "its alternative result",
      {
        result: {
          type: "GetResult",
          alternatives: [{ type: "Root", when: "other" }],
          rule: "response",
        },
      },
    ],
  ])("%s", (_, change) => expect(wireAfter(change)).not.toBe(original.wire));

  it("does not see which rule paired a method", () => {
    expect(wireAfter({ result: { type: "GetResult", alternatives: [], rule: "response" } })).toBe(
      original.wire,
    );
  });

  it("sees a message that is missing", () => {
    expect(digests(SCHEMA, [MESSAGES[0]!]).wire).not.toBe(original.wire);
  });

  it("sees formats, unless an option ignores them", () => {
    const formatted = modelOf(changed("uri: string;", "/** @format uri */ uri: string;"));
    expect(wireDigest(formatted, MESSAGES)).not.toBe(original.wire);
    expect(wireDigest(formatted, MESSAGES, { ignoreFormat: true })).toBe(original.wire);
  });
});
