import { META } from "@mcp-codegen/runtime";
import { metaOf, NOTHING } from "../conversation.js";
import { declares } from "../visit.js";
import { codeIn, type Door, type Headers, resultIn } from "./door.js";
import { familyOf, NO_VERSION } from "./methods.js";
import type { Members } from "../../tape/json-value.js";

/** Examines headers that must repeat the body, and requests that a server without sessions must reject. */
export async function statelessHeaders(door: Door, opening: Members): Promise<void> {
  const { expect, post, send, visit } = door;
  for (const method of ["GET", "DELETE"]) {
    const response = await send({ method, headers: { accept: "text/event-stream" } });
    expect("http-method-refused", response?.status === 405, `405 for ${method}`, response);
  }
  const last = await post(opening, { "last-event-id": NOTHING });
  expect("http-last-event", last?.status === 200, "200, as without Last-Event-ID", last);
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
  ]);
  await withoutMeta(door, opening);
  await names(door);
}

/** Sends a request without the capabilities of the client, and one without `_meta`. */
async function withoutMeta({ expect, post, visit }: Door, opening: Members): Promise<void> {
  const { revision } = visit;
  for (const meta of [{ [META.revision]: revision.id }, undefined]) {
    const params = meta && { _meta: meta };
    const headers = { "mcp-protocol-version": revision.id };
    const response = await post({ ...opening, params }, headers);
    const why = meta ? "there are no client capabilities" : "there is no _meta";
    const isServed = response !== undefined && resultIn(response.text) !== undefined;
    expect("meta-required", !isServed, `400 with the error -32602, as ${why}`, response);
    if (response === undefined || codeIn(response.text) === undefined) continue;
    expect("meta-status", response.status === 400, `400, as ${why}`, response);
  }
}

/** Sends headers that name an item, correctly and not. The item does not exist, so nothing is called. */
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
    const plain = await post(message);
    const response = await post(message, { "mcp-name": `=?base64?${encoded}?=` });
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
    expect("http-mismatch", holds, `400 with the error ${code}, ${why}`, response);
  }
}
