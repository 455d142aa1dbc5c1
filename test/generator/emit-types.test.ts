import { describe, expect, it } from "vitest";
import { emitTypes } from "../../generator/emit/types.js";
import { format } from "../../generator/format/format.js";
import { planOf, type Messages, schemaWith } from "./schema.js";

/** Returns the formatted text of some statements of types.ts, including comments. */
async function typesOf(messages: Messages, ...names: string[]): Promise<string> {
  const [file] = await format([emitTypes(planOf(schemaWith(messages)))]);
  const statements = file!.text.split(/\n\n(?=\/\*|export)/);
  const found = names.map((name) =>
    statements.find((text) => new RegExp(`^export \\w+ ${name}\\b`, "m").test(text)),
  );
  return found.join("\n").trim();
}

const declared = (declarations: string, ...names: string[]) => typesOf({ declarations }, ...names);

describe("declarations", () => {
  it("keep heritage, members in order and index signature of an interface", async () => {
    const text = `export interface Tool extends A, Omit<B, "x"> { z?: string; "io.x/a": number; [key: string]: unknown }
      export interface A {} export interface B { x: 1; y: 2 }`;
    expect(await declared(text, "Tool")).toBe(`export interface Tool extends A, Omit<B, "x"> {
  z?: string;
  "io.x/a": number;
  [key: string]: unknown;
}`);
  });

  it("keep every kind of type in an alias", async () => {
    const text = `export const N = -1;
      export type All = string | (A & { b: typeof N })[] | Array<number | null> | Record<string, never> | object | any;
      export interface A {}`;
    expect(await declared(text, "N", "All")).toBe(`export const N = -1;
export type All =
  | string
  | (A & {
      b: typeof N;
    })[]
  | (number | null)[]
  | Record<string, never>
  | object
  | any;`);
  });

  it("keep the known values of an open enumeration", async () => {
    expect(await declared(`export type Reason = "a" | "b" | string;`, "Reason")).toBe(
      `export type Reason = "a" | "b" | (string & {});`,
    );
  });

  it("separate members with comments", async () => {
    const text = `export interface T {
      /** A. */ a: string; b: string; c: string;
      /** D. */
      d: {
        /** E. */ e: string };
    }`;
    expect(await declared(text, "T")).toBe(`export interface T {
  /** A. */
  a: string;

  b: string;
  c: string;

  /** D. */
  d: {
    /** E. */
    e: string;
  };
}`);
  });

  it("name inline parameters after their owner", async () => {
    const text = `export interface AddRequest extends Request { method: "add"; params: { n: string } }
      export interface GetRequest extends Request { method: "get"; params?: { n: string } }`;
    const both = { declarations: text, clientRequests: ["AddRequest", "GetRequest"] };
    expect(await typesOf(both, "AddRequestParams", "GetRequestParams"))
      .toBe(`/** Parameters of {@link AddRequest}. */
export type AddRequestParams = AddRequest["params"];
/** Parameters of {@link GetRequest}. */
export type GetRequestParams = NonNullable<GetRequest["params"]>;`);
  });
});

const MESSAGES: Messages = {
  declarations: `
    export interface AddRequest extends Request { method: "a/add"; params: AddParams }
    export interface AddParams { n: string }
    export interface AddResult extends Result { sum: string }
    export interface GetRequest extends Request { method: "get" }
    export interface GoneNotification extends Notification { method: "notifications/gone" }`,
  clientRequests: ["AddRequest"],
  serverRequests: ["GetRequest"],
  serverNotifications: ["GoneNotification"],
  serverResults: ["AddResult"],
};

it("headings of sections stay in place", () => {
  const declarations =
    "/* Tools */\nexport interface A {}\nexport interface B {}\n/* Rest */\nexport interface C {}";
  const { text } = emitTypes(planOf(schemaWith({ declarations })));
  const lines = text.split("\n").filter((line) => /^\/\* |interface [ABC] /.test(line));
  expect(lines).toEqual([
    "/* Tools */",
    "export interface A {}",
    "export interface B {}",
    "/* Rest */",
    "export interface C {}",
    "/* Types by method */",
    "/* Messages by side */",
  ]);
});

describe("maps of messages", () => {
  it("map sent messages and their results by method", async () => {
    expect(await typesOf(MESSAGES, "ClientRequests", "ServerRequests", "ServerNotifications"))
      .toBe(`/** Requests from a client to a server, by method. */
export interface ClientRequests {
  "a/add": { params: AddParams; result: AddResult };
  initialize: { params: InitializeRequestParams; result: InitializeResult };
}
/** Requests from a server to a client, by method. */
export interface ServerRequests {
  get: { params?: RequestParams; result: EmptyResult };
}
/** Notifications from a server to a client, by method. */
export interface ServerNotifications {
  "notifications/gone": { params?: NotificationParams };
}`);
  });
});

describe("message unions (GEN-06)", () => {
  it("include the envelope if request types lack it", async () => {
    expect(await typesOf(MESSAGES, "ClientMessage")).toBe(
      `/** All messages that a client may send, envelope included. */
export type ClientMessage =
  | (JSONRPCRequest & ClientRequest)
  | (JSONRPCResponse & { result: ServerRequests[keyof ServerRequests]["result"] })
  | JSONRPCError;`,
    );
  });

  it("have no responses for a side that receives no requests", async () => {
    const messages = {
      ...MESSAGES,
      clientRequests: ["AddRequest", "GetRequest"],
      serverRequests: [],
    };
    expect(await typesOf(messages, "ServerRequest", "ClientMessage"))
      .toBe(`/** A server sends no requests. */
export type ServerRequest = never;
/** All messages that a client may send, envelope included. */
export type ClientMessage = JSONRPCRequest & ClientRequest;`);
  });

  it("include arrays if the protocol has batches", async () => {
    const batching: Messages = {
      ...MESSAGES,
      declarations: `${MESSAGES.declarations} export type Batch = JSONRPCRequest[];`,
      message: "JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError | Batch",
    };
    expect(await typesOf(batching, "ClientCall", "ServerMessage"))
      .toBe(`/** Requests and notifications of a client. */
export type ClientCall = JSONRPCRequest & ClientRequest;
/** All messages that a server may send, envelope included. */
export type ServerMessage = ServerCall | ServerReply | ServerCall[] | ServerReply[];`);
  });
});
