import { AT, error, hint, on, PAGE, warning } from "./check.js";

/**
 * The checks that the doctor runs when it examines a server. Ids are stable. Checks that need only a conversation, even
 * a recorded one, are in `MESSAGE_CHECKS`.
 */
export const SERVER_CHECKS = {
  // Opening
  ...on(PAGE.lifecycle, AT.any, {
    "opening-answered": error("A server answers the opening request.", {
      expected: "an answer to the opening request",
      advice:
        "A command must stay alive, and read standard input; a URL must be that of the endpoint.",
    }),
  }),
  ...on(PAGE.lifecycle, AT.sessions, {
    "version-invented": error("A server does not agree to a version that does not exist.", {
      expected: "a version that the server supports",
      advice: "Look the requested version up in a list; do not echo it.",
    }),
  }),
  ...on(PAGE.lifecycle, AT.sessions, {
    "version-latest": warning(
      "A server that does not support a version answers with the latest that it supports.",
      { leniency: "The specification only recommends that this is the latest." },
    ),
  }),
  ...on(PAGE.lifecycle, AT.stateless, {
    "version-refused": error(
      "A version that is not supported is refused with -32022, and with those that are in data.supported.",
      { expected: "the error -32022, with the supported revisions in data.supported" },
    ),
  }),
  // Lists
  ...on(PAGE.lifecycle, AT.any, {
    "list-unserved": "A list whose capability is declared can be read.",
  }),
  ...on("server/utilities/pagination", AT.any, {
    "list-endless": error("A list has at most 200 pages.", { expected: "at most 200 pages" }),
  }),
  ...on("server/utilities/pagination", AT.any, {
    "cursor-stable": warning("A cursor leads to its page again."),
  }),
  ...on("server/tools", AT.any, {
    "change-announced": warning(
      "A server that declares listChanged or subscribe sends a notification when a list, or a subscribed resource, changes.",
    ),
  }),
  ...on(PAGE.lifecycle, AT.any, {
    "capability-refused": warning(
      "A method whose capability is not declared is refused with -32601.",
      { demands: AT.stateless },
    ),
  }),
  ...on("server/tools", AT.stateless, {
    "list-order": warning("The order of a list stays the same while its items do."),
  }),
  ...on(PAGE.none, AT.any, {
    "name-case": hint("Names do not differ in case only.", {
      expected: "names that differ in more than case",
    }),
    "schema-slow": hint("Patterns of schemas can be matched in linear time.", {
      expected: "a pattern that takes linear time",
      advice: "Clients that do not trust a server refuse such patterns.",
    }),
    "schema-required": hint("required names members that properties describes.", {
      expected: "a name in properties",
    }),
    "schema-default": hint("A default fits its schema.", {
      expected: "a value that fits the schema",
    }),
    "text-unseen": hint("Texts have no characters that cannot be seen.", {
      expected: "characters that can be seen",
      advice: "A model reads such characters, and a person does not.",
    }),
    "description-missing": hint("Tools and prompts have a description.", {
      expected: "a description",
    }),
    "definitions-large": hint("All definitions together take fewer than 20,000 tokens.", {
      expected: "fewer than 20,000 tokens",
    }),
  }),
  ...on("basic", AT.any, {
    "icon-address": warning("An icon has an https: or a data: URL.", {
      expected: "an https: or a data: URL",
    }),
  }),
  ...on("server/prompts", AT.any, {
    "argument-repeated": warning("Each argument of a prompt has a name of its own.", {
      expected: "one argument of this name",
    }),
  }),
  ...on("basic", AT.stateless, {
    "list-varies": "A list does not depend on the connection, or on requests before.",
  }),
  // Use of items
  ...on("server/tools", AT.any, {
    "tool-failure": warning(
      "A tool that fails returns a result with isError, not an error of the protocol.",
      { expected: "a result with isError" },
    ),
    "arguments-unchecked": warning("Arguments that do not fit the inputSchema are refused.", {
      leniency: "A tool can do without an argument that its schema requires.",
      advice: "The doctor tries this only with tools that only read, or are idempotent.",
    }),
  }),
  ...on("server/resources", AT.any, {
    "resource-unreadable": warning("A resource that is listed can be read."),
    "resource-outside": error("A URI with .. segments does not lead out of a server's folder.", {
      expected: "an error",
      advice: "Resolve the path, and refuse one that is not below the folder.",
    }),
    "resource-contents": warning("The contents of a resource have its URI, or one below it."),
  }),
  ...on("server/prompts", AT.any, {
    "prompt-unavailable": warning(
      "A prompt that is listed and needs no arguments can be requested.",
    ),
    "prompt-arguments": warning("A prompt without a required argument is refused with -32602."),
  }),
  ...on("server/utilities/completion", AT.any, {
    "completion-unserved": error(
      "A server that declares completions completes the arguments of its prompts.",
      { expected: "a completion" },
    ),
    "completion-unknown": warning("A completion for an unknown prompt is refused with -32602.", {
      expected: "the error -32602",
    }),
    "completion-argument": warning(
      "A completion request without an argument is refused with -32602.",
    ),
  }),
  ...on("server/resources", AT.subscriptions, {
    "resource-unsubscribable": error(
      "A server that declares subscriptions to resources accepts them, and their end.",
      { expected: "an empty result" },
    ),
  }),
  ...on(PAGE.subscriptions, AT.stateless, {
    "listen-acknowledged":
      "A server acknowledges a subscription before anything else, and keeps it open.",
  }),
  ...on("server/utilities/logging", AT.any, {
    "level-set": "A server that declares logging accepts each level.",
  }),
  ...on("basic", AT.batches, {
    "batch-answered": warning("Each request of a batch gets a response.", {
      leniency: "The official SDKs neither send nor read batches.",
      expected: "a response to each request of the batch",
    }),
  }),
  ...on({ session: "client/elicitation", stateless: "basic/patterns/mrtr" }, AT.elicitation, {
    "answers-unchecked": warning(
      "An answer that is malformed, or does not fit its form, is refused, or requested again.",
      { expected: "an error, or another request for input" },
    ),
  }),
  ...on(PAGE.rounds, AT.stateless, {
    "answers-missing": warning(
      "Input responses that are missing are requested again, and those not requested are ignored.",
    ),
    "state-unprotected": warning("A requestState that was changed is refused.", {
      leniency: "A state that decides nothing need not be protected.",
      expected: "an error",
      advice: "Seal the state with an HMAC, and refuse one whose seal does not fit.",
    }),
    "state-changed": error("A requestState that was changed has no influence on a result.", {
      expected: "an error",
      advice: "Seal the state with an HMAC, and refuse one whose seal does not fit.",
    }),
    "capability-required":
      "A call that needs input that the client does not support is refused with -32021.",
  }),
  ...on("basic", AT.stateless, {
    "requests-interleaved": warning(
      "Requests of several clients are served: on one connection, or with the same id on several.",
      { expected: "a result for both of two clients" },
    ),
  }),
  // Errors
  ...on(PAGE.lifecycle, AT.stateless, {
    "version-named": warning(
      "A server without sessions refuses initialize with the versions that it supports.",
    ),
  }),
  ...on("basic", AT.stateless, {
    "task-extension":
      "A task of the extension can be read as soon as it is returned, and each of its input requests has a key of its own. Unknown tasks are refused with -32602, methods of sessions with -32601, and clients that do not declare the extension with -32021.",
  }),
  ...on("basic", AT.any, {
    "method-refused": error("An unknown method is refused with -32601.", {
      expected: "the error -32601",
    }),
  }),
  ...on("server/tools", AT.any, {
    "tool-invented": error("The call of an unknown tool fails.", { expected: "an error" }),
    "tool-unknown": warning("The call of an unknown tool is refused with -32602.", {
      expected: "the error -32602",
    }),
    "params-refused": warning("Invalid parameters are refused with -32602."),
  }),
  ...on("server/utilities/pagination", AT.any, {
    "cursor-refused": warning("An invalid cursor is refused with -32602.", {
      expected: "the error -32602",
    }),
  }),
  ...on("server/resources", AT.any, {
    "resource-unknown": warning("An unknown resource is refused with the error of the revision.", {
      demands: AT.stateless,
    }),
    "resource-invented": error("Reading an unknown resource fails.", { expected: "an error" }),
  }),
  ...on("server/resources", AT.stateless, {
    "resource-named": warning("The error for an unknown resource names its URI in data.", {
      leniency: "The specification only recommends the URI.",
      expected: "the URI of the request",
    }),
  }),
  ...on("server/prompts", AT.any, {
    "prompt-unknown": warning("An unknown prompt is refused with -32602.", {
      expected: "the error -32602",
    }),
  }),
  ...on(PAGE.tasks, AT.tasks, {
    "task-unknown": error("An unknown task, or page of tasks, is refused with -32602.", {
      expected: "the error -32602",
    }),
    "task-created": error("A tool that supports tasks returns a task if it is called as a task.", {
      expected: "a result with a task",
    }),
    "task-lost": error("A task can be read as soon as it is created.", {
      expected: "the state of the task",
    }),
    "task-unlisted": error("A task that can be read is in the list of tasks.", {
      expected: "the task that was just read",
    }),
    "task-early": error("The result of a task is returned once the task has ended.", {
      expected: "no response while the task runs",
    }),
    "task-uncancelled": error("A task that runs can be cancelled.", {
      expected: "the cancelled task",
    }),
    "task-ignored": warning("A server without tasks ignores that a tool is called as a task.", {
      leniency: "A client must not call such a tool as a task, and the official SDK refuses to.",
      expected: "the result of the call",
    }),
    "task-forbidden": warning(
      "A tool that forbids tasks refuses to be called as a task, with -32601.",
      {
        expected: "the error -32601",
      },
    ),
    "task-ended": error("A task that has ended refuses tasks/cancel with -32602.", {
      expected: "the error -32602",
    }),
    "task-required": error("A tool that requires a task refuses a call without one with -32601.", {
      expected: "the error -32601, as the call has no task",
    }),
  }),
  ...on({ ...PAGE.tasks, stateless: "basic" }, (one) => AT.tasks(one) || AT.stateless(one), {
    "task-guessable": warning("The id of a task is unique, and cannot be predicted.", {
      leniency: "A server that knows its users can bind tasks to them.",
    }),
  }),
  ...on(PAGE.none, AT.any, {
    "error-leak": hint("An error shows neither a stack nor a path.", {
      expected: "neither a stack nor a path",
    }),
  }),
  ...on("basic", AT.stateless, {
    "meta-required": error("A request without the required members of _meta is refused.", {
      expected: "the error -32602",
    }),
    "meta-optional": error("A request without clientInfo is served.", {
      expected: "a result, as clientInfo is optional",
    }),
  }),
  ...on(PAGE.http, AT.methodHeaders, {
    "meta-status": "A request without the required members of _meta is refused with 400.",
  }),
  ...on("server/utilities/logging", AT.any, {
    "level-unknown": warning("An unknown log level is refused with -32602.", {
      expected: "the error -32602",
    }),
  }),
  // Staying alive, and exiting
  ...on("basic/utilities/ping", AT.sessions, {
    "ping-answered": error("A server answers ping with an empty result.", {
      expected: "an empty result",
    }),
  }),
  ...on("basic", AT.any, {
    "request-silent": error("A server answers each request, in time.", {
      expected: "an answer in time",
    }),
    "id-accepted": error(
      "A server answers requests regardless of the type of their id: string or integer.",
      { expected: "a result" },
    ),
  }),
  ...on("basic", AT.any, {
    "members-tolerated": warning(
      "Unknown capabilities, and unknown members of _meta, are ignored.",
      {
        leniency: "Their types are open, but the specification does not state this requirement.",
      },
    ),
  }),
  ...on("basic", AT.stateless, {
    "server-named": warning("Each result names its server in _meta.", {
      expected: "name and version of the server",
    }),
  }),
  ...on(PAGE.cancellation, AT.any, {
    "cancel-tolerated": error(
      "A server that receives a cancellation goes on, even if it does not know the request.",
      { expected: "an answer to the next request" },
    ),
    "cancel-others": error("A cancellation ends only the request that it names.", {
      expected: "an answer to each other request",
    }),
  }),
  ...on(PAGE.none, AT.any, {
    "garbage-tolerated": hint("A line that is not a message does not end a server.", {
      expected: "an answer to the next request",
    }),
    "exit-code": hint("A server that exits because its input has ended does so with code 0.", {
      expected: "code 0",
    }),
    "revision-differs": hint("A server offers the same in each revision."),
  }),
  ...on(PAGE.stdio, AT.any, {
    "server-ended": error("A server stays alive during a conversation.", {
      expected: "a server that stays alive",
    }),
    "server-flood": error("A server sends no more than a client can read.", {
      expected: "no more than a client can read",
    }),
    "exit-on-end": warning("A server exits when its standard input ends.", {
      expected: "the exit of the server at the end of its input",
      advice: "Listen for the end of standard input, and exit.",
    }),
    "exit-on-signal": warning("A server exits when it receives SIGTERM.", {
      expected: "the exit of the server after SIGTERM",
    }),
  }),
};
