import { describe, expect, it } from "vitest";
import type { Facts } from "../../generator/link/facts.js";
import { BASICS, linkText, unions } from "./link-text.js";

interface Case {
  readonly title: string;
  /** The text that precedes the basics, so that its lines count from 1. */
  readonly text: string;
  readonly arms?: Record<string, string>;
  readonly facts?: Omit<Facts, "revision">;
  /** Changes the whole schema. */
  readonly edit?: (schema: string) => string;
  readonly found: readonly string[];
  /** True if the schema links in spite of this. */
  readonly links?: boolean;
}

const evidence = { reason: "test", source: "https://example.org/" };
const replace = (pattern: string | RegExp, by: string) => (schema: string) =>
  schema.replaceAll(pattern, by);

const cases: Case[] = [
  {
    title: "a request that no union lists",
    text: `export interface OddRequest { method: "odd/do" }`,
    found: ["MCG3001 1:1"],
  },
  {
    title: "a notification whose siblings disagree",
    text: `export interface ANotification { method: "notifications/x/a" }
export interface BNotification { method: "notifications/x/b" }
export interface CNotification { method: "notifications/x/c" }`,
    arms: { ClientNotification: "ANotification", ServerNotification: "BNotification" },
    found: ["MCG3001 3:1"],
  },
  {
    title: "a request whose siblings imply its direction",
    text: `export interface ReadRequest { method: "files/read" }
export interface ListRequest { method: "files/list" }`,
    arms: { ClientRequest: "ReadRequest" },
    found: ["MCG3002 2:1"],
    links: true,
  },
  {
    title: "a union that lists a type without a method",
    text: `export interface Thing { name: string }`,
    arms: { ClientRequest: "Thing" },
    found: ["MCG3003 14:1"],
  },
  {
    title: "a union that lists an inline type",
    text: "",
    arms: { ServerResult: "{ x: string }" },
    found: ["MCG3003 15:61"],
  },
  {
    title: "a missing envelope type",
    text: "",
    edit: replace(/export interface Implementation.*\n/g, ""),
    found: ["MCG3004 -"],
  },
  {
    title: "a message union without errors",
    text: "",
    edit: replace(" | JSONRPCError", ""),
    found: ["MCG3004 9:1"],
  },
  {
    title: "two messages with one method",
    text: `export interface AskRequest { method: "ask" }
export interface DemandRequest { method: "ask" }`,
    arms: { ClientRequest: "AskRequest | DemandRequest" },
    found: ["MCG3005 2:1"],
  },
  {
    title: "a request without a literal method",
    text: `export interface AskRequest { method: string }`,
    found: ["MCG3006 1:1"],
  },
  {
    title: "a request that is named like another type",
    text: `export interface Question { method: "ask" }`,
    arms: { ClientRequest: "Question" },
    found: ["MCG3007 1:1"],
  },
  {
    title: "a notification with the method of a request",
    text: `export interface DoneNotification { method: "done" }`,
    arms: { ServerNotification: "DoneNotification" },
    found: ["MCG3007 1:1", "MCG3003 16:1", "MCG3009 1:1"],
  },
  {
    title: "a request with an unknown member",
    text: `export interface AskRequest { method: "ask"; question: string }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3008 1:1"],
  },
  {
    title: "a notification with an id",
    text: `export interface DoneNotification { method: "notifications/done"; id: string }`,
    arms: { ServerNotification: "DoneNotification" },
    found: ["MCG3008 1:1"],
  },
  {
    title: "a request without a result",
    text: `export interface AskRequest { method: "ask" }`,
    arms: { ClientRequest: "AskRequest" },
    edit: replace("EmptyResult", "Nothing"),
    found: ["MCG3010 1:1", "MCG3011 5:1"],
  },
  {
    title: "a result without a request",
    text: `export interface AskResult { answer: string }`,
    found: ["MCG3011 1:1"],
  },
  {
    title: "a result whose name does not lead to its request",
    text: `export interface ListWordsRequest { method: "words/list" }
export interface WordsPage { words: string[] }`,
    arms: { ClientRequest: "ListWordsRequest", ServerResult: "WordsPage" },
    found: ["MCG3011 2:1"],
  },
  {
    title: "a result that its union does not list",
    text: `export interface AskRequest { method: "ask" }
export interface AskResult { answer: string }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3012 2:1"],
    links: true,
  },
  {
    title: "no union of results",
    text: `export interface AskRequest { method: "ask" }`,
    arms: { ServerRequest: "AskRequest" },
    found: ["MCG3009 1:1"],
    links: true,
  },
  {
    title: "an empty result although results have a type",
    text: `export interface AskRequest { method: "ask" }`,
    arms: { ClientRequest: "AskRequest" },
    edit: replace("result: {}", "result: { resultType: string }"),
    found: ["MCG3013 1:1"],
    links: true,
  },
  {
    title: "a cursor without a next one in the result",
    text: `export interface AskRequest { method: "ask"; params?: { cursor?: string } }
export interface AskResult { answers: string[]; next?: string }`,
    arms: { ClientRequest: "AskRequest", ServerResult: "AskResult" },
    found: ["MCG3021 1:1"],
    links: true,
  },
  {
    title: "a task parameter without a task as the result",
    text: `export interface AskRequest { method: "ask"; params: { task?: TaskMetadata } }
export interface TaskMetadata { ttl?: number }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3014 1:1", "MCG3012 1:1"],
  },
  {
    title: "a task parameter of some alternatives only",
    text: `export interface AskRequest { method: "ask"; params: { task?: TaskMetadata } | { x: string } }
export interface TaskMetadata { ttl?: number }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3015 1:1"],
    links: true,
  },
  {
    title: "a response without a request",
    text: `export interface AskResultResponse extends JSONRPCResponse { result: EmptyResult }`,
    found: ["MCG3016 1:1"],
  },
  {
    title: "a category that names another method",
    text: `/** @category \`initialize\` */
export interface AskRequest { method: "ask" }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3017 2:1"],
    links: true,
  },
  {
    title: "a result without a name",
    text: `export interface AskRequest { method: "ask" }
export interface AskResultResponse { result: EmptyResult | { answer: string } }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3018 2:60"],
  },
  {
    title: "a request both on the wire and embedded",
    text: `export interface AskRequest { method: "ask" }`,
    arms: { ServerRequest: "AskRequest", InputRequest: "AskRequest", ClientResult: "EmptyResult" },
    found: ["MCG3019 1:1"],
  },
  {
    title: "a generated name that is taken",
    text: `export interface AskRequest { method: "ask"; params: { question: string } }
export interface AskRequestParams { other: string }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3020 1:1"],
  },
  {
    title: "no way to open a connection",
    text: "",
    edit: replace("Initialize", "Begin"),
    found: ["MCG3030 -"],
  },
  {
    title: "two ways to open a connection",
    text: `export interface DiscoverRequest { method: "server/discover" }`,
    arms: { ClientRequest: "DiscoverRequest" },
    found: ["MCG3030 3:1"],
  },
  {
    title: "an envelope that only some requests declare",
    text: `export interface AskRequest { jsonrpc: "2.0"; id: string; method: "ask" }`,
    arms: { ClientRequest: "AskRequest" },
    found: ["MCG3031 3:1"],
  },
  {
    title: "an error type whose code has no constant",
    text: `export interface OddError { code: -5; message: string }`,
    found: ["MCG3040 1:1"],
  },
  {
    title: "two constants with one code",
    text: `export const ODD = -5;
export const EVEN = -5;`,
    found: ["MCG3041 2:1"],
  },
  {
    title: "required members of messages that the engine sends",
    text: `export interface PingRequest { method: "ping"; params: { nonce: string; _meta?: {} } }
export interface CancelledNotification { method: "notifications/cancelled"; params: { requestId: string; why: string } }`,
    arms: { ClientRequest: "PingRequest", ClientNotification: "CancelledNotification" },
    edit: replace(
      "capabilities: ServerCapabilities }",
      "capabilities: ServerCapabilities; ticket: string }",
    ),
    found: ["MCG3032 1:65", "MCG3032 2:111", "MCG3032 5:79"],
  },
];

describe("link refuses", () => {
  it.each(cases)("$title", ({ text, arms, facts, edit = String, found, links = false }) => {
    const schema = edit(`${text}${BASICS}${unions(arms)}`);
    const result = linkText(schema, { revision: "test", ...facts });
    expect(result.found).toEqual(found);
    expect(result.protocol !== undefined).toBe(links);
    for (const { hint, example, message } of result.diagnostics.items) {
      expect(message).toMatch(/\.$|\?$/);
      expect(hint).toMatch(example === undefined ? /\.$/ : /[.:]$/);
    }
  });

  it("a missing union, with an example that has the messages of both sides", () => {
    const schema = `export interface PingRequest { method: "ping" }
export interface AskRequest { method: "ask" }${BASICS}
export type ServerRequest = PingRequest;
export type ServerResult = EmptyResult | InitializeResult;
export type ClientResult = EmptyResult;`;
    const [first] = linkText(schema).diagnostics.items;
    expect(first?.example).toBe(
      "export type ClientRequest = PingRequest | AskRequest | InitializeRequest;",
    );
  });

  it("an accepted finding whose fact is stale", () => {
    const text = `export interface AskRequest { method: "ask" }
export interface AskResult { answer: string }`;
    const schema = `${text}${BASICS}${unions({ ClientRequest: "AskRequest" })}`;
    const accepted = [{ code: "MCG3012", about: "AskResult", ...evidence }];
    expect(linkText(schema, { revision: "test", accepted }).found).toEqual([]);
  });
});
