// Faults of the full server that concern what runs at the same time, or comes after an end: by name, in the terms of full-faults.mjs.
import { setTimeout as sleep } from "node:timers/promises";
import { moreFaults } from "./more-faults.mjs";
import { KEY } from "./round-faults.mjs";

const calls = ({ method, params }, name) => method === "tools/call" && params.name === name;

/** A sum that takes a third of a second, unless `isStopped` holds meanwhile. */
const slow = (isStopped, more) => ({
  ...more,
  handlers: ({ send, token, method, params }) => {
    if (!calls({ method, params }, "sum") || token === undefined) return;
    send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: token, progress: 1 },
    });
  },
  respond: async (response, request, { session }) => {
    if (!calls(request, "sum")) return response;
    const { size = 0 } = session.cancelled ?? {};
    for (let waits = 0; waits < 15; waits++) {
      await sleep(20);
      if (isStopped(request, session, size)) return undefined;
    }
    return response;
  },
});
const isCancelled = ({ id }, { cancelled }) => cancelled?.has(id) === true;

const update = (send, more) =>
  send({
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri: "test://one", ...more },
  });

/** Subscriptions to the resource that the tool `sum` changes. */
const watched = ({
  isKept = () => false,
  endsAll = false,
  ofLatest = false,
  pilesUp = false,
  ...more
} = {}) => {
  const open = new Map();
  let sums = 0;
  return {
    ...more,
    results: {
      "resources/read": (found, { uri }) =>
        uri === "test://one" ? { ...found, contents: [{ uri, text: `Version ${sums}` }] } : found,
    },
    handlers: ({ isStateless, id, send, session }) =>
      isStateless
        ? {
            "subscriptions/listen": ({ notifications }) => {
              open.set(id, { send, uris: notifications.resourceSubscriptions ?? [] });
              const meta = { [`${KEY}subscriptionId`]: id };
              const params = { notifications, _meta: meta };
              send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
            },
          }
        : {
            "resources/subscribe": ({ uri }) => {
              session.uris ??= [];
              if (pilesUp || !session.uris.includes(uri)) session.uris.push(uri);
              return {};
            },
            "resources/unsubscribe": ({ uri }) => {
              if (!isKept(uri) && session.uris?.includes(uri))
                session.uris.splice(session.uris.indexOf(uri), 1);
              return {};
            },
          },
    notified: ({ method, params }) => {
      if (method !== "notifications/cancelled" || isKept(params?.requestId)) return;
      if (endsAll && open.has(params?.requestId)) open.clear();
      open.delete(params?.requestId);
    },
    after: (message, { send, session }) => {
      if (!calls(message, "sum")) return;
      sums++;
      for (const [id, one] of open)
        if (one.uris.includes("test://one"))
          update((ofLatest ? [...open.values()].at(-1) : one).send, {
            _meta: { [`${KEY}subscriptionId`]: id },
          });
      if (session.uris?.includes("test://one")) update(send);
    },
  };
};
/** Subscriptions with an update every 300 ms, without any call. */
const clocked = (isKept = () => false) => {
  const clocks = new Map();
  return {
    handlers: ({ isStateless, id, send }) =>
      isStateless && {
        "subscriptions/listen": ({ notifications }) => {
          const meta = { [`${KEY}subscriptionId`]: id };
          const params = { notifications, _meta: meta };
          send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
          const isWatching = notifications.resourceSubscriptions?.includes("test://one");
          if (isWatching)
            clocks.set(id, setInterval(() => update(send, { _meta: meta }), 300).unref());
        },
      },
    notified: ({ method, params }) => {
      if (method === "notifications/cancelled" && !isKept(params?.requestId))
        clearInterval(clocks.get(params?.requestId));
    },
  };
};
/** Subscriptions that the server ends soon, before the resource changes. */
const brief = (idOf = (id) => id) => ({
  ...watched(),
  handlers: ({ isStateless, id, send }) =>
    isStateless && {
      "subscriptions/listen": async ({ notifications }) => {
        const params = { notifications, _meta: { [`${KEY}subscriptionId`]: id } };
        send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
        await sleep(50);
        return { _meta: { [`${KEY}subscriptionId`]: idOf(id) } };
      },
    },
});
let turn = 0;
let listening;
let latest;
let closed = 0;
const streams = new Set();
const senders = new Map();
const countClosed = (_, response) => {
  response.on("close", () => {
    if (!response.writableEnded) closed++;
  });
};
const used = new Set();
const log = (level) => ({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level, data: "row" },
});
const shared = { level: undefined };

/** Requests roots during some calls of `sum`, chosen by their number in the session. */
const rootsIf = (holds) => ({
  before: async (message, { ask, client, session }) => {
    if (!calls(message, "sum") || client.roots === undefined) return;
    session.sums = (session.sums ?? 0) + 1;
    if (holds(session.sums)) await ask("roots/list");
  },
});

