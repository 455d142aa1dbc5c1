// A client by hand: stateless or with sessions, over its standard streams or HTTP, with the fault that its second argument names.
// Usage: full.mjs stateless|session <fault>[+<fault>…] [URL]
import { createInterface } from "node:readline";
import { authorizationOf, tokenFor } from "./authorize.mjs";
import { fetch } from "./fetch.mjs";
import { faultOf } from "./full-faults.mjs";

const [, , era, name = "none", address] = process.argv;
const fault = faultOf(name);

const url = address && `${address}${fault.query ?? ""}`;
const KEY = "io.modelcontextprotocol/";
const CLIENT = { name: "full", version: "1.0.0" };
const isStateless = era === "stateless";
const version = isStateless ? "2026-07-28" : "2025-11-25";
const authorization = fault.authorizes && authorizationOf(fault.authorizes, isStateless);
let session;
let token;
let textHeader = "mcp-param-text";
let kept;
let next = 1;

const encode = (text) =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** Adds what each stateless request repeats. */
function complete(method, params = {}) {
  if (!isStateless) return params;
  const meta = {
    [`${KEY}protocolVersion`]: version,
    [`${KEY}clientCapabilities`]: { elicitation: { form: {} } },
    [`${KEY}clientInfo`]: CLIENT,
    ...params["_meta"],
  };
  return { ...params, _meta: fault.meta ? fault.meta(meta, method) : meta };
}

function headersOf({ method, params = {} }) {
  const named = {
    "tools/call": params.name,
    "prompts/get": name === "name-raw" ? undefined : params.name,
    "resources/read": params.uri,
  }[method];
  const raw = method === "prompts/get" && name === "name-raw" ? params.name : undefined;
  const { text, how } = params.arguments ?? {};
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(method !== "initialize" && { "mcp-protocol-version": version }),
    ...(session !== undefined && { "mcp-session-id": session }),
    ...(method === "initialize" && kept !== undefined && { "mcp-session-id": kept }),
    ...(isStateless && { "mcp-method": method }),
    ...(isStateless && named !== undefined && { "mcp-name": encode(named) }),
    ...(raw !== undefined && { "mcp-name": raw }),
    ...(isStateless && text !== undefined && { [textHeader]: encode(text) }),
    ...(isStateless && how && { "mcp-param-times": how.times, "mcp-param-loud": how.loud }),
  };
  if (token !== undefined && !fault.authorizes.forgets?.(method))
    headers.authorization = `Bearer ${token}`;
  return fault.headers ? fault.headers(headers, method) : headers;
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const forever = () => new Promise(() => setInterval(() => {}, 1000));

/** Returns the messages in an event stream. */
function dataIn(text) {
  if (fault.readsOneLine)
    return [...text.matchAll(/^data: (.+)$/gm)].map(([, one]) => JSON.parse(one));
  return text
    .split(/\r?\n\r?\n/)
    .map((event) => event.split(/\r?\n/).filter((line) => line.startsWith("data:")))
    .map((lines) => lines.map((line) => line.slice(5)).join("\n"))
    .filter((data) => data.trim() !== "")
    .map((data) => JSON.parse(data));
}

/** Reads the response to a request, answers pings before it, and resumes a stream that breaks off. */
async function read(response, id) {
  session ??= response.headers.get("mcp-session-id") ?? undefined;
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  if (fault.readsExactTypes && type.includes(";")) process.exit(1);
  if (!/event-stream/.test(response.headers.get("content-type"))) {
    if (text !== "" && fault.readsEventsOnly) return forever();
    return text === "" ? undefined : JSON.parse(text);
  }
  if (fault.readsJsonOnly || (fault.readsNoComments && /^:/m.test(text))) return forever();
  if (fault.leavesAtEvents) process.exit(1);
  const data = dataIn(text);
  for (const { method, id: ping } of data) {
    if (ping === undefined || method === undefined || fault.ignoresStreams) continue;
    if (isStateless && !fault.answers) continue;
    const refusal = { error: { code: -32601, message: "no" } };
    const answer = method === "ping" ? { result: {} } : (fault.answer?.(method) ?? refusal);
    if (answer !== "silence") await post({ id: ping, ...answer });
  }
  if (data.length > 0) return data.find((one) => one.id === id && one.method === undefined);
  if (fault.neverResumes) return forever();
  if (isStateless) return undefined;
  const events = [...text.matchAll(/^id: (.*)$/gm)].map(([, event]) => event);
  const last = events.at(fault.resumesFromFirst ? 0 : -1);
  await wait(fault.resumesAtOnce ? 0 : Number(/^retry: (\d+)$/m.exec(text)?.[1] ?? 0));
  const headers = {
    ...headersOf({}),
    accept: fault.getAccept ?? "text/event-stream",
    ...(!fault.restarts && { "last-event-id": last }),
  };
  return read(await fetch(url, { headers }), id);
}

