import { META } from "@mcp-codegen/runtime";
import { NOTHING } from "../conversation.js";
import { encodedHeader, headersOf, metaOf } from "../outgoing.js";
import { EVENTS } from "../link/http-link.js";
import { declares } from "../visit.js";
import { codeIn, type Door, expectNoBatch, type Headers, resultIn } from "./door.js";
import { familyOf, NO_VERSION } from "./methods.js";
import { member, type Members, parsed } from "../../tape/json-value.js";
import { methodOf, sessionRevisions } from "../../checks/roles.js";

/** Examines the HTTP rules of stateless revisions. */
export async function statelessHeaders(door: Door, opening: Members): Promise<void> {
  const { expect, post, send, visit } = door;
  for (const method of ["GET", "DELETE"]) {
    const response = await send({ method, headers: { accept: EVENTS } });
    // A server with sessions may require a session id.
    const isRefused =
      response?.status === 405 || (!visit.isSessionless && response?.status === 400);
    expect("http-method-refused", isRefused, `405 for ${method}`, response);
  }
  for (const name of ["Last-Event-ID", "Mcp-Session-Id"]) {
    const response = await post(opening, { [name.toLowerCase()]: NOTHING });
    expect("http-last-event", response?.status === 200, `200, as without ${name}`, response);
    const received = response?.headers["mcp-session-id"];
    const place = { pointer: "/http/headers/mcp-session-id", expected: "no session id", received };
    visit.expect("http-session-assigned", received === undefined, place);
  }
  await expectNoBatch(door, opening, headersOf(visit.revision, opening));
  const streams = visit.conversation.since(0).flatMap(({ http }) => (http?.stream ? [http] : []));
  const buffered = streams.find(({ headers }) => headers?.["x-accel-buffering"] !== "no");
  visit.expect("http-buffering", buffered === undefined, {
    pointer: "/http/headers/x-accel-buffering",
    expected: "no",
    received: buffered?.headers?.["x-accel-buffering"],
  });
  if (!visit.revision.conventions.methodHeaders) return;
  const method = String(opening["method"]);
  await refuses(door, opening, [
    [{ "mcp-method": "other/method" }, "as Mcp-Method is not that of the body"],
    [{ "mcp-method": method.toUpperCase() }, "as Mcp-Method has other letters than the body"],
    [{ "mcp-method": "" }, "as there is no Mcp-Method"],
    [{ "mcp-protocol-version": NO_VERSION }, "as MCP-Protocol-Version is not that of the body"],
    [
      { "mcp-protocol-version": sessionRevisions[0]!.id },
      "as MCP-Protocol-Version is that of sessions",
    ],
    ...(visit.isSessionless ? [WITHOUT_VERSION] : []),
  ]);
  await otherCase(door, opening, method);
  await withoutMeta(door, opening);
  await initialize(door, opening);
  await names(door);
}

/** The case without a version header. A server that also has sessions may treat such a request as part of a session. */
const WITHOUT_VERSION = [
  { "mcp-protocol-version": "" },
  "as there is no MCP-Protocol-Version",
] as const;

/**
 * Sends `initialize` as a stateless request. Stateless requests have no such method, even if the server also has
 * sessions.
 */
async function initialize({ expect, post }: Door, opening: Members): Promise<void> {
  const message = { ...opening, method: methodOf(sessionRevisions[0]!, "initialize") };
  const response = await post(message);
  const isUnknown = response?.status === 404 && codeIn(response.text) === -32601;
  const why = "404 with the error -32601, as stateless requests have no initialize";
  expect("method-refused", isUnknown, why, response);
}

async function otherCase({ expect, post, visit }: Door, opening: Members, method: string) {
  const headers = {
    "mcp-protocol-version": "",
    "mcp-method": "",
    "MCP-PROTOCOL-VERSION": visit.revision.id,
    "MCP-METHOD": method,
  };
  const response = await post(opening, headers);
  const why = "200, because header names are not case-sensitive";
  expect("http-header-forms", response?.status === 200, why, response);
}

