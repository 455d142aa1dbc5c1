import { until } from "../link/link.js";
import type { UrlTarget } from "../link/http-link.js";
import type { Visit } from "../visit.js";
import { glanceAt } from "../link/sse-link.js";
import { type Door, isRefused, openDoor, openingOf, STRANGER } from "./door.js";
import { statelessHeaders } from "./http-headers.js";
import { sessions } from "./http-sessions.js";
import type { Members } from "../../tape/json-value.js";
import { isStateless } from "../../checks/check.js";

/** Examines the rules of HTTP at one revision. */
export async function examineHttp(visit: Visit, target: UrlTarget): Promise<void> {
  const door = openDoor(visit, target);
  const opening = openingOf(visit);
  await until(() => visit.conversation.unended.length === 0, 1_000);
  const [unended] = visit.conversation.unended;
  visit.expect("http-stream-end", unended === undefined, {
    expected: "the end of the stream with its response",
    received: `an open stream after the response to ${unended}`,
  });
  if (door.isLocal) await strangers(door, opening);
  await bodies(door, opening);
  if (isStateless(visit.revision)) await statelessHeaders(door, opening);
  else await sessions(door, opening);
}

/** Examines what pages of other origins can open over HTTP+SSE. */
export async function examineSse(visit: Visit, target: UrlTarget): Promise<void> {
  const { expect, isLocal } = openDoor(visit, target);
  if (!isLocal) return;
  const foreign = [
    ["http-origin", { origin: `https://${STRANGER}` }, "Origin"],
    ["http-host", { host: STRANGER }, "Host"],
  ] as const;
  for (const [id, headers, name] of foreign) {
    const stream = await glanceAt(target, headers);
    const response = stream && { ...stream.response, text: "" };
    expect(id, stream === undefined, `403, as the ${name} is foreign`, response);
  }
}

/** Sends requests that a page of another origin could send through a browser on the same machine. */
async function strangers({ visit, post, send, expect }: Door, opening: Members): Promise<void> {
  const origin = `https://${STRANGER}`;
  const foreign = await post(opening, { origin });
  const { polling, methodHeaders } = visit.revision.conventions;
  // Before event streams could be polled, the status was not said.
  const isExact = polling || methodHeaders;
  const isForbidden = isExact ? foreign?.status === 403 : isRefused(foreign);
  expect("http-origin", isForbidden, `403, as the Origin is ${origin}`, foreign);
  const host = await post(opening, { host: STRANGER });
  expect("http-host", isRefused(host), `403, as the Host is ${STRANGER}`, host);
  const preflight = await send({
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  const allowed = preflight?.headers["access-control-allow-origin"];
  const withCredentials = preflight?.headers["access-control-allow-credentials"] === "true";
  visit.expect("http-cors", !(withCredentials && (allowed === origin || allowed === "*")), {
    pointer: "/http/headers/access-control-allow-origin",
    expected: `no permission with credentials for ${origin}`,
    received: allowed,
  });
}

async function bodies({ post, expect }: Door, opening: Members): Promise<void> {
  const broken = await post('{"jsonrpc": "2.0", "id": 1,');
  expect(
    "http-body-invalid",
    broken !== undefined && broken.status >= 400 && broken.status < 500,
    "400, as the body is not JSON",
    broken,
  );
  const forms = [
    [{ accept: "text/event-stream, application/json;q=0.9" }, "Accept in another order"],
    [{ "content-type": "application/json; charset=utf-8" }, "a Content-Type with charset"],
  ] as const;
  for (const [headers, name] of forms) {
    const response = await post(opening, headers);
    expect("http-header-forms", !isRefused(response), `an answer to ${name}`, response);
  }
  const text = await post(opening, { "content-type": "text/plain" });
  expect("http-media-type", isRefused(text), "415, as the body is text/plain", text);
  const image = await post(opening, { accept: "image/png" });
  expect("http-accept-refused", isRefused(image), "406, as only image/png is accepted", image);
}
