// Faults of the full server's questions and subscriptions by name, in the terms of full-faults.mjs.

export const KEY = "io.modelcontextprotocol/";
export const text = (value) => ({ content: [{ type: "text", text: value }] });
export const invalid = (message) => ({ code: -32602, message });

/** Replaces the call of the tool `ask`; the other tools stay as they are. */
export const asked = (change) => ({
  respond: async (response, request, context) => {
    const { method, params = {}, id } = request;
    if (method !== "tools/call" || params.name !== "ask") return response;
    try {
      const result = await change(params, context);
      if (result === undefined) return response;
      const whole = { ...(context.isStateless && { resultType: "complete" }), ...result };
      const meta = { [`${KEY}serverInfo`]: { name: "full", version: "1.0.0" } };
      return {
        jsonrpc: "2.0",
        id,
        result: { ...whole, ...(context.isStateless && { _meta: meta }) },
      };
    } catch (error) {
      return { jsonrpc: "2.0", id, error };
    }
  },
});
const field = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const form = { mode: "form", message: "Your name?", requestedSchema: field };
const elicit = (params, state) => ({
  resultType: "input_required",
  inputRequests: { name: { method: "elicitation/create", params } },
  ...(state !== undefined && { requestState: state }),
});

/** A call in two rounds, with what replaces its parts. */
const rounds = ({ client = () => {}, first = () => elicit(form, "s"), next = () => {} } = {}) =>
  asked((params, context) => {
    const { inputResponses, requestState } = params;
    const answer = inputResponses?.name;
    client(context);
    if (inputResponses === undefined) return first(context);
    const replaced = next({ inputResponses, requestState, answer });
    if (replaced !== undefined) return replaced;
    if (answer === undefined) return first(context);
    if (typeof answer !== "object" || requestState !== "s") throw invalid("Malformed");
    return text(answer.action);
  });
const needsForms = ({ client }) => {
  if (client.elicitation?.form === undefined) {
    const data = { requiredCapabilities: { elicitation: { form: {} } } };
    throw { code: -32021, message: "Needs forms", data };
  }
};
export const guarded = (more = {}) => rounds({ client: needsForms, ...more });

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (state) => {
  try {
    return JSON.parse(Buffer.from(state, "base64url").toString());
  } catch {
    throw invalid("Unknown requestState");
  }
};
let remembered;

/** A session's question in a call. */
const question = (change) =>
  asked(async (_, { isStateless, client, ask }) => {
    if (isStateless || client.elicitation?.form === undefined) return undefined;
    const { result } = await ask("elicitation/create", form);
    return change(result);
  });

/** Sends notifications to subscriptions while a tool is called. */
const listens = new Map();
const notifying = (change) => ({
  handlers: ({ send, session, id }) => ({
    "subscriptions/listen": ({ notifications }) => {
      session.listening = id;
      const meta = { [`${KEY}subscriptionId`]: id };
      const notify = ({ method, params }) =>
        send({ jsonrpc: "2.0", method, params: { ...params, _meta: meta } });
      listens.set(id, { filter: notifications, notify });
      notify({
        method: "notifications/subscriptions/acknowledged",
        params: { notifications },
      });
    },
  }),
  before: ({ method }) => {
    if (method !== "tools/call") return;
    for (const { filter, notify } of listens.values()) change(filter).forEach(notify);
  },
  notified: ({ params }) => void listens.delete(params?.requestId),
});
/** Sends notifications to subscriptions again and again. */
let pushes;
const pushing = (change) => {
  const { handlers, notified } = notifying(change);
  const push = () => {
    for (const { filter, notify } of listens.values()) change(filter).forEach(notify);
  };
  return {
    handlers: (context) => {
      pushes ??= setInterval(push, 400).unref();
      return handlers(context);
    },
    notified,
  };
};
const changed = (kind) => ({ method: `notifications/${kind}/list_changed` });

export const roundFaults = {
  // Rounds
  guarded: guarded(),
  "round-again-cached": guarded({
    next: ({ answer }) =>
      answer?.action === "accept" && answer.content.name !== undefined
        ? { ...elicit(form, "s"), ttlMs: 0 }
        : undefined,
  }),
  "mode-of-others": rounds({
    client: ({ client }) => client.elicitation ?? needsForms({ client }),
    first: () =>
      elicit({ mode: "url", message: "Connect", url: "https://example.com/connect" }, "s"),
  }),
  "forms-for-visitors": rounds({
    client: ({ client }) => client.elicitation ?? needsForms({ client }),
  }),
  "capabilities-remembered": guarded({
    client: (context) => {
      remembered ??= context.client;
      needsForms({ client: remembered });
    },
  }),
  "capability-invalid": rounds({
    client: ({ client }) => {
      if (client.elicitation === undefined) throw invalid("Needs forms");
      needsForms({ client });
    },
  }),
  "state-trusted": guarded({
    first: () => elicit(form, encode({ amount: 7, to: "Ada" })),
    next: ({ answer, requestState }) => {
      const { to, amount } = decode(requestState);
      if (answer === undefined) return elicit(form, encode({ amount: 7, to: "Ada" }));
      if (typeof answer !== "object") throw invalid("Malformed");
      return text(`${amount} to ${to}: ${answer.action}`);
    },
  }),
  "answers-must-be-whole": guarded({
    next: ({ answer }) => {
      if (answer === undefined) throw invalid("name is missing");
    },
  }),
  "answers-must-be-known": guarded({
    next: ({ inputResponses }) => {
      if (Object.keys(inputResponses).some((key) => key !== "name")) throw invalid("Unknown key");
    },
  }),
  // Answers
  "breaks-on-cancel": question((result) => {
    if (result?.action === "cancel") throw { code: -32603, message: "Cannot read properties" };
    return text("done");
  }),
  "silent-on-decline": question((result) =>
    result?.action === "decline" ? new Promise(() => {}) : text("done"),
  ),
  "accepts-nothing": question((result) =>
    result?.action === "accept" ? { content: [{ type: "text" }] } : text("done"),
  ),
  "tools-for-all": {
    before: ({ method, params }, { ask, client }) =>
      method === "tools/call" && params.name === "ask" && client.sampling
        ? ask("sampling/createMessage", {
            messages: [{ role: "user", content: { type: "text", text: "?" } }],
            maxTokens: 10,
            tools: [{ name: "a", inputSchema: { type: "object" } }],
          })
        : undefined,
  },
  "logs-unasked": {
    before: ({ method, params }, { send }) => {
      if (method !== "tools/call" || params.name !== "sum") return;
      const log = { level: "error", data: "unasked" };
      send({ jsonrpc: "2.0", method: "notifications/message", params: log });
    },
  },
  // Subscriptions
  notifies: notifying((filter) => (filter.toolsListChanged ? [changed("tools")] : [])),
  "notifies-all": notifying(() => [changed("tools")]),
  pushes: pushing((filter) => (filter.toolsListChanged ? [changed("tools")] : [])),
  "pushes-all": pushing(() => [changed("tools")]),
  "updates-others": notifying((filter) =>
    filter.resourceSubscriptions
      ? [{ method: "notifications/resources/updated", params: { uri: "test://two" } }]
      : [],
  ),
};