async function withoutMeta({ expect, post, visit }: Door, opening: Members): Promise<void> {
  const { revision } = visit;
  const cases = [
    [{ [META.revision]: revision.id }, "there are no client capabilities"],
    [{ [META.clientCapabilities]: {} }, "there is no version in _meta"],
    [undefined, "there is no _meta"],
  ] as const;
  for (const [meta, why] of cases) {
    const params = meta && { _meta: meta };
    const headers = { "mcp-protocol-version": revision.id };
    const response = await post({ ...opening, params }, headers);
    const code = codeIn(response?.text ?? "");
    const isServed = response !== undefined && resultIn(response.text) !== undefined;
    const isRight = code === undefined ? !isServed : code === -32602;
    expect("meta-required", isRight, `400 with the error -32602, as ${why}`, response);
    if (response === undefined || code === undefined) continue;
    expect("meta-status", response.status === 400, `400, as ${why}`, response);
  }
}

/** Sends headers that name an item, both correctly and incorrectly. The item does not exist, so nothing is called. */
async function names(door: Door): Promise<void> {
  const { expect, post, visit } = door;
  for (const kind of ["tool", "prompt", "resource"] as const) {
    const family = familyOf(visit.revision, kind);
    if (family === undefined || !declares(visit.capabilities, family.capability)) continue;
    const name = kind === "resource" ? `${NOTHING}://nothing/here` : NOTHING;
    const params = { [family.by]: name, _meta: metaOf(visit.revision, {}) };
    const message = { jsonrpc: "2.0", id: "doctor-name", method: family.use, params };
    const encoded = Buffer.from(name).toString("base64");
    await refuses(door, message, [
      [{ "mcp-name": "another-name" }, "as Mcp-Name is not that of the body"],
      [{ "mcp-name": name.toUpperCase() }, "as Mcp-Name has other letters than the body"],
      [{ "mcp-name": "" }, "as there is no Mcp-Name"],
      [
        { "mcp-name": `=?base64?${encoded.replace(/=+$/, "")}?=` },
        "as Mcp-Name is not valid Base64",
      ],
      [
        { "mcp-name": `=?base64?${encoded.slice(0, 4)}!!!!${encoded.slice(4)}?=` },
        "as Mcp-Name has other characters than Base64",
      ],
      [{ "mcp-name": `=?BASE64?${encoded}?=` }, "as the marker of Base64 has lower case"],
    ]);
    const letters = { ...message, params: { ...params, [family.by]: `${name}-é` } };
    const other = await post(letters, { "mcp-name": encodedHeader(`${name}-é`) });
    const isRead = codeIn(other?.text ?? "") !== visit.revision.errorCodes["HEADER_MISMATCH"];
    const why = "an answer, as Mcp-Name is the name of the body in UTF-8";
    if (!expect("http-encoded", isRead, why, other)) continue;
    await refuses(door, letters, [
      [{ "mcp-name": `${name}-é` }, "as Mcp-Name has characters that a header must not have"],
    ]);
    const plain = await post(message);
    const response = await post(message, { "mcp-name": encodedHeader(name) });
    const isSame = codeIn(response?.text ?? "") === codeIn(plain?.text ?? "");
    expect("http-encoded", isSame, "the same answer as without the encoding", response);
  }
}

async function refuses(
  { expect, post, visit }: Door,
  message: Members,
  cases: readonly (readonly [Headers, string])[],
): Promise<void> {
  const code = visit.revision.errorCodes["HEADER_MISMATCH"];
  for (const [headers, why] of cases) {
    const response = await post(message, headers);
    const holds = response?.status === 400 && codeIn(response.text) === code;
    const is = expect("http-mismatch", holds, `400 with the error ${code}, ${why}`, response);
    const id = member(parsed(response?.text ?? ""), "id");
    const place = { pointer: "/id", expected: JSON.stringify(message["id"]), received: id };
    if (is && !visit.expect("error-id", id === message["id"], place)) return;
  }
}