/** Reads the metadata that authorization needs from each of its places. */
async function discover() {
  const places = ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"];
  for (const place of places) {
    for (const path of ["/mcp", ""]) await fetch(new URL(`/.well-known/${place}${path}`, url));
  }
}

async function post(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const isShort = fault.cancels && message.method === "tools/list";
  const signal = isShort ? AbortSignal.timeout(fault.patience) : undefined;
  const response = await fetch(url, { method: "POST", headers: headersOf(message), body, signal });
  if (response.status === 404 && session !== undefined && !fault.keepsSession) {
    kept = fault.reopensWithId ? session : undefined;
    session = undefined;
    await wait(fault.pausesBeforeOpening ?? 0);
    await open(true);
    return post({ ...message, ...(message.id !== undefined && { id: next++ }) });
  }
  if (response.status === 503) {
    const seconds = Number(response.headers.get("retry-after"));
    await wait(fault.repeatsAtOnce ? 0 : seconds * 1000);
    return post(message);
  }
  if (fault.fallsBackAfter?.includes(response.status)) {
    process.argv.splice(2, 3, url, fault.sse);
    await import("./sse.mjs");
  }
  if (response.status === 405) process.exit(1);
  if (authorization !== undefined && [401, 403].includes(response.status)) {
    token = await tokenFor(authorization, response, url);
    return token === undefined ? process.exit(1) : post(message);
  }
  if (response.status === 401 && fault.discovers) await discover();
  if (response.status === 401) return fault.insists ? post(message) : process.exit(1);
  const answer = await read(response, message.id);
  const isLost = answer === undefined && message.id !== undefined && isStateless;
  if (!isLost) return answer;
  return fault.repeatsLost
    ? post({ ...message, id: fault.repeatsLost(message.id) })
    : process.exit(1);
}

const waiting = new Map();
const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const send = (message) => {
  if (url !== undefined) return post(message);
  write(message);
  if (message.id === undefined) return undefined;
  return new Promise((resolve) => waiting.set(message.id, resolve));
};
if (url === undefined) {
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const message = JSON.parse(line);
      if (message.method === undefined) return waiting.get(message.id)?.(message);
      if (message.id === undefined) return;
      if (message.method === "ping" && (!isStateless || fault.answers))
        write({ id: message.id, result: {} });
      else if (!isStateless) write({ id: message.id, error: { code: -32601, message: "no" } });
    })
    .on("close", () => process.exit(0));
}

const ARGUMENTS = { text: "hällo", how: { times: 3, loud: false } };

async function request(method, params, id = next++) {
  const sent = send({ id, method, params: complete(method, params) });
  const isShort = fault.patience && method === "tools/list";
  const answer = await (isShort
    ? Promise.race([sent.catch(() => {}), wait(fault.patience)])
    : sent);
  if (isShort && answer === undefined) {
    if (fault.cancels && url === undefined)
      write({ method: "notifications/cancelled", params: { requestId: id } });
    return request(method, params);
  }
  const { resultType, tools = [] } = answer?.result ?? {};
  if (resultType === undefined && isStateless && fault.needsTypes && answer.result) process.exit(0);
  const isKnown = [undefined, "complete", "input_required"].includes(resultType);
  if (!isKnown && !fault.takesAnyType) process.exit(0);
  for (const { icons: [icon] = [], inputSchema } of tools) {
    if (icon && fault.fetchesIcons) await fetch(icon.src);
    const { $ref } = inputSchema.properties?.text ?? {};
    if ($ref && fault.followsReferences) await fetch($ref);
  }
  const text = tools.find((tool) => tool.name === "echo")?.inputSchema.properties.text;
  if (text && !fault.keepsHeaders) textHeader = `mcp-param-${text["x-mcp-header"].toLowerCase()}`;
  return answer;
}

