import { VALIDATOR_IMPORTS } from "./runtime-imports.js";

export const RESERVED_NAMES: ReadonlyMap<string, string> = new Map([
  ...["Client", "ClientContext", "ClientHandlers", "ClientMiddleware"].map(
    reason("the client's module exports it"),
  ),
  ...["Server", "ServerContext", "Handlers", "ServerMiddleware"].map(
    reason("the server's module exports it"),
  ),
  ...["revision", "validators"].map(reason("the package's index exports it")),
  ...["ClientRequests", "ClientNotifications", "ServerRequests", "ServerNotifications"].map(
    reason("types.ts maps methods to types under this name"),
  ),
  ["EmbeddedRequests", "types.ts maps methods to types under this name"],
  ...[
    "ClientMessage",
    "ClientCall",
    "ClientReply",
    "ServerMessage",
    "ServerCall",
    "ServerReply",
  ].map(reason("types.ts declares the union of a side's messages under this name")),
  ...["NonNullable", "Omit", "Record"].map(reason("types.ts uses TypeScript's type of this name")),
  ...Object.keys(VALIDATOR_IMPORTS).map(reason("validators.ts imports it from the runtime")),
  ...["depth", "formats", "item", "messageShapes", "shapes", "value"].map(
    reason("validators.ts has variables of this name"),
  ),
  ["extension", "the index of an extension exports it"],
  ["types", "validators.ts imports the types under this name"],
  ["then", "it would turn the module of validators into a thenable"],
]);

/** The members of the base classes and of every object. Stubs must not have these names. */
export const BASE_MEMBERS: ReadonlySet<string> = new Set([
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "__proto__",
  "catchUp",
  "client",
  "close",
  "closed",
  "connect",
  "constructor",
  "discovered",
  "endpoint",
  "fork",
  "forks",
  "isClosed",
  "hasOwnProperty",
  "isPrototypeOf",
  "loadStateless",
  "notify",
  "pages",
  "paramHeaders",
  "propertyIsEnumerable",
  "request",
  "revision",
  "revisions",
  "server",
  "session",
  "sessions",
  "lasting",
  "siblings",
  "stateless",
  "statelessRequests",
  "then",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/**
 * The stubs that are replaced by methods of the multi-revision client's base class, because those methods do more than
 * send a message.
 */
export const FACADE_STUBS: ReadonlySet<string> = new Set([
  "callTool",
  "discover",
  "ping",
  "setLevel",
  "subscribe",
  "unsubscribe",
]);

/** The members of the multi-revision client's base class. Stubs must not have these names. */
export const FACADE_MEMBERS: ReadonlySet<string> = new Set([
  ...BASE_MEMBERS,
  "callTool",
  "era",
  "items",
  "list",
  "off",
  "on",
  "open",
  "ping",
  "setLogLevel",
  "subscribe",
  "unsubscribe",
  "use",
]);

function reason(text: string): (name: string) => [string, string] {
  return (name) => [name, text];
}
