import type { Conventions, Traits } from "../../link/protocol.js";
import type { Revision } from "./reference.js";

type Texts = Readonly<Record<string, string>> | ((conventions: Conventions) => string);

/** The meaning of each trait or convention value that the generator knows. */
const TEXTS: Readonly<Record<keyof Traits | keyof Conventions, Texts>> = {
  lifecycle: {
    initialize: "A handshake opens each session, and settles the revision and the capabilities.",
    discover:
      "There is no handshake: each request is self-contained, and states its revision and capabilities.",
  },
  serverRequests: {
    wire: "A server sends requests to its client, as messages of their own.",
    embedded:
      "A server's requests to its client are returned inside a result; the client sends its own request again, with the answers.",
    none: "A server sends no requests.",
  },
  batching: {
    true: "Several messages can be sent as one array.",
    false: "Each message is sent on its own, never in an array.",
  },
  envelope: {
    inside: "The types of messages include the members of JSON-RPC.",
    outside: "The types of messages leave the members of JSON-RPC to the transport.",
  },
  requestMeta: {
    required: "Each request carries metadata.",
    optional: "A request may carry metadata.",
  },
  resultType: { true: "Each result states its kind.", false: "A result does not state its kind." },
  cacheable: {
    true: "Some results state how long they are fresh.",
    false: "No result states how long it is fresh.",
  },
  errorId: {
    required: "An error response always has an id.",
    optional: "An error response to an unreadable request has no id.",
  },
  tasks: {
    true: "A request can become a task, whose result is fetched later.",
    false: "A request cannot become a task.",
  },
  progressMessage: {
    true: "Progress can carry a message.",
    false: "Progress consists of numbers only.",
  },
  http: {
    streamable: "One HTTP endpoint receives all messages, and responds with JSON or a stream.",
    sse: "A stream of events over HTTP, and a second endpoint for the client's messages.",
  },
  versionHeader: {
    true: "HTTP requests name their revision in a header.",
    false: "HTTP requests do not name their revision.",
  },
  polling: {
    true: "A server may close a stream before its response; the client reconnects for the rest.",
    false: "A stream that ends before its response is lost.",
  },
  toolInputErrors: {
    error: "Invalid arguments are reported as a JSON-RPC error.",
    result:
      "Invalid arguments are reported as a failed result, which a model can read and correct.",
  },
  fallbackStatuses: ({ fallbackStatuses: statuses }) =>
    `A client that is refused with ${typeof statuses === "string" ? statuses : statuses.join(", ")} tries the older transport.`,
  methodHeaders: {
    true: "HTTP requests repeat their method in a header.",
    false: "Only the body of a message names its method.",
  },
  errorStatuses: ({ errorStatuses }) =>
    Object.keys(errorStatuses).length === 0
      ? "An error has the HTTP status of a result."
      : "Some errors have an HTTP status of their own; all others have that of a result.",
  reservedErrors: ({ reservedErrors: [first, last] }) =>
    first === undefined
      ? "Programs may use any error code."
      : `Programs use error codes outside of ${first} to ${last}.`,
};

/** Returns the meaning of a trait or convention in a revision, and the URL of the page that states it. */
export function meaningOf(
  name: string,
  { protocol, facts }: Revision,
): { readonly text: string; readonly source?: string } | undefined {
  const values: Readonly<Record<string, unknown>> = { ...protocol.traits, ...protocol.conventions };
  if (!Object.hasOwn(values, name)) return undefined;
  const fact = facts.conventions?.find(({ convention }) => convention === name);
  if (fact) {
    return {
      text: fact.reason,
      ...(fact.source.startsWith("https://") && { source: fact.source }),
    };
  }
  const texts = TEXTS[name as keyof typeof TEXTS];
  const text =
    typeof texts === "function" ? texts(protocol.conventions) : texts[String(values[name])];
  return { text: text ?? "" };
}
