import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { DEFAULT_CONVENTIONS, HANDSHAKE_CONVENTIONS } from "../../generator/link/conventions.js";
import type { Erratum, Facts } from "../../generator/link/facts.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { BASICS, linkText, unions } from "./link-text.js";

const evidence = `"reason": "test", "source": "https://example.org/"`;

/** A fact that switches headers on. */
const headers = `{"convention":"methodHeaders","value":true,${evidence}}`;

const stated = { reason: "test", source: "https://example.org/" };

/** Reads facts of the revision `test`. Each further member is on its own line, starting from line 2. */
function read(...members: string[]): { facts: Facts | undefined; found: string[] } {
  const diagnostics = new Diagnostics();
  const text = `{ "revision": "test"${members.map((member) => `,\n${member}`).join("")}\n}`;
  const facts = readFacts(text, "facts.json", diagnostics);
  const found = diagnostics.items.map(
    ({ code, file, span }) => `${code} ${file} ${span?.line}:${span?.column}`,
  );
  return { facts, found };
}

describe("reading facts refuses", () => {
  it.each([
    ["text that is not JSON", `"title": }`, "1:1"],
    ["an unknown member", `"titel": "x"`, "2:10"],
    ["a member of a wrong kind", `"released": "May"`, "2:13"],
    ["an invalid list", `"errorCodes": {}`, "2:15"],
    ["an item that is not an object", `"errorCodes": [1]`, "2:16"],
    [
      "a fact without a reason",
      `"errorCodes": [{"name":"A","code":1,"source":"https://x.y/"}]`,
      "2:16",
    ],
    [
      "a fact without a link",
      `"errorCodes": [{"name":"A","code":1,"reason":"x","source":"y"}]`,
      "2:59",
    ],
    [
      "a code that is not an integer",
      `"errorCodes": [{"name":"A","code":1.5,${evidence}}]`,
      "2:35",
    ],
    [
      "an unknown member of an item",
      `"errorCodes": [{"name":"A","code":1,"x":1,${evidence}}]`,
      "2:41",
    ],
    [
      "a path without an owner",
      `"capabilities": [{"method":"a","capability":"tools",${evidence}}]`,
      "2:45",
    ],
    ["an invalid digest", `"errata": [{"sha256":"abc","declaration":"A",${evidence}}]`, "2:22"],
    [
      "an unknown constraint",
      `"errata": [{"sha256":"${"0".repeat(64)}","declaration":"A","constraints":{"minimun":0},${evidence}}]`,
      "2:121",
    ],
    [
      "an unknown level",
      `"conditions": [{"method":"a","member":"b","capability":"client.x","level":"may",${evidence}}]`,
      "2:75",
    ],
    [
      "a convention of a wrong kind",
      `"conventions": [{"convention":"http","value":{"a":"b"},${evidence}}]`,
      "2:46",
    ],
    [
      "a format that is not tested",
      `"formats": [{"place":"A.b","format":"x",${evidence}}]`,
      "2:37",
    ],
    ["a format without a member", `"formats": [{"place":"A","format":"uri",${evidence}}]`, "2:22"],
    ["an official source without a digest", `"official": {"url":"https://x.y/"}`, "2:13"],
  ])("%s", (_title, member, place) => {
    const { facts, found } = read(member);
    expect(facts).toBeUndefined();
    expect(new Set(found)).toEqual(new Set([`MCG3060 facts.json ${place}`]));
  });

  it("a member of a prototype as a list or value", () => {
    expect(read(`"constructor": []`, `"__proto__": {}`).found).toEqual([
      "MCG3060 facts.json 2:16",
      "MCG3060 facts.json 3:14",
    ]);
  });
});

