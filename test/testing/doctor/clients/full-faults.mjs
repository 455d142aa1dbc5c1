// Faults of the full client by name.
const KEY = "io.modelcontextprotocol/";

const without = (name) => (headers) => ({ ...headers, [name]: undefined });
const named = (name, value) => ({ headers: (headers) => ({ ...headers, [name]: value }) });
const lacking = (name) => ({
  headers: (headers) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
});

const base64 = (text) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** Calls the tool whose arguments need Base64, with one of its headers unencoded. */
const encodedWith = (raw) => {
  const given = { padded: " padded ", marked: "=?base64?SGk=?=", lines: "one\ntwo" };
  return {
    after: ({ request }) => request("tools/call", { name: "encoded", arguments: given }),
    headers: (headers) => {
      if (headers["mcp-name"] !== "encoded") return headers;
      const own = Object.entries(given).map(([name, text]) => [
        `mcp-param-${name}`,
        raw[name] ?? base64(text),
      ]);
      return { ...headers, ...Object.fromEntries(own) };
    },
  };
};

/** Reads all pages of prompts. */
const readPrompts = async ({ capabilities }, request) => {
  let cursor;
  do {
    if (!capabilities.prompts) return;
    const { result } = await request("prompts/list", cursor === undefined ? {} : { cursor });
    cursor = result.nextCursor;
  } while (cursor !== undefined);
};

const INSECURE = "http://client.example/callback";
const DOCUMENT = "https://client.example/client.json";

/** Faults of authorization by name. */
const authorizationFaults = {
  authorizes: {},
  "authorizes-anew": { neverRefreshes: true },
  "authorizes-by-document": { document: DOCUMENT },
  "no-resource-for-code": { code: { resource: undefined } },
  "no-resource-for-token": { token: { resource: undefined } },
  "no-resource-to-refresh": { refresh: { resource: undefined } },
  "other-resource": { code: { resource: "https://example.com/mcp" } },
  "any-resource": { anyResource: true },
  "challenge-ignored": { ignoresChallenge: true },
  "root-only": { rootOnly: true },
  "oauth-only": { oauthOnly: true },
  "openid-only": { openidOnly: true },
  "openid-first": { openidFirst: true },
  "plain-challenge": { plain: true },
  "plain-method": { code: { code_challenge_method: "plain" } },
  "verifier-missing": { token: { code_verifier: undefined } },
  "verifier-other": { token: { code_verifier: "other" } },
  "any-methods": { anyMethods: true },
  "any-issuer": { anyIssuer: true },
  "any-iss": { anyIss: true },
  "normalizes-iss": { normalizesIss: true },
  "missing-iss": { missingIss: true },
  "document-without-path": { code: { client_id: "https://client.example" } },
  "error-of-other-issuer": { showsErrors: true },
  "any-state": { anyState: true },
  "state-missing-in-code": { code: { state: undefined } },
  "state-again": { code: { state: "constant" }, neverRefreshes: true },
  "scope-missing": { code: { scope: undefined } },
  "scope-of-all": { code: { scope: "doctor:read doctor:write" } },
  "scopes-forgotten": { forgetsScopes: true },
  "grants-missing": { registration: { grant_types: undefined } },
  "supported-scopes-ignored": { ignoresSupported: true },
  "never-steps-up": { neverStepsUp: true },
  "type-missing": { registration: { application_type: undefined } },
  "redirect-insecure": { registration: { redirect_uris: [INSECURE] } },
  "redirect-insecure-for-code": { code: { redirect_uri: INSECURE } },
  "registers-first": { document: DOCUMENT, registersFirst: true },
  "credentials-kept": { keepsCredentials: true },
  "codes-without-end": { endless: true },
  "token-in-one-request": { forgets: (method) => method === "tools/call" },
};

