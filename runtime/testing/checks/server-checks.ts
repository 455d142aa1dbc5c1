import {
  type Checks,
  LIFECYCLE,
  ROUNDS,
  STDIO,
  SUBSCRIPTIONS,
  hasBatches,
  hasSubscriptions,
  hasTasks,
  isSession,
  isStateless,
} from "./check.js";

/**
 * Checks of servers for which the doctor sends messages that provoke a fault. Ids are stable.
 * Checks that only read messages are in `MESSAGE_CHECKS`.
 */
export const SERVER_CHECKS = {
  // Opening
  "opening-answered": {
    sentence: "A server answers the opening request.",
    expected: "an answer to the opening request",
    page: LIFECYCLE,
    advice: "Start the command by itself: it must stay alive, and read standard input.",
  },
  "version-invented": {
    sentence: "A server does not agree to a version that does not exist.",
    expected: "a version that the server supports",
    page: LIFECYCLE,
    applies: isSession,
    advice: "Look the requested version up in a list; do not echo it.",
  },
  "version-refused": {
    sentence:
      "A version that is not supported is refused with -32022, and with those that are in data.supported.",
    expected: "the error -32022, with the supported revisions in data.supported",
    page: LIFECYCLE,
    applies: isStateless,
  },

  // Lists
  "list-unserved": {
    sentence: "A list whose capability is declared can be read.",
    page: LIFECYCLE,
  },
  "list-endless": {
    sentence: "A list has at most 200 pages.",
    expected: "at most 200 pages",
    page: "server/utilities/pagination",
  },
  "list-order": {
    severity: "warning",
    sentence: "The order of a list stays the same while its items do.",
    page: "server/tools",
    applies: isStateless,
  },
  "name-case": {
    severity: "hint",
    sentence: "Names do not differ in case only.",
    expected: "names that differ in more than case",
  },
  "schema-slow": {
    severity: "hint",
    sentence: "Patterns of schemas can be matched in linear time.",
    expected: "a pattern that takes linear time",
    advice: "Clients that do not trust a server refuse such patterns.",
  },
  "schema-required": {
    severity: "hint",
    sentence: "required names members that properties describes.",
    expected: "a name in properties",
  },
  "schema-default": {
    severity: "hint",
    sentence: "A default fits its schema.",
    expected: "a value that fits the schema",
  },
  "icon-address": {
    severity: "warning",
    sentence: "An icon has an https: or a data: URL.",
    expected: "an https: or a data: URL",
    page: "basic",
  },
  "text-unseen": {
    severity: "hint",
    sentence: "Texts have no characters that cannot be seen.",
    expected: "characters that can be seen",
    advice: "A model reads such characters, and a person does not.",
  },
  "description-missing": {
    severity: "hint",
    sentence: "Tools and prompts have a description.",
    expected: "a description",
  },
  "definitions-large": {
    severity: "hint",
    sentence: "All definitions together take fewer than 20,000 tokens.",
    expected: "fewer than 20,000 tokens",
  },
  "argument-repeated": {
    severity: "warning",
    sentence: "Each argument of a prompt has a name of its own.",
    expected: "one argument of this name",
    page: "server/prompts",
  },

  "list-varies": {
    sentence: "A list does not depend on the connection, or on requests before.",
    page: "basic",
    applies: isStateless,
  },

  // Use
  "structured-text": {
    severity: "warning",
    sentence: "Structured content is also in a text, for clients that do not read it.",
    expected: "the structured content in a text, too",
    page: "server/tools",
  },
  "tool-failure": {
    severity: "warning",
    sentence: "A tool that fails returns a result with isError, not an error of the protocol.",
    expected: "a result with isError",
    page: "server/tools",
  },
  "resource-unreadable": {
    severity: "warning",
    sentence: "A resource that is listed can be read.",
    page: "server/resources",
  },
  "resource-contents": {
    severity: "warning",
    sentence: "The contents of a resource have its URI, or one below it.",
    page: "server/resources",
  },
  "prompt-unavailable": {
    severity: "warning",
    sentence: "A prompt that is listed and needs no arguments can be requested.",
    page: "server/prompts",
  },
  "completion-unserved": {
    sentence: "A server that declares completions completes the arguments of its prompts.",
    expected: "a completion",
    page: "server/utilities/completion",
  },
  "completion-unknown": {
    severity: "warning",
    sentence: "A completion for an unknown prompt is refused with -32602.",
    expected: "the error -32602",
    page: "server/utilities/completion",
  },

  "resource-unsubscribable": {
    sentence: "A server that declares subscriptions to resources accepts them, and their end.",
    expected: "an empty result",
    page: "server/resources",
    applies: hasSubscriptions,
  },
  "listen-acknowledged": {
    sentence: "A server acknowledges a subscription before anything else, and keeps it open.",
    page: SUBSCRIPTIONS,
    applies: isStateless,
  },
  "level-set": {
    sentence: "A server that declares logging accepts each level.",
    page: "server/utilities/logging",
  },
  "batch-answered": {
    severity: "warning",
    sentence: "Each request of a batch gets a response.",
    leniency: "The official SDKs neither send nor read batches.",
    expected: "a response to each request of the batch",
    page: "basic",
    applies: hasBatches,
  },
  "arguments-unchecked": {
    severity: "warning",
    sentence: "Arguments that do not fit the inputSchema are refused.",
    leniency: "A tool can do without an argument that its schema requires.",
    page: "server/tools",
    advice: "The doctor tries this only with tools that only read, or are idempotent.",
  },
  "prompt-arguments": {
    severity: "warning",
    sentence: "A prompt without a required argument is refused with -32602.",
    page: "server/prompts",
  },
  "state-unprotected": {
    severity: "hint",
    sentence: "A requestState that was changed is refused.",
    expected: "an error",
    advice: "Seal the state, if it decides what a client may do.",
  },

  "answers-unchecked": {
    severity: "warning",
    sentence: "An input response that is malformed is refused, or requested again.",
    expected: "an error, or another request for input",
    page: ROUNDS,
    applies: isStateless,
  },
  "requests-interleaved": {
    severity: "warning",
    sentence: "Requests of several clients on one connection are served.",
    expected: "a result for both of two clients",
    page: "basic",
    applies: isStateless,
  },

  // Errors
  "version-named": {
    severity: "warning",
    sentence: "A server without sessions refuses initialize with the versions that it supports.",
    page: { stateless: "basic/versioning" },
    applies: isStateless,
  },
  "task-extension": {
    sentence:
      "The tasks extension refuses unknown tasks with -32602, methods of sessions with -32601, and clients that do not declare it with -32021.",
    page: { stateless: "basic" },
    applies: isStateless,
  },
  "method-refused": {
    sentence: "An unknown method is refused with -32601.",
    expected: "the error -32601",
    page: "basic",
  },
  "tool-invented": {
    sentence: "The call of an unknown tool fails.",
    expected: "an error",
    page: "server/tools",
  },
  "tool-unknown": {
    severity: "warning",
    sentence: "The call of an unknown tool is refused with -32602.",
    expected: "the error -32602",
    page: "server/tools",
  },
  "cursor-refused": {
    severity: "warning",
    sentence: "An invalid cursor is refused with -32602.",
    expected: "the error -32602",
    page: "server/utilities/pagination",
  },
  "resource-unknown": {
    severity: "warning",
    sentence: "An unknown resource is refused with the error of the revision.",
    demands: isStateless,
    page: "server/resources",
  },
  "resource-invented": {
    sentence: "Reading an unknown resource fails.",
    expected: "an error",
    page: "server/resources",
  },
  "prompt-unknown": {
    severity: "warning",
    sentence: "An unknown prompt is refused with -32602.",
    expected: "the error -32602",
    page: "server/prompts",
  },
  "task-unknown": {
    sentence: "An unknown task is refused with -32602.",
    expected: "the error -32602",
    page: { session: "basic/utilities/tasks" },
    applies: hasTasks,
  },
  "task-required": {
    sentence: "A tool that requires a task refuses a call without one.",
    expected: "the error -32601, as the call has no task",
    page: { session: "basic/utilities/tasks" },
    applies: hasTasks,
  },
  "params-refused": {
    severity: "warning",
    sentence: "Invalid parameters are refused with -32602.",
    page: "server/tools",
  },
  "error-leak": {
    severity: "hint",
    sentence: "An error shows neither a stack nor a path.",
    expected: "neither a stack nor a path",
  },
  "meta-required": {
    sentence: "A request without the required members of _meta is refused.",
    expected: "the error -32602",
    page: "basic",
    applies: isStateless,
  },
  "level-unknown": {
    severity: "warning",
    sentence: "An unknown log level is refused with -32602.",
    expected: "the error -32602",
    page: "server/utilities/logging",
  },

  // Life
  "ping-answered": {
    sentence: "A server answers ping with an empty result.",
    expected: "an empty result",
    page: "basic/utilities/ping",
    applies: isSession,
  },
  "notification-tolerated": {
    sentence: "A server does not answer notifications.",
    page: "basic",
  },
  "cancel-tolerated": {
    sentence: "A server ignores the cancellation of a request that it does not know.",
    expected: "an answer to the next request",
    page: { session: "basic/utilities/cancellation", stateless: "basic/patterns/cancellation" },
  },
  "garbage-tolerated": {
    severity: "hint",
    sentence: "A line that is no message does not end a server.",
    expected: "an answer to the next request",
  },
  "request-silent": {
    sentence: "A server answers each request, in time.",
    expected: "an answer in time",
    page: "basic",
  },
  "id-accepted": {
    sentence: "A server answers requests whatever their id is: a string or an integer.",
    expected: "a result",
    page: "basic",
  },
  "server-ended": {
    sentence: "A server stays alive during a conversation.",
    expected: "a server that stays alive",
    page: STDIO,
  },
  "server-flood": {
    sentence: "A server sends no more than a client can read.",
    expected: "no more than a client can read",
    page: STDIO,
  },
  "exit-on-end": {
    severity: "warning",
    sentence: "A server exits when its standard input ends.",
    expected: "the exit of the server at the end of its input",
    page: STDIO,
    advice: "Listen for the end of standard input, and exit.",
  },
  "exit-on-signal": {
    severity: "warning",
    sentence: "A server exits when it receives SIGTERM.",
    expected: "the exit of the server after SIGTERM",
    page: STDIO,
  },
  "exit-code": {
    severity: "hint",
    sentence: "A server that exits because its input has ended does so with code 0.",
    expected: "code 0",
  },
  "revision-differs": {
    severity: "hint",
    sentence: "A server offers the same at each revision.",
  },
} as const satisfies Checks;