export const neighbourFaults = {
  // Cancellations
  "calls-slowly": slow(isCancelled),
  "cancels-all": slow((_, { cancelled }, before) => (cancelled?.size ?? 0) > before),
  "cancels-as-text": slow(({ id }, { cancelled }) => cancelled?.has(id) || cancelled?.has(`${id}`)),
  "calls-in-order": slow(isCancelled, { stdio: { inOrder: true } }),
  "streams-slowly": slow(isCancelled, { http: { streams: true, eventIds: true } }),
  "closes-with-connection": slow(isCancelled, {
    http: { streams: true, eventIds: true, dropsClosed: true },
  }),
  "resumes-with-others": slow(isCancelled, {
    http: { streams: true, eventIds: true, resumesAll: true },
  }),
  "closes-all": slow((_, session) => closed > (session.before ??= closed), {
    http: { intercept: countClosed },
  }),
  // The rest of a call whose response was closed goes to the next one.
  "moves-closed": {
    http: { intercept: countClosed },
    respond: async (response, request, { send, token }) => {
      if (!calls(request, "sum")) return response;
      const before = closed;
      streams.add(send);
      await sleep(300);
      const other = [...streams].find((one) => one !== send) ?? send;
      const stream = closed > before ? other : send;
      const params = { progressToken: token, progress: 1 };
      if (token !== undefined) stream({ jsonrpc: "2.0", method: "notifications/progress", params });
      await sleep(100);
      streams.delete(send);
      return response;
    },
  },
  // The latest call with an id gets the answer to the one that ends first.
  "answers-by-id": {
    respond: async (response, request, { send }) => {
      if (!calls(request, "sum")) return response;
      const { id } = request;
      senders.set(id, send);
      await sleep(150);
      const sender = senders.get(id);
      senders.delete(id);
      if (sender === send) return response;
      sender?.(response);
      return sender && new Promise(() => {});
    },
  },
  "progress-on-latest": {
    respond: async (response, request, { send, token }) => {
      if (!calls(request, "sum")) return response;
      latest = send;
      await sleep(100);
      const params = { progressToken: token, progress: 1 };
      if (token !== undefined) latest({ jsonrpc: "2.0", method: "notifications/progress", params });
      await sleep(100);
      return response;
    },
  },
  "task-result-once": {
    ...moreFaults.tasks,
    respond: (response, { id, method, params }) => {
      if (method !== "tasks/result" || response.error) return response;
      if (used.has(params.taskId))
        return { jsonrpc: "2.0", id, error: { code: -32602, message: "Invalid task" } };
      used.add(params.taskId);
      return response;
    },
  },
  // Subscriptions
  watched: watched(),
  "listens-after-end": watched({ isKept: (id) => id === 1_000_002 }),
  "subscribes-after-end": watched({ isKept: () => true }),
  "subscriptions-pile-up": watched({ pilesUp: true }),
  "ends-all-subscriptions": watched({ endsAll: true }),
  clocked: clocked(),
  "clocked-after-end": clocked((id) => typeof id === "string"),
  brief: brief(),
  "brief-other-id": brief((id) => `${id}!`),
  "updates-on-two-streams": watched({ http: { getsOf: (gets) => gets } }),
  "updates-for-all": watched({
    sse: { isForAll: ({ method = "" }) => method.endsWith("updated") },
  }),
  "changes-for-all": {
    sse: { isForAll: ({ method }) => method === "ping" || method?.endsWith("list_changed") },
    after: (message, { send, session }) => {
      if (!calls(message, "sum")) return;
      send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      send({ jsonrpc: "2.0", id: `ping-${session.next++}`, method: "ping" });
    },
  },
  "progress-for-all": {
    sse: { isForAll: ({ method }) => method === "notifications/progress" },
  },
  "updates-in-turn": watched({ http: { getsOf: (gets) => [gets[turn++ % gets.length]] } }),
  "updates-on-latest": watched({ ofLatest: true }),
  "logs-on-subscriptions": {
    handlers: ({ isStateless, id, send }) =>
      isStateless && {
        "subscriptions/listen": ({ notifications }) => {
          listening = send;
          const meta = { [`${KEY}subscriptionId`]: id };
          const params = { notifications, _meta: meta };
          send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
        },
      },
    before: (message, { level }) => {
      if (calls(message, "echo") && level === "debug") listening?.(log("info"));
    },
  },
  // Sessions
  "dead-notifications": { http: { deadNotifications: true } },
  "level-of-all-sessions": {
    before: (message, { send, level }) => {
      if (message.method === "logging/setLevel") shared.level = message.params?.level;
      if (calls(message, "sum") && level !== undefined && shared.level === "debug")
        send(log("info"));
    },
  },
  "client-of-all-sessions": { lastClient: true },
  "roots-once": rootsIf((number) => number === 1),
  "roots-sometimes": rootsIf((number) => number % 7 > 0),
  // Headers and templates
  "names-unencoded": { http: { rawNames: true } },
  "chunks-as-text": { http: { chunksAsText: true } },
  "params-of-first": { http: { anyZone: true } },
  "template-without-contents": {
    respond: (response, { id, method, params }, { isStateless }) => {
      if (method !== "resources/read" || !params.uri.startsWith("test://items/")) return response;
      const whole = {
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
        _meta: { [`${KEY}serverInfo`]: { name: "full", version: "1.0.0" } },
      };
      return { jsonrpc: "2.0", id, result: { contents: [], ...(isStateless && whole) } };
    },
  },
};
