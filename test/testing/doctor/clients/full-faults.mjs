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

export const faults = {
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
  // HTTP
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
  "reads-json-only": { readsJsonOnly: true, stays: true },
  "reads-events-only": { readsEventsOnly: true, stays: true },
  "ignores-pings-on-streams": { ignoresStreams: true, stays: true },
  "never-resumes": { neverResumes: true },
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
  stays: { stays: true },
  "repeats-at-once": { repeatsAtOnce: true },
  // Login
  "logs-in": { login: {} },
  "challenge-ignored": { login: { ignoresChallenge: true } },
  "path-ignored": { login: { ignoresPath: true } },
  "only-oauth": { login: { onlyOAuth: true } },
  "pkce-plain": { login: { authorization: { code_challenge_method: "plain" } } },
  "pkce-unproven": { login: { token: { code_verifier: "other" } } },
  "pkce-unsupported": { login: { withoutSupport: true } },
  "resource-unnamed": { login: { authorization: { resource: undefined } } },
  "token-resource-unnamed": { login: { token: { resource: undefined } } },
  "redirect-insecure": {
    login: { registration: { redirect_uris: ["http://client.example/callback"] } },
  },
  "application-untyped": { login: { registration: { application_type: undefined } } },
  stateless: { login: { authorization: { state: undefined } } },
  "scope-of-all": { login: { authorization: { scope: "doctor:read doctor:write" } } },
  "issuer-unchecked": { login: { anyIssuer: true } },
  "response-unchecked": { login: { anyResponse: true } },
  "token-once": {
    login: {},
    headers: (headers, method) =>
      method === "tools/call" ? { ...headers, authorization: undefined } : headers,
  },
};