const isForm = ({ params: { mode = "form", requestedSchema } = {} }) =>
  mode === "form" && requestedSchema !== undefined;

/** Repeats a request with the input that is required. */
async function call(params, method = "tools/call") {
  let answer = await request(method, params);
  if (answer.error?.code === -32020 && !fault.neverRefetches) {
    await request("tools/list");
    answer = await request(method, params);
  }
  const states = [];
  while (answer.result?.resultType === "input_required") {
    const { inputRequests, requestState } = answer.result;
    const isAnswered = (one) =>
      isForm(one) || (fault.answersAnything && one.method === "elicitation/create");
    const isDeclared = Object.values(inputRequests ?? {}).every(isAnswered);
    if (fault.neverRepeats || !isDeclared) return undefined;
    if (fault.needsMode && inputRequests?.again) return undefined;
    const inputResponses =
      inputRequests &&
      Object.fromEntries(
        Object.entries(inputRequests).map(([key, one]) => [
          key,
          { action: "accept", ...(isForm(one) && { content: { text: "yes" } }) },
        ]),
      );
    const more = { inputResponses, requestState };
    const first = params.name === "echo" ? fault.round : fault.otherRound;
    const change = states.length === 0 ? first : fault.laterRound;
    states.push(requestState);
    const round = change?.(more, params, states) ?? more;
    answer = await request(method, { ...params, ...round }, fault.roundId);
  }
  return answer;
}

async function open(isReopening = false) {
  const { result } = await request("initialize", {
    protocolVersion: version,
    capabilities: {},
    clientInfo: CLIENT,
  });
  if (result.protocolVersion !== version) {
    if (isReopening && fault.reopensAndGoesOn) return;
    process.exit(0);
  }
  await send({ method: "notifications/initialized" });
}

let capabilities;
if (isStateless) {
  let { error, result } = fault.skipsProbe
    ? { result: { capabilities: {} } }
    : await request("server/discover");
  for (let count = 0; error && fault.insists && count < 10; count++) {
    ({ error, result } = await request("server/discover"));
  }
  if (error?.code === -32022 && fault.fallsBackByGet) {
    await fetch(url, { headers: { accept: "text/event-stream" } });
  }
  const isRefused = error?.code === -32022 && fault.fallsBack;
  if (isRefused || (error && error.code !== -32022 && fault.fallsBackAny)) {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT };
    await send({ id: next++, method: "initialize", params });
  }
  if (error) process.exit(0);
  ({ capabilities } = result);
} else await open();
await fault.before?.({ request, call, capabilities });
const first = await request("tools/list");
let { nextCursor } = first.result;
const isEnd = () => nextCursor === undefined || (fault.emptyIsEnd && nextCursor === "");
while (!isEnd() && !fault.onePage) {
  const page = await request("tools/list", { cursor: fault.cursor ?? nextCursor });
  ({ nextCursor } = page.result);
}
await call(fault.call ?? { name: "echo", arguments: ARGUMENTS });
if (isStateless && (name === "none" || fault.otherRound)) {
  await call({ name: "second", arguments: {} });
  if (capabilities.resources) await call({ uri: "doctor://one" }, "resources/read");
}
await fault.after?.({ request, send, complete, capabilities });
async function close() {
  if (session !== undefined && !fault.neverDeletes) {
    await fetch(url, { method: "DELETE", headers: headersOf({}) });
  }
  process.exit(0);
}
if (url !== undefined && !fault.stays) {
  await wait(fault.pausesBeforeLeaving ?? 0);
  await close();
}
if (fault.stays) {
  process.on("SIGTERM", close);
  setInterval(() => {}, 1000);
}
