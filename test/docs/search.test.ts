import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { QUESTIONS } from "./questions.js";
import { type Result, searchOf, sharedSite } from "./shared-site.js";

let search: (query: string) => readonly Result[];

beforeAll(async () => {
  search = searchOf(await sharedSite());
});

interface PublishedMember {
  readonly name: string;
  readonly type?: unknown;
}

interface Published {
  readonly declarations: readonly { name: string; members?: readonly PublishedMember[] }[];
  readonly methods: readonly { method: string; capability?: string }[];
  readonly errorCodes: readonly { name: string; code: number }[];
}

const revisions = readdirSync(join(root, "generated")).filter((name) => /^\d{4}-/.test(name));

const published: readonly Published[] = revisions.map(
  (revision) =>
    JSON.parse(
      readFileSync(join(root, "generated", revision, "protocol.json"), "utf8"),
    ) as Published,
);

/** Returns the names for which the search does not return the right result first. */
const missed = (names: Iterable<string>, isRight: (name: string, first: Result) => boolean) =>
  [...new Set(names)].filter((name) => {
    const [first] = search(name);
    return first === undefined || !isRight(name, first);
  });

const hasWord = (name: string, { name: found }: Result) => found.split(" ").includes(name);
const isSame = (name: string, { name: found }: Result) => found === name;

const isMember = (name: string, one: Result) => hasWord(name, one) || one.name.endsWith(`.${name}`);

describe("search for the names of all revisions", () => {
  const declarations = published.flatMap((one) => one.declarations);
  const methods = published.flatMap((one) => one.methods);
  const errorCodes = published.flatMap((one) => one.errorCodes);

  it("finds every declaration first", () => {
    expect(declarations.length).toBeGreaterThan(500);
    const names = declarations.map(({ name }) => name);
    expect(missed(names, hasWord)).toEqual([]);
  });

  it("finds every member first under its full name", () => {
    const names = declarations.flatMap(({ name, members = [] }) =>
      members.map((member) => `${name}.${member.name}`),
    );
    expect(new Set(names).size).toBeGreaterThan(300);
    expect(missed(names, isSame)).toEqual([]);
  });

  it("finds every member under its own name", () => {
    const names = declarations.flatMap(({ members = [] }) => members.map(({ name }) => name));
    expect(missed(names, (name) => search(name).some((one) => isMember(name, one)))).toEqual([]);
  });

  it("finds every method first", () => {
    const names = methods.map(({ method }) => method);
    expect(missed(names, isSame)).toEqual([]);
  });

  it("finds every error code first, by number and by name", () => {
    const names = errorCodes.flatMap(({ name, code }) => [name, String(code)]);
    expect(missed(names, hasWord)).toEqual([]);
  });

  it("finds every capability that a method needs first", () => {
    const names = methods.flatMap(({ capability }) => capability ?? []);
    const own = names.filter((name) => /^(?:client|server)\./.test(name));
    expect(own.length).toBeGreaterThan(5);
    expect(missed(own, isSame)).toEqual([]);
  });
});

it.each([
  ["timeout of list cache", /^CacheableResult|^Subscriptions and caching/],
  ["who may send ping", /^ping$/],
  ["-32021", /-32021/],
  ["how to call a tool", /^tools\/call$/],
  ["list of tools", /^tools\/list$/],
  ["resource not found code", /RESOURCE_NOT_FOUND/],
  ["cancel a request", /^notifications\/cancelled$/],
  ["progress token", /progressToken|ProgressToken/],
  ["log level", /^logging\/setLevel$|^LoggingLevel$/],
  ["ask the user a question with a form", /^Asking the user/],
  ["structured output of a tool", /^Tool\.outputSchema$/],
  ["subscribe to changes of a resource", /^resources\/subscribe$/],
  ["protocol version of a request", /protocolVersion/],
  ["optional features of a client", /^ClientCapabilities$/],
  ["declare sampling with tools", /^client\.sampling\.tools$/],
  ["parse error", /PARSE_ERROR|ParseError/],
  ["image as base64", /^ImageContent/],
  ["pagination cursor", /^PaginatedResult\.nextCursor$/],
  ["task status", /^notifications\/tasks\/status$/],
  ["what changed between 2025-06-18 and 2025-11-25", /2025-06-18 → 2025-11-25/],
  ["migrate from 2025-11-25", /^2025-11-25 → 2026-07-28$/],
  ["icons", /^Icons$/],
  ["read-only tool hint", /^ToolAnnotations\.readOnlyHint$/],
  ["uri template", /^ResourceTemplate\.uriTemplate$/],
  ["batch", /^batching$|^JSONRPCBatchRequest$/],
  ["request state", /requestState$/],
  ["header mismatch", /HEADER_MISMATCH|HeaderMismatch/],
  ["session handshake", /^HTTP clients: Sessions$|^Sessions/],
  ["completion of arguments", /^completion\/complete$/],
  ["authentication", /^Authentication$/],
  ["redis", /^Redis/],
  ["unsupported version", /UNSUPPORTED_PROTOCOL_VERSION|UnsupportedProtocolVersion/],
])("answers %s in the first three results", (question, answer) => {
  const names = search(question).map(({ name }) => name);
  expect(names.slice(0, 3).filter((name) => answer.test(name))).not.toEqual([]);
});

it.each(QUESTIONS)("answers %s in the first three results, by its page", (question, answer) => {
  const addresses = search(question).map(({ address }) => address);
  expect(addresses.slice(0, 3).filter((address) => answer.test(address))).not.toEqual([]);
});

it("finds only what has all of the words, if a name has them", () => {
  const found = search("list tools");
  expect(found[0]?.name).toBe("tools/list");
  const lacking = found.filter((one) => !/list.*tool|tool.*list/i.test(JSON.stringify(one)));
  expect(lacking).toEqual([]);
  expect(search("list of banana tools")[0]).toBeDefined();
});

it("finds nothing for nonsense, and bears any text", () => {
  expect(search("xqzzyk")).toEqual([]);
  expect(search("   ")).toEqual([]);
  expect(() => search("(.*)+$[\\".repeat(1000))).not.toThrow();
});