describe("linking refuses facts", () => {
  const schema = `export interface AskRequest { method: "ask"; params: { question: string; mood?: "glad"; /** @format uri */ tagged?: string } }
export const ODD = -5;
export const LIMIT = 9;${BASICS}${unions({ ClientRequest: "AskRequest" })}`;

  it.each([
    [
      "whose gate is not declared",
      "MCG3050",
      `"capabilities": [{"method":"ask","capability":"server.odd",${evidence}}]`,
      "2:47",
    ],
    [
      "whose condition is not declared",
      "MCG3050",
      `"conditions": [{"method":"ask","member":"question","capability":"client.odd",${evidence}}]`,
      "2:65",
    ],
    [
      "about an unknown member",
      "MCG3062",
      `"conditions": [{"method":"ask","member":"answer","capability":"client.roots",${evidence}}]`,
      "2:41",
    ],
    [
      "about a value that a member cannot have",
      "MCG3062",
      `"conditions": [{"method":"ask","member":"mood","in":["sad"],"capability":"client.roots",${evidence}}]`,
      "2:53",
    ],
    [
      "about an unknown method",
      "MCG3062",
      `"capabilities": [{"method":"odd","capability":"server.tools",${evidence}}]`,
      "2:18",
    ],
    [
      "about the direction of an unknown method",
      "MCG3062",
      `"directions": [{"method":"odd","from":"client",${evidence}}]`,
      "2:16",
    ],
    [
      "about an unknown successor",
      "MCG3062",
      `"successors": [{"from":"A","to":"B",${evidence}}]`,
      "2:16",
    ],
    [
      "about the format of an unknown member",
      "MCG3062",
      `"formats": [{"place":"*.answer","format":"uri",${evidence}}]`,
      "2:13",
    ],
    [
      "about the format of another type's member",
      "MCG3062",
      `"formats": [{"place":"Result.question","format":"uri",${evidence}}]`,
      "2:13",
    ],
    [
      "about a format that a tag states",
      "MCG3062",
      `"formats": [{"place":"*.tagged","format":"uri",${evidence}}]`,
      "2:13",
    ],
    [
      "that the rule derives",
      "MCG3063",
      `"capabilities": [{"method":"initialize","capability":null,${evidence}}]`,
      "2:18",
    ],
    [
      "about a direction that a union states",
      "MCG3063",
      `"directions": [{"method":"ask","from":"client",${evidence}}]`,
      "2:16",
    ],
    [
      "about a kind that the method shows",
      "MCG3062",
      `"directions": [{"method":"notifications/hear","from":"server","kind":"notification",${evidence}}]`,
      "2:16",
    ],
    [
      "about a trait that the schema shows",
      "MCG3063",
      `"traits": [{"trait":"lifecycle","value":"initialize",${evidence}}]`,
      "2:12",
    ],
    [
      "that have no effect",
      "MCG3064",
      `"errata": [{"sha256":"${"0".repeat(64)}","declaration":"Nothing",${evidence}}]`,
      "2:12",
    ],
    [
      "that accept a finding that does not occur",
      "MCG3065",
      `"accepted": [{"code":"MCG3012","about":"AskResult",${evidence}}]`,
      "2:14",
    ],
    [
      "that repeat a constant",
      "MCG3066",
      `"errorCodes": [{"name":"STRANGE","code":-5,${evidence}}]`,
      "2:16",
    ],
    [
      "that repeat each other",
      "MCG3066",
      `"errorCodes": [{"name":"NEW","code":-6,${evidence}},{"name":"NEW","code":-7,${evidence}}]`,
      "2:92",
    ],
    [
      "about a code that is named like a constant of another kind",
      "MCG3066",
      `"errorCodes": [{"name":"LIMIT","code":-6,${evidence}}]`,
      "2:24",
    ],
    [
      "about an unknown trait",
      "MCG3067",
      `"traits": [{"trait":"telepathy","value":true,${evidence}}]`,
      "2:12",
    ],
    [
      "about an unknown value of a trait",
      "MCG3067",
      `"traits": [{"trait":"tasks","value":"maybe",${evidence}}]`,
      "2:12",
    ],
    [
      "about an unknown convention",
      "MCG3068",
      `"conventions": [{"convention":"courtesy","value":true,${evidence}}]`,
      "2:17",
    ],
    [
      "about an unknown value of a convention",
      "MCG3068",
      `"conventions": [{"convention":"http","value":"4xx",${evidence}}]`,
      "2:17",
    ],
    [
      "about statuses of no refusal",
      "MCG3068",
      `"conventions": [{"convention":"fallbackStatuses","value":[404,200],${evidence}}]`,
      "2:17",
    ],
    [
      "about the status of an unknown error",
      "MCG3062",
      `"conventions": [{"convention":"errorStatuses","value":{"LOST":404},${evidence}}]`,
      "2:63",
    ],
    [
      "about a status that is not an error status",
      "MCG3068",
      `"conventions": [{"convention":"errorStatuses","value":{"ODD":200},${evidence}}]`,
      "2:17",
    ],
    [
      "about headers of a revision without headers",
      "MCG3070",
      `"nameHeaders": [{"method":"ask","member":"question",${evidence}}]`,
      "2:17",
    ],
    [
      "about what an extension adds, for a revision",
      "MCG3071",
      `"alternatives": [{"method":"ask","type":"Answer","resultType":"late",${evidence}}]`,
      "2:18",
    ],
    [
      "about the header of an unknown method",
      "MCG3062",
      `"conventions": [${headers}], "nameHeaders": [{"method":"odd","member":"question",${evidence}}]`,
      "2:130",
    ],
    [
      "about a header for an unknown member",
      "MCG3062",
      `"conventions": [${headers}], "nameHeaders": [{"method":"ask","member":"answer",${evidence}}]`,
      "2:155",
    ],
    [
      "that repeat a header",
      "MCG3069",
      `"conventions": [${headers}], "nameHeaders": [{"method":"ask","member":"mood",${evidence}},{"method":"ask","member":"mood",${evidence}}]`,
      "2:214",
    ],
    [
      "about schemas of an unknown method",
      "MCG3062",
      `"conventions": [${headers}], "paramHeaders": [{"method":"ask","schemas":"odd",${evidence}}]`,
      "2:157",
    ],
    [
      "that repeat a convention",
      "MCG3069",
      `"conventions": [{"convention":"polling","value":true,${evidence}},{"convention":"polling","value":false,${evidence}}]`,
      "2:106",
    ],
  ])("%s", (_title, code, member, place) => {
    const { facts, found } = read(member);
    expect(found).toEqual([]);
    const linked = linkText(schema, facts);
    expect(linked.found).toEqual([`${code} facts.json ${place}`]);
    expect(linked.protocol).toBeUndefined();
  });

  it("about another revision", () => {
    const facts = { ...read().facts!, revision: "other" };
    expect(linkText(schema, facts).found).toEqual(["MCG3061 facts.json 1:15"]);
  });
});

