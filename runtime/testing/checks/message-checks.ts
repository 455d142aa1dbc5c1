import {
  type Checks,
  CANCELLATION,
  HTTP,
  LIFECYCLE,
  PROGRESS,
  ROUNDS,
  SUBSCRIPTIONS,
  TRANSPORTS,
  bindsSessions,
  hasElicitation,
  hasErrorData,
  hasHttpSessions,
  hasMethodHeaders,
  hasNameRules,
  hasOutputSchemas,
  hasSubscriptions,
  hasTasks,
  hasVersionHeader,
  isSession,
  isStateless,
  isStreamable,
} from "./check.js";

/** Checks of messages: reading a conversation reveals the fault. Ids are stable. */
export const MESSAGE_CHECKS = {
  // Messages
  "output-text": {
    sentence: "Standard input and output carry nothing but messages, one on each line.",
    page: TRANSPORTS,
    advice: "Write logs to standard error: with console.error, or a logger that uses it.",
  },
  "output-framing": {
    severity: "warning",
    sentence:
      "A line ends with a line feed alone. No byte order mark and no empty line is between messages.",
    leniency: "Most readers ignore such bytes.",
    page: TRANSPORTS,
    advice: "Do not open standard output in a text mode that changes what is written.",
  },
  "output-encoding": {
    sentence: "Messages are UTF-8.",
    page: TRANSPORTS,
  },
  "message-envelope": {
    sentence:
      'A message is a JSON-RPC 2.0 object: jsonrpc "2.0", an id that is a string or an integer, a method, or one of result and error.',
    page: "basic",
  },
  "message-batch": {
    sentence:
      "A message may be an array only where the revision has batches: of requests and notifications, or of responses.",
    page: "basic",
  },
  "message-direction": {
    sentence:
      "A message is sent only by the side, and in the form, that the revision defines it for.",
    page: "basic",
  },
  "method-unknown": {
    severity: "warning",
    demands: bindsSessions,
    sentence:
      "A method is defined by the negotiated revision, or by an extension that both sides declare.",
    page: "basic",
  },
  "params-shape": {
    sentence: "The parameters of a message have the type that the revision defines.",
    page: "schema",
  },
  "result-shape": {
    sentence: "The result of a request has the type that the revision defines.",
    page: "schema",
  },
  "error-shape": {
    sentence: "An error has a code, which is an integer, and a message, which is a string.",
    page: "basic",
  },
  "content-format": {
    sentence:
      "Base64, MIME types, keys of _meta and turns of tools have the form that the revision defines.",
    page: "schema",
  },
  "uri-format": {
    severity: "warning",
    sentence: "URIs are absolute and percent-encoded, and URI templates are valid.",
    leniency: "Most clients take a URI as a name, and return it as it is.",
    page: "schema",
  },
  "root-uri": {
    sentence: "The URI of a root begins with file://, and has no .. segments.",
    page: "client/roots",
  },

  // Requests and responses
  "id-reused": {
    sentence:
      "The id of a request is new: in the whole session, or among the requests in flight where there is no session.",
    page: "basic",
  },
  "response-unknown": {
    sentence: "A response has the id of a request that the other side has sent.",
    page: "basic",
  },
  "response-id-type": {
    sentence: "The id of a response has the JSON type of the id of its request.",
    page: "basic",
    advice: 'Copy the id as it is: 2 and "2" are different ids.',
  },
  "error-id": {
    sentence: "An error has the id of its request, unless the id could not be read.",
    page: "basic",
  },
  "response-repeated": {
    sentence: "A request gets one response.",
    page: "basic",
  },
  "request-unanswered": {
    severity: "warning",
    sentence: "A request gets a response, unless it is cancelled.",
    leniency: "A recording can end before the response.",
    page: "basic",
  },
  "error-code": {
    sentence: "Error codes that the specification reserves are used only as it defines them.",
    page: "basic",
    applies: ({ conventions }) => conventions.reservedErrors.length > 0,
    advice: "Use codes outside of -32768 to -32000 for errors of your own.",
  },

  "error-data": {
    sentence:
      "Errors about revisions, capabilities and URLs name those that are supported or required.",
    page: "basic",
    applies: hasErrorData,
  },

  // Opening
  "opening-order": {
    sentence:
      "A session begins with initialize; before the response, a client sends nothing but ping.",
    page: LIFECYCLE,
    applies: isSession,
  },
  "opening-early": {
    severity: "warning",
    sentence: "Before notifications/initialized, a server requests nothing but ping.",
    page: LIFECYCLE,
    applies: isSession,
  },
  "opening-repeated": {
    sentence: "A session is initialized once.",
    page: LIFECYCLE,
    applies: isSession,
  },
  "initialized-missing": {
    sentence: "A client sends notifications/initialized after the response to initialize.",
    page: LIFECYCLE,
    applies: isSession,
  },
  "version-unknown": {
    sentence: "A protocol version is the date of a revision that exists.",
    page: LIFECYCLE,
  },

  // Capabilities
  "capability-undeclared": {
    sentence: "A message that needs a capability is sent only if its owner has declared it.",
    page: LIFECYCLE,
  },
  "capability-unlisted": {
    sentence: "A server declares the capabilities of what it serves.",
    page: LIFECYCLE,
    advice: "Clients that read the capabilities never request what is not declared.",
  },
  "capability-unserved": {
    sentence: "A side serves the methods of the capabilities that it declares, and ping.",
    page: LIFECYCLE,
  },
  "capability-advised": {
    severity: "warning",
    sentence:
      "A request or a member that needs a capability is sent only if the other side has declared it.",
    page: LIFECYCLE,
  },

  // Cancellation and progress
  "cancel-answered": {
    severity: "warning",
    sentence: "A request that was cancelled gets no response, and no more progress.",
    leniency: "A side that is busy reads the cancellation late.",
    page: CANCELLATION,
  },
  "cancel-unknown": {
    sentence: "A cancellation names a request that its sender has sent before.",
    page: CANCELLATION,
  },
  "cancel-opening": {
    sentence: "A client never cancels initialize.",
    page: CANCELLATION,
    applies: isSession,
  },
  "cancel-task": {
    sentence: "A request with a task is cancelled by tasks/cancel, not by a notification.",
    page: { session: "basic/utilities/tasks" },
    applies: hasTasks,
  },
  "progress-unknown": {
    sentence: "Progress has the token of a request that is in flight.",
    page: PROGRESS,
  },
  "progress-late": {
    sentence: "Progress ends with the response, or with the task that replaces it.",
    page: PROGRESS,
  },
  "progress-order": {
    sentence: "Progress rises with each notification.",
    page: PROGRESS,
  },
  "progress-token": {
    sentence: "A progress token is unique among the requests of its sender that are in flight.",
    page: PROGRESS,
  },

  // Lists
  "cursor-repeated": {
    sentence: "A page names the cursor of another page than those before.",
    page: "server/utilities/pagination",
    advice: "Leave nextCursor out of the last page.",
  },
  "cursor-unknown": {
    sentence: "A client sends cursors exactly as it received them.",
    page: "server/utilities/pagination",
  },
  "name-repeated": {
    sentence: "Each item of a list has a name, or a URI, of its own.",
    page: "server/tools",
  },
  "cache-scope": {
    sentence: "All pages of a list have the same cacheScope.",
    page: { stateless: "server/utilities/caching" },
    applies: isStateless,
  },
  "tool-name": {
    severity: "warning",
    sentence: "Names of tools have 1 to 128 characters: letters, digits, _, - and dots.",
    page: "server/tools",
    applies: hasNameRules,
  },
  "schema-invalid": {
    sentence: "Schemas of tools are valid JSON Schemas, and their references lead to a schema.",
    page: "server/tools",
  },
  "header-annotation": {
    sentence:
      "x-mcp-header annotates arguments that a header can carry, each with a name of its own.",
    page: { stateless: "server/tools" },
    applies: hasMethodHeaders,
  },
  "annotations-conflict": {
    severity: "hint",
    sentence: "A tool that only reads is not destructive.",
  },

  // Tools
  "structured-missing": {
    sentence: "A tool with an outputSchema returns structured content.",
    page: "server/tools",
    applies: hasOutputSchemas,
  },
  "structured-invalid": {
    sentence: "Structured content fits the outputSchema of its tool.",
    page: "server/tools",
    applies: hasOutputSchemas,
  },
  "arguments-invalid": {
    severity: "hint",
    sentence: "Arguments of a call fit the inputSchema of the tool.",
  },

  // Other features
  "form-answer": {
    severity: "warning",
    sentence: "The content of an accepted form fits the requested schema.",
    page: "client/elicitation",
    applies: hasElicitation,
  },
  "form-secret": {
    severity: "warning",
    sentence: "A form asks for no passwords, keys, tokens and payment data.",
    leniency: "What a field is for is guessed from its name.",
    page: "client/elicitation",
    applies: hasElicitation,
    advice: "Let the user enter them on a page of your own, with the mode url.",
  },
  "completion-count": {
    sentence: "A completion has at most 100 values.",
    page: "server/utilities/completion",
  },
  "log-level": {
    severity: "warning",
    sentence: "Log messages are at least as severe as the level that the client has set.",
    page: "server/utilities/logging",
  },
  "log-unrequested": {
    sentence: "Log messages are sent only during requests that name a log level in _meta.",
    page: "server/utilities/logging",
    applies: isStateless,
  },
  "update-unsubscribed": {
    severity: "warning",
    sentence: "Updates of resources go to clients that have subscribed.",
    page: "server/resources",
    applies: hasSubscriptions,
  },

  // Tasks
  "task-state": {
    sentence:
      "A task has an id of its own, begins as working, does not change after it has ended, is cancelled when tasks/cancel is answered, and has failed if its tool has.",
    page: { session: "basic/utilities/tasks" },
    applies: hasTasks,
  },
  "task-support": {
    sentence:
      "A tool is called as a task only if the server and the tool support that, and always if the tool requires it.",
    page: { session: "basic/utilities/tasks" },
    applies: hasTasks,
  },
  "task-related": {
    sentence: "The result of a task, and its progress, name the task in _meta.",
    page: { session: "basic/utilities/tasks" },
    applies: hasTasks,
  },

  "task-capability": {
    sentence: "Tasks are declared as an extension, not as a capability.",
    page: { stateless: "basic" },
    applies: isStateless,
  },

  // Stateless requests
  "client-info": {
    severity: "hint",
    sentence: "Each request names its client in _meta.",
    applies: isStateless,
  },
  "server-info": {
    severity: "hint",
    sentence: "Each result names its server in _meta.",
    applies: isStateless,
  },
  "request-meta": {
    sentence: "Each request names its revision and the capabilities of the client in _meta.",
    page: { stateless: "basic" },
    applies: isStateless,
  },
  "round-members": {
    sentence:
      "A result that requires input has no freshness, and its input requests have a method and parameters only.",
    page: ROUNDS,
    applies: isStateless,
  },
  "round-state": {
    sentence: "A client repeats a request with the requestState of the last result, unchanged.",
    page: ROUNDS,
    applies: isStateless,
  },
  "round-answers": {
    sentence: "Input responses answer the input requests of the last result, and no others.",
    page: ROUNDS,
    applies: isStateless,
  },
  "round-answer-shape": {
    sentence: "An input response has the type of the result of its input request.",
    page: ROUNDS,
    applies: isStateless,
  },
  "subscription-id": {
    sentence: "A notification of a subscription carries the id of the listen request.",
    page: SUBSCRIPTIONS,
    applies: isStateless,
  },
  "subscription-topic": {
    sentence:
      "A server sends the notifications that a client has subscribed to, after it has acknowledged them.",
    page: SUBSCRIPTIONS,
    applies: isStateless,
  },

  // HTTP
  "http-accept": {
    sentence: "A POST accepts application/json and text/event-stream, a GET text/event-stream.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-content-type": {
    sentence: "The response to a request is application/json or text/event-stream.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-event": {
    sentence: "Messages in an event stream are events of the type message.",
    page: HTTP,
  },
  "http-event-id": {
    sentence: "The id of an event is unique among all streams of a session.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-stream": {
    sentence:
      "An event stream carries what belongs to it: responses to its request, and no change of a list beside them.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-session-assigned": {
    severity: "warning",
    sentence: "A server that serves no sessions assigns no session id.",
    page: HTTP,
    applies: isStateless,
  },
  "http-body-type": {
    severity: "warning",
    sentence: "The body of a POST is application/json.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-status": {
    sentence:
      "The HTTP status fits the message: 202 for an accepted notification or response, and that of the error code.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-version": {
    sentence:
      "Each request has the header MCP-Protocol-Version, with the revision of its body or session.",
    page: HTTP,
    applies: hasVersionHeader,
  },
  "http-method": {
    sentence: "The headers Mcp-Method and Mcp-Name repeat the method and the name of the body.",
    page: HTTP,
    applies: hasMethodHeaders,
  },
  "header-tool": {
    sentence: "A client does not call a tool whose x-mcp-header annotations are invalid.",
    page: { stateless: "server/tools" },
    applies: hasMethodHeaders,
  },
  "http-param": {
    sentence: "Headers Mcp-Param-… repeat the annotated arguments of a call.",
    page: HTTP,
    applies: hasMethodHeaders,
  },
  "http-session": {
    sentence:
      "After initialize, each request has the session id that the server has assigned, until it is no longer found.",
    page: HTTP,
    applies: hasHttpSessions,
  },
} as const satisfies Checks;