const faults = {
  ...Object.fromEntries(
    Object.entries(authorizationFaults).map(([name, authorizes]) => [name, { authorizes }]),
  ),
  none: {},
  // Stateless
  "meta-without-version": {
    meta: (meta, method) =>
      method === "tools/list" ? without(`${KEY}protocolVersion`)(meta) : meta,
  },
  "meta-without-capabilities": {
    meta: (meta, method) =>
      method === "tools/call" ? without(`${KEY}clientCapabilities`)(meta) : meta,
  },
  "capabilities-list": { meta: (meta) => ({ ...meta, [`${KEY}clientCapabilities`]: [] }) },
  "info-without-version": { meta: (meta) => ({ ...meta, [`${KEY}clientInfo`]: { name: "full" } }) },
  "log-level": {
    meta: (meta, method) =>
      method === "tools/call" ? { ...meta, [`${KEY}logLevel`]: "loud" } : meta,
  },
  "state-changed": { round: (more) => ({ ...more, requestState: "other" }) },
  "state-empty": { otherRound: (more) => ({ ...more, requestState: more.requestState ?? "" }) },
  "state-alone-missing": {
    otherRound: (more, { uri }) => (uri === undefined ? more : { inputResponses: {} }),
  },
  "state-trimmed": {
    round: (more) => ({ ...more, requestState: more.requestState.trim().slice(0, -1) }),
  },
  "state-of-first": {
    laterRound: (more, _params, [requestState]) => ({ ...more, requestState }),
  },
  "state-kept": {
    laterRound: (more, _params, states) => ({
      ...more,
      requestState: states.findLast((state) => state !== undefined),
    }),
  },
  "answers-kept": {
    otherRound: (more) => more,
    laterRound: (more) => ({
      ...more,
      inputResponses: more.inputResponses ?? { form: { action: "cancel" } },
    }),
  },
  "state-missing": { round: ({ inputResponses }) => ({ inputResponses }) },
  "answer-missing": { round: (more) => ({ ...more, inputResponses: {} }) },
  "answer-more": {
    round: (more) => ({
      ...more,
      inputResponses: { ...more.inputResponses, other: { action: "cancel" } },
    }),
  },
  "answer-wrapped": {
    round: (more) => ({ ...more, inputResponses: { form: { result: { action: "accept" } } } }),
  },
  "answer-number": {
    round: (more) => ({
      ...more,
      inputResponses: { form: { action: "accept", content: { text: 7 } } },
    }),
  },
  "answers-ping": { answers: true },
  "cursor-changed": { cursor: "page-2" },
  "one-page": { onePage: true },
  "empty-is-end": { emptyIsEnd: true },
  "tasks-declared": {
    meta: (meta) => ({
      ...meta,
      [`${KEY}clientCapabilities`]: { ...meta[`${KEY}clientCapabilities`], tasks: {} },
    }),
  },
  "call-without-name": { call: { arguments: {} } },
  "falls-back": { fallsBack: true },
  insists: { insists: true },
  "initialized-sent": { after: ({ send }) => send({ method: "notifications/initialized" }) },
  "ping-sent": { after: ({ request }) => request("ping") },
  "cancels-without-id": {
    after: ({ send }) => send({ method: "notifications/cancelled", params: { reason: "no" } }),
  },
  "unnamed-calls": {
    meta: (meta, method) => (method === "tools/call" ? without(`${KEY}clientInfo`)(meta) : meta),
  },
  unnamed: { meta: without(`${KEY}clientInfo`) },
  "skips-probe": { skipsProbe: true },
  "ids-together": {
    after: ({ request }) =>
      Promise.race([request("tools/list", {}, 500), request("tools/list", {}, 500)]),
  },
  // HTTP
  "ignores-unknown": { answer: () => "silence" },
  "roots-undeclared": {
    answer: (method) => (method === "roots/list" ? { result: { roots: [] } } : undefined),
  },
  "error-as-text": {
    answer: (method) => (method.includes("nothing") ? { error: "no" } : undefined),
  },
  "accept-json": named("accept", "application/json"),
  "body-type": named("content-type", "text/plain"),
  "version-header-missing": lacking("mcp-protocol-version"),
  "version-header-other": named("mcp-protocol-version", "2025-06-18"),
  "method-header-missing": lacking("mcp-method"),
  "method-header-case": {
    headers: (headers, method) => ({
      ...headers,
      ...(method === "tools/list" && { "mcp-method": "Tools/List" }),
    }),
  },
  "name-header-missing": lacking("mcp-name"),
  "name-header-other": {
    headers: (headers) => ({ ...headers, ...(headers["mcp-name"] && { "mcp-name": "other" }) }),
  },
  "param-header-missing": lacking("mcp-param-text"),
  "param-header-other": {
    headers: (headers) => ({
      ...headers,
      ...(headers["mcp-param-text"] && { "mcp-param-text": "hello" }),
    }),
  },
  "param-nested-missing": lacking("mcp-param-times"),
  "param-boolean-other": {
    headers: (headers) => ({
      ...headers,
      ...("mcp-param-loud" in headers && { "mcp-param-loud": "False" }),
    }),
  },
  "param-absent-sent": {
    headers: (headers) => ({
      ...headers,
      ...("mcp-param-loud" in headers && { "mcp-param-absent": "null" }),
    }),
  },
  "never-refetches": { neverRefetches: true },
  "keeps-headers": { keepsHeaders: true },
  "lists-first": { before: (client) => readPrompts(client, client.request) },
  "input-for-lists": {
    before: (client) => readPrompts(client, (method, params) => client.call(params, method)),
  },
  "moves-on": { patience: 1_000 },
  "cancels-and-moves-on": { patience: 1_000, cancels: true },
  "fetches-icons": { fetchesIcons: true },
  "follows-references": { followsReferences: true },
  "takes-any-type": { takesAnyType: true },
  "needs-types": { needsTypes: true },
  "never-repeats": { neverRepeats: true },
  "needs-mode": { needsMode: true },
  "answers-anything": {
    answersAnything: true,
    laterRound: (more) => more,
  },
  ...Object.fromEntries(
    [
      "annotated-1",
      "annotated-2",
      "annotated-3",
      "annotated-4",
      "annotated-5",
      "annotated-6",
      "annotated-twice",
    ].map((name) => [`calls-${name}`, { after: ({ request }) => request("tools/call", { name }) }]),
  ),
  "padded-raw": encodedWith({ padded: " padded " }),
  "marked-raw": encodedWith({ marked: "=?base64?SGk=?=" }),
  "name-raw": {
    after: ({ request, capabilities }) =>
      capabilities.prompts && request("prompts/get", { name: "grüßen", arguments: { name: "a" } }),
  },
  "name-encoded": {
    after: ({ request, capabilities }) =>
      capabilities.prompts && request("prompts/get", { name: "grüßen", arguments: { name: "a" } }),
    headers: (headers, method) =>
      method === "prompts/get"
        ? { ...headers, "mcp-name": `=?base64?${Buffer.from("grüßen").toString("base64")}?=` }
        : headers,
  },
  "falls-back-any": { fallsBackAny: true },
  "falls-back-by-get": { fallsBackByGet: true },
  // Sessions over HTTP
  "session-missing": {
    headers: (headers, method) =>
      method === "tools/list"
        ? Object.fromEntries(Object.entries(headers).filter(([key]) => key !== "mcp-session-id"))
        : headers,
  },
  "version-with-bodies-only": {
    headers: (headers, method) =>
      method === undefined
        ? Object.fromEntries(
            Object.entries(headers).filter(([key]) => key !== "mcp-protocol-version"),
          )
        : headers,
  },
  "session-kept": { keepsSession: true },
  "reopens-with-id": { reopensWithId: true },
  "reopens-late": { pausesBeforeOpening: 1000 },
  "reopens-and-goes-on": { reopensAndGoesOn: true },
  "falls-back-to-sse-except-400": { fallsBackAfter: [404, 405] },
  "appends-endpoint": { fallsBackAfter: [400, 404, 405], sse: "appends-endpoint" },
  "reads-no-comments": { readsNoComments: true, stays: true },
  "reads-json-only": { readsJsonOnly: true, stays: true },
  "leaves-at-events": { leavesAtEvents: true },
  "reads-events-only": { readsEventsOnly: true, stays: true },
  "ignores-pings-on-streams": { ignoresStreams: true, stays: true },
  "never-resumes": { neverResumes: true },
  restarts: { restarts: true },
  "resumes-from-first": { resumesFromFirst: true },
  "resumes-at-once": { resumesAtOnce: true },
  "get-accepts-json": { getAccept: "application/json" },
  "get-accepts-any": { getAccept: "*/*" },
  "token-in-query": { query: "?access_token=secret" },
  "reads-one-line": { readsOneLine: true },
  "reads-exact-types": { readsExactTypes: true },
  "query-kept": { query: "?project=one" },
  "repeats-lost": { repeatsLost: (id) => id },
  "repeats-lost-as-new": { repeatsLost: (id) => id + 100 },
  "never-deletes": { neverDeletes: true },
  "never-deletes-when-stopped": { neverDeletes: true, stays: true },
  "leaves-late": { pausesBeforeLeaving: 1_500 },
  "leaves-late-without-delete": { pausesBeforeLeaving: 1_500, neverDeletes: true },
  stays: { stays: true },
  discovers: { discovers: true },
  "insists-on-401": { insists: true },
  "repeats-at-once": { repeatsAtOnce: true },
};

/** Returns the fault with a name, or the faults whose names are joined by `+`, which must not change the same. */
export function faultOf(names) {
  return names.split("+").reduce((fault, name) => {
    if (faults[name] === undefined) throw new Error(`There is no fault ${name}`);
    return joined(fault, faults[name]);
  }, {});
}

function joined(one, other) {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    if (typeof (result[key] ?? {}) !== "object") throw new Error(`Two faults change ${key}`);
    result[key] = key in result ? joined(result[key], value) : value;
  }
  return result;
}
