// Further faults of the client of faulty.mjs by name.
const answering = (method, answer) => ({ answers: { [method]: answer } });
/** Sends requests, and cancels each of them once it has been answered. */
const cancelLate = async ({ write, request }, times) => {
  for (let id = 90; id < 90 + times; id++) {
    await request("tools/list", undefined, id);
    write({ method: "notifications/cancelled", params: { requestId: id } });
  }
};
/** Answers a request for roots after this many milliseconds, even if it has been cancelled. */
const thinking = (time, { isDeaf }) => {
  const cancelled = new Set();
  const received = ({ id, method, params }, { write }) => {
    if (method === "notifications/cancelled" && !isDeaf) cancelled.add(params.requestId);
    if (method !== "roots/list") return;
    setTimeout(() => cancelled.has(id) || write({ id, result: { roots: [] } }), time);
  };
  return { received, ...answering("roots/list", () => "silence") };
};
/** Has other roots a while after the first request for them. */
const changing = ({ isSilent }) => {
  const roots = [];
  let timer;
  const change = (write) => {
    roots.push({ uri: "file:///home/ada/later" });
    if (!isSilent) write({ method: "notifications/roots/list_changed" });
  };
  return {
    capabilities: { roots: { listChanged: true } },
    received: ({ method }, { write }) => {
      if (method === "roots/list") timer ??= setTimeout(change, 1_000, write);
    },
    ...answering("roots/list", () => ({ result: { roots } })),
  };
};
let hasWaited = false;
/** Does something once a request has had no response for a second. */
const impatient = (then) => ({
  sent: (sent, client) => {
    setTimeout(() => {
      if (!sent.isWaiting() || hasWaited) return;
      hasWaited = true;
      then(sent, client);
    }, 1_000);
  },
});
const CLIENT = { name: "faulty", version: "1.0.0" };
const UNKNOWN = "mcp-codegen-doctor-nothing/method";

/** All fields of a form, each with a value that fits. */
const FILLED = {
  text: "yes",
  brief: "four",
  address: "ada@example.com",
  day: "2026-07-28",
  moment: "2026-07-28T12:00:00Z",
  page: "https://example.com/",
  number: 2.5,
  integer: 4,
  truth: false,
  choice: "two",
  named: "two",
  titled: "one",
  several: [],
  pair: ["one", "three"],
};
const SAMPLED = { role: "assistant", model: "m", content: { type: "text", text: "Yes" } };

/** Sends these values of progress before the answer for roots. */
const progressing = (values) => ({
  received: ({ id, method, params }, { write }) => {
    if (method !== "roots/list" || !params?.["_meta"]) return;
    const { progressToken } = params["_meta"];
    for (const progress of values)
      write({ method: "notifications/progress", params: { progressToken, progress } });
    write({ id, result: { roots: [] } });
  },
  ignores: ({ method, params }) => method === "roots/list" && params?.["_meta"],
});
/** Declares the mode url only, and answers forms with an error or, without one, as if they were declared. */
const visiting = (error) => ({
  capabilities: { elicitation: { url: {} } },
  ...answering("elicitation/create", ({ mode }) =>
    mode !== "url" && error
      ? { error }
      : { result: { action: "accept", ...(mode !== "url" && { content: { text: "yes" } }) } },
  ),
});

/** Declines to open a page, after it has done something with its address. */
const declining = (visit) => ({
  capabilities: { elicitation: { form: {}, url: {} } },
  ...answering("elicitation/create", ({ mode, url }) => {
    if (mode === "url") visit(url);
    return { result: { action: "decline" } };
  }),
});

/** Accepts each form with this content, and refuses to open pages. */
const filling = (content) =>
  answering("elicitation/create", ({ mode }) =>
    mode === "url"
      ? { error: { code: -32602, message: "no" } }
      : { result: { action: "accept", content } },
  );