/** Creates errata that correct two declarations of the file with this digest. */
function errata(sha256: string): Erratum[] {
  return [
    { sha256, declaration: "ClientRequest", arms: ["AskRequest"], ...stated },
    {
      sha256,
      declaration: "Size",
      members: ["width", "inner.depth"],
      constraints: { number: "number" as const },
      ...stated,
    },
  ];
}

describe("facts", () => {
  it("set conventions of a schema, which otherwise has the newest of its lifecycle", () => {
    const schema = BASICS + unions();
    expect(linkText(schema).protocol?.conventions).toEqual(HANDSHAKE_CONVENTIONS);
    const conventions = [{ convention: "http", value: "sse", ...stated }] as const;
    const { protocol } = linkText(schema, { revision: "test", conventions });
    expect(protocol?.conventions).toEqual({ ...HANDSHAKE_CONVENTIONS, http: "sse" });
  });

  const calls = `
export interface CallRequest { method: "tools/call"; params: { name: string; tool: string } }
export interface CallResult {}
export interface ListRequest { method: "tools/list" }
export interface ListResult {}
export const METHOD_NOT_FOUND = -32601;
${BASICS}${unions({ ClientRequest: "CallRequest | ListRequest", ServerResult: "CallResult | ListResult" })}`
    .replaceAll("InitializeRequest", "DiscoverRequest")
    .replaceAll("InitializeResult", "DiscoverResult")
    .replaceAll("initialize", "server/discover")
    .replace("params: { capabilities: ClientCapabilities }", "params?: {}");

  it("are not needed for known headers and statuses of stateless requests", () => {
    const { protocol, found } = linkText(calls);
    expect(found).toEqual([]);
    expect(protocol?.conventions).toEqual({
      ...DEFAULT_CONVENTIONS,
      errorStatuses: { METHOD_NOT_FOUND: 404 },
    });
    expect(protocol?.methods[0]).toMatchObject({ nameHeader: "name", paramHeaders: "tools/list" });
    expect(protocol?.methods[1]).not.toHaveProperty("nameHeader");
  });

  it("replace the known headers and statuses", () => {
    const { protocol, found } = linkText(calls, {
      revision: "test",
      nameHeaders: [{ method: "tools/call", member: "tool", ...stated }],
      paramHeaders: [],
      conventions: [{ convention: "errorStatuses", value: { METHOD_NOT_FOUND: 410 }, ...stated }],
    });
    expect(found).toEqual([]);
    expect(protocol?.conventions.errorStatuses).toEqual({ METHOD_NOT_FOUND: 410 });
    expect(protocol?.methods[0]).toMatchObject({ nameHeader: "tool" });
    expect(protocol?.methods[0]).not.toHaveProperty("paramHeaders");
  });

  it("that leave out the header of a request which names an item are reported", () => {
    const nameHeaders = [{ method: "server/discover", member: "of", ...stated }];
    const missing = calls.replace("params?: {}", "params?: { of?: string }");
    const { protocol, found } = linkText(missing, { revision: "test", nameHeaders });
    expect(found).toEqual(["MCG3074 2:1"]);
    expect(protocol?.methods[0]).not.toHaveProperty("nameHeader");
    const accepted = [{ code: "MCG3074", about: "tools/call", ...stated }];
    expect(linkText(missing, { revision: "test", nameHeaders, accepted }).found).toEqual([]);
  });

  it("set directions in a schema without unions", () => {
    const schema = `export interface AskRequest { method: "ask" }
export interface ToldNotification { method: "notifications/told" }${BASICS}${unions()}`;
    const directions = [
      { method: "ask", from: "server", channel: "embedded", ...stated },
      { method: "notifications/told", from: "both", ...stated },
    ] as const;
    const accepted = [{ code: "MCG3009", about: "InputResponse", ...stated }];
    const { protocol, found } = linkText(schema, { revision: "test", directions, accepted });
    expect(found).toEqual([]);
    expect(protocol?.methods.map(({ method, from, channel }) => [method, from, channel])).toEqual([
      ["ask", "server", "embedded"],
      ["notifications/told", "both", "wire"],
      ["initialize", "client", "wire"],
    ]);
  });

  it("set the kinds of messages whose methods do not show them", () => {
    const schema = `export interface DoneNotification { method: "done" }
export interface HeardNotification { method: "ui/notifications/heard" }
export interface AskRequest { method: "notifications/ask" }${BASICS}${unions({ ServerNotification: "HeardNotification | DoneNotification", ClientRequest: "AskRequest" })}`;
    const directions = [
      { method: "done", from: "server", kind: "notification", ...stated },
      { method: "notifications/ask", from: "client", kind: "request", ...stated },
    ] as const;
    const { protocol, found } = linkText(schema, { revision: "test", directions });
    expect(found).toEqual([]);
    expect(protocol?.methods.map(({ method, kind, from }) => [method, kind, from])).toEqual([
      ["done", "notification", "server"],
      ["ui/notifications/heard", "notification", "server"],
      ["notifications/ask", "request", "client"],
      ["initialize", "request", "client"],
    ]);
    const other = directions.map((fact) => ({ ...fact, from: "both" as const }));
    const refused = linkText(schema, { revision: "test", directions: other }).diagnostics.items;
    expect(refused.filter(({ code }) => code === "MCG3063")).toHaveLength(2);
  });

  it("correct an incorrect copy that its digest identifies, and no other", () => {
    const schema = `export interface AskRequest { method: "ask" }
export interface Size { width: number; inner: { depth: number } }${BASICS}${unions()}`;
    const other = linkText(schema, { revision: "test", errata: errata("1".repeat(64)) });
    expect(other.found).toEqual(["MCG3001 1:1"]);

    const { protocol, found } = linkText(schema, {
      revision: "test",
      errata: errata("0".repeat(64)),
    });
    expect(found).toEqual([]);
    expect(protocol?.aggregates["ClientRequest"]).toEqual(["InitializeRequest", "AskRequest"]);
    expect(protocol?.declarations.find(({ name }) => name === "Size")).toMatchObject({
      members: [
        { name: "width", constraints: { number: "number" } },
        { name: "inner", type: { members: [{ constraints: { number: "number" } }] } },
      ],
    });
  });

  it("add codes, gates, conditions and successors", () => {
    const schema = `export interface AskRequest { method: "ask"; params: { of: { whom?: string } } }${BASICS}${unions({ ClientRequest: "AskRequest" })}`;
    const condition = { member: "of.whom", in: ["you"], capability: "client.roots" };
    const { protocol, found } = linkText(schema, {
      revision: "test",
      errorCodes: [{ name: "ODD", code: -7, ...stated }],
      capabilities: [{ method: "ask", capability: "server.tools.listChanged", ...stated }],
      conditions: [{ method: "ask", ...condition, ...stated }],
      successors: [{ from: "Answer", to: "EmptyResult", ...stated }],
    });
    expect(found).toEqual([]);
    expect(protocol?.errorCodes).toEqual([{ name: "ODD", code: -7, origin: "prose" }]);
    expect(protocol?.methods[0]).toMatchObject({
      capability: "server.tools.listChanged",
      declares: { tools: { listChanged: true } },
      conditions: [condition],
    });
    expect(protocol?.successors).toEqual([{ from: "Answer", to: "EmptyResult" }]);
  });
});

describe("bundled facts (GEN-08)", () => {
  const folder = new URL("../../schema/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("facts.json"),
  );
  const schema = JSON.parse(readFileSync(new URL("facts.schema.json", folder), "utf8")) as object;
  const validate = new Ajv2020({ allErrors: true }).compile(schema);

  it.each(files)("are valid by both definitions of their format: %s", (file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const diagnostics = new Diagnostics();
    const facts = readFacts(text, "facts.json", diagnostics);
    if (facts?.extends === undefined) expect(`${facts?.revision}/facts.json`).toBe(file);
    expect(diagnostics.items).toEqual([]);
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
  });

  it("have a schema that refuses what the reader refuses", () => {
    const wrong = [
      {},
      { revision: "x", titel: "y" },
      { revision: "x", errorCodes: [{ name: "A", code: 1 }] },
      { revision: "x", accepted: [{ code: "3012", about: "A", ...stated }] },
      { revision: "x", capabilities: [{ method: "a", capability: "tools", ...stated }] },
    ];
    for (const facts of wrong) {
      expect(validate(facts), JSON.stringify(facts)).toBe(false);
      expect(readFacts(JSON.stringify(facts), "facts.json", new Diagnostics())).toBeUndefined();
    }
  });
});
