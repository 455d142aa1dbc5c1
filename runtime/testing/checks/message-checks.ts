import { AT, error, hint, on, PAGE, warning } from "./check.js";

/** Checks for faults that can be found by reading a conversation. Ids are stable. */
export const MESSAGE_CHECKS = {
  // Messages
  ...on(PAGE.transports, AT.any, {
    "output-text": error(
      "Standard input and output carry nothing but messages, one on each line.",
      { advice: "Write logs to standard error: with console.error, or a logger that uses it." },
    ),
    "output-framing": warning(
      "A line ends with a line feed alone. No byte order mark and no empty line is between messages.",
      {
        leniency: "Most readers ignore such bytes.",
        advice: "Do not open standard output in a text mode that changes what is written.",
      },
    ),
    "output-encoding": "Messages are UTF-8.",
  }),
  ...on("basic", AT.any, {
    "message-envelope":
      'A message is a JSON-RPC 2.0 object: jsonrpc "2.0", an id that is a string or an integer, a method, or one of result and error.',
    "message-batch":
      "A message may be an array only if the revision has batches: of requests and notifications, or of responses.",
    "message-direction":
      "A message is sent only by the side, and in the form, that the revision defines it for.",
    "method-unknown": warning(
      "A method is defined by the negotiated revision, or by an extension that both sides declare.",
      { demands: AT.agreements },
    ),
    "error-shape": "An error has a code, which is an integer, and a message, which is a string.",
  }),
  ...on("schema", AT.any, {
    "params-shape": "The parameters of a message have the type that the revision defines.",
    "result-shape": "The result of a request has the type that the revision defines.",
    "content-format":
      "Base64, MIME types, keys of _meta and turns of tools have the form that the revision defines.",
    "uri-format": warning("URIs are absolute and percent-encoded, and URI templates are valid.", {
      leniency: "Most clients take a URI as a name, and return it as it is.",
    }),
  }),
  ...on("basic", AT.outputSchemas, {
    "meta-reserved": warning(
      "A key of _meta whose prefix is reserved for the protocol is one that the specification defines.",
    ),
  }),
  ...on("basic", AT.icons, {
    "meta-prefix": warning("The prefix of a key of _meta is a domain in reverse: com.example/."),
  }),
  ...on("client/roots", AT.any, {
    "root-uri": "The URI of a root begins with file://, and has no .. segments.",
  }),
  // Requests and responses
  ...on("basic", AT.any, {
    "id-reused":
      "The id of a request is new: in the whole session, or among the requests in flight where there is no session.",
    "response-unknown": "A response has the id of a request that the other side has sent.",
    "response-id-type": error("The id of a response has the JSON type of the id of its request.", {
      advice: 'Copy the id as it is: 2 and "2" are different ids.',
    }),
    "error-id": "An error has the id of its request, unless the id could not be read.",
    "response-repeated": "A request gets one response.",
    "notification-answered": "Notifications are not answered.",
    "request-unanswered": warning("A request gets a response, unless it is cancelled.", {
      leniency: "A recording can end before the response.",
    }),
  }),
  ...on("basic", AT.reservedErrors, {
    "error-code": error(
      "Error codes that the specification reserves are used only as it defines them.",
      { advice: "Use codes outside of -32768 to -32000 for errors of your own." },
    ),
  }),
  ...on("basic", AT.errorData, {
    "error-data":
      "Errors about revisions, capabilities and URLs name those that are supported or required.",
  }),
  // Opening
  ...on(PAGE.lifecycle, AT.sessions, {
    "opening-order":
      "A session begins with initialize; before the response, a client sends nothing but ping.",
    "opening-early": warning(
      "A client requests nothing but ping before the response to initialize, and a server before notifications/initialized.",
    ),
    "opening-repeated": "A session is initialized once.",
    "initialized-missing":
      "A client sends notifications/initialized after the response to initialize.",
  }),
  ...on(PAGE.lifecycle, AT.any, {
    "version-unknown": "A protocol version is the date of a revision that exists.",
  }),
  // Capabilities
  ...on(PAGE.lifecycle, AT.any, {
    "capability-undeclared":
      "A message that needs a capability is sent only if its owner has declared it.",
    "capability-unlisted": error("A server declares the capabilities of what it serves.", {
      advice: "Clients that read the capabilities never request what is not declared.",
    }),
    "capability-unserved":
      "A side serves the methods of the capabilities that it declares, and ping.",
    "capability-advised": warning(
      "A request or a member that needs a capability is sent only if the other side has declared it.",
    ),
  }),
  // Pings, cancellation and progress
  ...on("basic/utilities/ping", AT.sessions, {
    "ping-late": warning("A ping is answered promptly, even while another request takes long.", {
      leniency: "The specification states no time.",
      advice: "Do not wait for one request before the next message is read.",
    }),
  }),
  ...on(PAGE.cancellation, AT.any, {
    "cancel-answered": warning(
      "A request that was cancelled gets no response, and no more progress.",
      { demands: AT.stateless },
    ),
    "cancel-unknown": "A cancellation names a request that its sender has sent before.",
    "cancel-late": warning("A cancellation names a request that has not been answered.", {
      leniency:
        "A response and a cancellation can cross, but not three times, and not half a second apart.",
    }),
  }),
  ...on(PAGE.cancellation, AT.sessions, {
    "cancel-opening": "A client never cancels initialize.",
  }),
  ...on(PAGE.tasks, AT.tasks, {
    "cancel-task": "A request with a task is cancelled by tasks/cancel, not by a notification.",
  }),
  ...on(PAGE.progress, AT.any, {
    "progress-unknown": "Progress has the token of a request that is in flight.",
    "progress-late": "Progress ends with the response, or with the task that replaces it.",
    "progress-order": "Progress rises with each notification.",
    "progress-token":
      "A progress token is unique among the requests of its sender that are in flight.",
  }),
  // Lists
  ...on("server/utilities/pagination", AT.any, {
    "cursor-repeated": error("The nextCursor of a page does not lead back to an earlier page.", {
      advice: "Leave nextCursor out of the last page.",
    }),
    "cursor-unknown": "A client sends cursors exactly as it received them.",
  }),
  ...on("server/tools", AT.any, {
    "name-repeated": "Each item of a list has a name, or a URI, of its own.",
    "schema-invalid":
      "Schemas of tools are valid JSON Schemas, and their references lead to a schema.",
  }),
  ...on({ stateless: "server/utilities/caching" }, AT.stateless, {
    "cache-scope": "All pages of a list have the same cacheScope.",
  }),
  ...on("server/tools", AT.icons, {
    "tool-name": warning(
      "Names of tools have 1 to 128 characters: letters, digits, _, - and dots.",
    ),
  }),
  ...on(PAGE.statelessTools, AT.methodHeaders, {
    "header-annotation":
      "x-mcp-header annotates arguments that a header can carry, each with a name of its own.",
  }),
  ...on(PAGE.statelessTools, AT.methodHeaders, {
    "header-secret": warning("x-mcp-header annotates neither secrets nor personal data."),
  }),
  ...on(PAGE.none, AT.any, {
    "annotations-conflict": hint("A tool that only reads is not destructive."),
  }),
  // Tools
  ...on("server/tools", AT.outputSchemas, {
    "structured-missing": "A tool with an outputSchema returns structured content.",
    "structured-invalid": "Structured content fits the outputSchema of its tool.",
    "structured-text": warning(
      "Structured content is repeated as JSON in a text block, for clients that do not read it.",
    ),
    "resource-embedded": warning(
      "A server whose tools return embedded resources declares the capability resources.",
    ),
  }),
  ...on(PAGE.none, AT.any, {
    "arguments-invalid": hint("Arguments of a call fit the inputSchema of the tool."),
  }),
  // Other features
  ...on("server/prompts", AT.any, {
    "resource-type": warning("A resource in a prompt has a MIME type.", {
      leniency: "The schema of the message does not require it.",
    }),
  }),
  ...on("client/elicitation", AT.elicitation, {
    "form-answer": warning("The content of an accepted form fits the requested schema."),
    "form-secret": warning("A form does not request passwords, keys, tokens or payment data.", {
      leniency: "What a field is for can only be guessed from its name.",
      advice: "Let the user enter them on a page of your own, with the mode url.",
    }),
  }),
  ...on("client/elicitation", AT.icons, {
    "visit-secret": warning("The URL of an elicitation contains no credentials.", {
      leniency: "What a parameter is for can only be guessed from its name.",
    }),
    "form-link": warning("The fields of a form contain no URLs to open.", {
      leniency: "The specification only recommends this.",
      advice: "Let the user open a page with the mode url.",
    }),
    "visit-address": warning("The URL of an elicitation is an https: URL.", {
      leniency: "The scheme is only recommended; what the URL must not contain cannot be seen.",
    }),
  }),
  ...on("client/elicitation", AT.visits, {
    "elicitation-unknown":
      "notifications/elicitation/complete names the elicitationId of a request of the same server.",
  }),
  ...on("server/utilities/completion", AT.any, {
    "completion-count": "A completion has at most 100 values.",
    "completion-more": warning("hasMore is not false where total exceeds the number of values."),
  }),
  ...on("server/utilities/logging", AT.any, {
    "log-level": warning(
      "Log messages are at least as severe as the level that the client has set.",
    ),
  }),
  ...on("server/utilities/logging", AT.stateless, {
    "log-unrequested": "Log messages are sent only during requests that name a log level in _meta.",
  }),
  ...on("server/resources", AT.subscriptions, {
    "update-unsubscribed": warning("Updates of resources go to clients that have subscribed.", {
      advice: "Keep a set, not a list: one unsubscribe ends what was subscribed to twice.",
    }),
  }),
  // Tasks
  ...on(PAGE.tasks, AT.tasks, {
    "task-state":
      "A task has an id of its own, begins as working, does not change after it has ended, is cancelled when tasks/cancel is answered, and has failed if its tool has.",
    "task-support":
      "A tool is called as a task only if the server and the tool support that, and always if the tool requires it.",
    "task-related": "The result of a task, and its progress, name the task in _meta.",
  }),
  ...on("basic", AT.stateless, {
    "task-capability": "Tasks are declared as an extension, not as a capability.",
    "extension-id": "The id of an extension has a prefix, as a key of _meta.",
  }),
  // Stateless requests
  ...on(PAGE.none, AT.stateless, {
    "client-info": hint("Each request names its client in _meta."),
    "server-info": hint("Each result names its server in _meta."),
  }),
  ...on("basic", AT.stateless, {
    "request-meta": "Each request names its revision and the capabilities of the client in _meta.",
  }),
  ...on(PAGE.rounds, AT.stateless, {
    "round-members":
      "A result that requires input has no freshness, and its input requests have a method and parameters only.",
    "round-state":
      "A client repeats a request with the requestState of the last result, unchanged.",
    "round-answers": "Input responses answer the input requests of the last result, and no others.",
    "round-answer-shape": "An input response has the type of the result of its input request.",
  }),
  ...on(PAGE.subscriptions, AT.stateless, {
    "subscription-id":
      "A notification of a subscription, and the result that ends it, carry the id of the listen request.",
    "subscription-topic":
      "A server sends the notifications that a client has subscribed to, after it has acknowledged them.",
  }),
  // HTTP
  ...on(PAGE.http, AT.streamable, {
    "http-accept":
      "A POST accepts application/json and text/event-stream, a GET text/event-stream.",
    "http-accept-any": warning(
      "A request lists the media types that it accepts, and does not rely on a wildcard.",
      {
        leniency: "Most servers take a wildcard as any media type.",
      },
    ),
    "http-content-type": "The response to a request is application/json or text/event-stream.",
    "http-stream":
      "An event stream carries what belongs to it: responses to its request, and no change of a list beside them.",
    "http-body-type": warning("The body of a POST is application/json."),
    "http-status":
      "The HTTP status fits the message: 202 for an accepted notification or response, and that of the error code.",
  }),
  ...on(PAGE.http, AT.streamable, {
    "http-session-assigned": warning(
      "A server assigns a session id with the response to initialize, and none if it serves no sessions.",
    ),
    "http-get": "GET opens an event stream, or is refused with 405.",
  }),
  ...on(PAGE.http, AT.polling, {
    "http-priming": warning(
      "A stream that can be resumed begins with an event that has an id and no data.",
      { expected: "an event with an id and empty data" },
    ),
  }),
  ...on(PAGE.http, AT.any, {
    "http-event": "Messages in an event stream are events of the type message.",
  }),
  ...on(PAGE.http, AT.httpSessions, {
    "http-event-id": "The id of an event is unique among all streams of a session.",
    "http-session":
      "After initialize, each request has the session id that the server has assigned, until it is no longer found.",
  }),
  ...on(PAGE.http, AT.versionHeader, {
    "http-version":
      "Each request has the header MCP-Protocol-Version, with the revision of its body or session.",
  }),
  ...on(PAGE.http, AT.methodHeaders, {
    "http-method":
      "The headers Mcp-Method and Mcp-Name repeat the method and the name of the body.",
    "http-param": "Headers Mcp-Param-… repeat the annotated arguments of a call.",
    "http-encoded":
      "Headers that repeat the body are accepted: a value in Base64 is decoded before it is compared.",
  }),
  ...on(PAGE.statelessTools, AT.methodHeaders, {
    "header-tool": "A client does not call a tool whose x-mcp-header annotations are invalid.",
  }),
};