export const moreFaults = {
  "any-mode": { anyMode: true },
  "any-sampling": {
    capabilities: { sampling: {} },
    ...answering("sampling/createMessage", () => ({ result: SAMPLED })),
  },
  "any-turns": {
    capabilities: { sampling: { tools: {} } },
    ...answering("sampling/createMessage", () => ({ result: SAMPLED })),
  },
  "cancels-initialize": {
    meanwhile: ({ write }) =>
      write({ method: "notifications/cancelled", params: { requestId: 1 } }),
  },
  "initialized-early": {
    meanwhile: ({ write }) => write({ method: "notifications/initialized" }),
    quiet: true,
  },
  "answers-without-id": {
    received: ({ id }, { write }) => {
      if (id === undefined) write({ result: {} });
    },
  },
  "cancels-answered": { after: (client) => cancelLate(client, 4) },
  "cancels-later": {
    after: async ({ write, request }) => {
      await request("tools/call", { name: "echo", arguments: { text: "hello" } }, 90);
      setTimeout(write, 2_500, { method: "notifications/cancelled", params: { requestId: 90 } });
    },
  },
  "cancels-once": { after: (client) => cancelLate(client, 1) },
  "method-misspelled": { after: ({ request }) => request("resource/List") },
  "ping-with-content": answering("ping", () => ({ result: { pong: true } })),
  impatient: { meanwhile: ({ request }) => void request("tools/list") },
  "answers-twice": {
    received: ({ id, method }, { write }) => {
      if (method === "ping") write({ id, result: {} });
    },
  },
  "answers-another": {
    received: ({ method }, { write }) => {
      if (method === "ping") write({ id: "another", result: {} });
    },
  },
  "result-and-error": answering("roots/list", () => ({
    result: { roots: [] },
    error: { code: -32603, message: "no" },
  })),
  "error-text": answering(UNKNOWN, () => ({ error: "Method not found" })),
  "error-code-text": answering(UNKNOWN, () => ({ error: { code: "E404", message: "no" } })),
  "error-other-code": answering(UNKNOWN, () => ({ error: { code: -32000, message: "no" } })),
  "ping-without-version": answering("ping", () => ({ jsonrpc: undefined, result: {} })),
  "action-unknown": answering("elicitation/create", () => ({ result: { action: "yes" } })),
  "declined-with-content": answering("elicitation/create", () => ({
    result: { action: "decline", content: { text: "no" } },
  })),
  "root-without-uri": answering("roots/list", () => ({ result: { roots: [{ name: "home" }] } })),
  "root-relative": answering("roots/list", () => ({ result: { roots: [{ uri: "home/ada" }] } })),
  "root-relative-and-leaves": {
    ...answering("roots/list", () => ({ result: { roots: [{ uri: "home/ada" }] } })),
    leavesAfter: 1,
  },
  "leaves-at-once": { leavesAfter: 1 },
  "root-https": answering("roots/list", () => ({ result: { roots: [{ uri: "https://a.test" }] } })),
  batch: {
    after: () => process.stdout.write('[{"jsonrpc":"2.0","id":98,"method":"ping"}]\n'),
  },
  "progress-unknown": {
    after: ({ write }) =>
      write({ method: "notifications/progress", params: { progressToken: "t", progress: 1 } }),
  },
  "carriage-return": { after: () => process.stdout.write("\r\n") },
  "several-lines": {
    after: () =>
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: "2.0", id: 98, method: "ping" }, null, 2)}\n`,
      ),
  },
  "reads-batches": { version: "2025-03-26" },
  "reads-batches-and-leaves": { version: "2025-03-26", leavesAfter: 1_200 },
  "drops-batches": { version: "2025-03-26", dropsBatches: true },
  "drops-batches-and-leaves": { version: "2025-03-26", dropsBatches: true, leavesAfter: 1_200 },
  "lists-prompts": {
    after: async ({ request }) => {
      const { result } = await request("prompts/list");
      if (result) await request("prompts/list", { cursor: result.nextCursor });
    },
  },
  thinks: thinking(1_600, { isDeaf: false }),
  "answers-cancelled": thinking(1_600, { isDeaf: true }),
  "answers-cancelled-soon": thinking(150, { isDeaf: true }),
  "roots-change": changing({ isSilent: false }),
  "roots-change-silently": changing({ isSilent: true }),
  subscribes: {
    after: ({ request }) => request("resources/subscribe", { uri: "doctor://one" }),
  },
  "token-twice": {
    after: ({ request }) => {
      const params = { name: "second", _meta: { progressToken: "t" } };
      return Promise.all([request("tools/call", params), request("tools/call", params)]);
    },
  },
  "id-fraction": { after: ({ write }) => write({ id: 1.5, method: "ping" }) },
  "dies-of-ping": {
    received: ({ method }) => {
      if (method === "ping") process.exit(3);
    },
  },
  "level-unknown": {
    after: ({ request, capabilities }) =>
      capabilities.logging && request("logging/setLevel", { level: "loud" }),
  },
  "completes-nothing": {
    after: ({ request, capabilities }) =>
      capabilities.completions &&
      request("completion/complete", {
        ref: { type: "ref/prompt" },
        argument: { name: "a", value: "" },
      }),
  },
  "ignores-id-0": { ignores: ({ id }) => id === 0 },
  "ignores-empty-id": { ignores: ({ id }) => id === "" },
  "ignores-early-pings": { ignores: ({ method }, { isOpen }) => method === "ping" && !isOpen },
  "one-at-a-time": { ignores: ({ method }, { isBusy }) => method === "ping" && isBusy },
  "later-versions": { laterVersions: true },
  "ignores-refusal": { ignoresRefusal: true },
  "opens-before-probe": {
    refused: ({ request }) => {
      const meta = { protocolVersion: "2026-07-28", clientCapabilities: {}, clientInfo: CLIENT };
      const named = Object.entries(meta).map(([key, value]) => [
        `io.modelcontextprotocol/${key}`,
        value,
      ]);
      return request("server/discover", { _meta: Object.fromEntries(named) });
    },
  },
  "answers-by-id": { answersById: true },
  "moves-on": impatient(({ method }, { request }) => {
    if (method === "tools/list") void request("tools/list");
  }),
  "cancels-silent-opening": impatient(({ id, method }, { write }) => {
    if (method !== "initialize") return;
    write({ method: "notifications/cancelled", params: { requestId: id } });
  }),
  "cancels-silent-requests": impatient(({ id, method }, { write, request }) => {
    if (method !== "tools/list") return;
    write({ method: "notifications/cancelled", params: { requestId: id } });
    void request("tools/list");
  }),
  "stops-at-once": { opened: () => process.exit(0) },
  "no-roots": {
    opening: (params) => ({ ...params, capabilities: { elicitation: {} } }),
    ...answering("roots/list", () => ({ error: { code: -32601, message: "no" } })),
  },
  "no-roots-internal": {
    opening: (params) => ({ ...params, capabilities: { elicitation: {} } }),
    ...answering("roots/list", () => ({ error: { code: -32603, message: "no" } })),
  },
  "roots-change-undeclared": {
    opening: (params) => ({ ...params, capabilities: { elicitation: {} } }),
    after: ({ write }) => write({ method: "notifications/roots/list_changed" }),
  },
  "no-roots-without-message": {
    opening: (params) => ({ ...params, capabilities: { elicitation: {} } }),
    ...answering("roots/list", () => ({ error: { code: -32603 } })),
  },
  "progress-falls": progressing([2, 1]),
  "progress-rises": progressing([1, 2]),
  "ids-to-numbers": { idOf: (id) => (/^\d+$/.test(id) ? Number(id) : id) },
  "modeless-refused": answering("elicitation/create", ({ mode }) =>
    mode === undefined || mode === "url"
      ? { error: { code: -32602, message: "Unknown mode" } }
      : { result: { action: "decline" } },
  ),
  "user-refuses": answering("elicitation/create", ({ mode }) => ({
    error:
      mode === "url" ? { code: -32602, message: "no" } : { code: -1, message: "The user refused" },
  })),
  "visits-only": visiting({ code: -32602, message: "Forms are not supported" }),
  "fetches-pages": declining((url) => void fetch(url).catch(() => {})),
  "declines-pages": declining(() => {}),
  "visits-and-forms": visiting(undefined),
  "several-as-text": filling({ text: "yes", several: "one" }),
  "title-of-choice": filling({ text: "yes", named: "The first" }),
  "title-of-const": filling({ text: "yes", titled: "The first" }),
  "day-in-words": filling({ text: "yes", day: "tomorrow" }),
  "whole-form": filling(FILLED),
  "reads-chunks": { readsChunks: true },
  "decodes-chunks": { decodesChunks: true },
  "first-page-of-resources": {
    after: ({ request, capabilities }) => capabilities.resources && request("resources/list"),
  },
  "dies-of-cancellation": {
    received: ({ method, params }) => {
      if (method === "notifications/cancelled") params.requestId.toString();
    },
  },
  "answers-failure-of-batch": { version: "2025-03-26", answersFailure: true },
  "reads-last": { version: "2025-03-26", readsLast: true },
  fractions: { version: "2024-11-05", firstId: 0.5 },
  "cursor-of-yesterday": { work: ({ request }) => request("tools/list", { cursor: "old" }) },
  "opens-stateless": { version: "2026-07-28" },
  "prompt-of-numbers": {
    after: ({ request, capabilities }) =>
      capabilities.prompts && request("prompts/get", { name: "part", arguments: { name: 7 } }),
  },
};
