import { isObject } from "../../wire/index.js";
import { AuthorizationError, HttpError } from "./errors.js";
import { JSON_TYPE, mediaType } from "./media-type.js";
import { readStart } from "./read-text.js";
import { retryAfter } from "./retry-after.js";
import { place } from "./settings.js";

/** Characters of an error's body that are looked at, and that are kept. */
const LOOKED_AT = 65_536;
const KEPT = 1000;
/** Characters of it that go into the error's message. */
const LONGEST_REASON = 200;

/** A response other than 2xx. */
export interface Refusal {
  readonly error: HttpError;
  /** The start of its body. */
  readonly text: string;
  /** Its body, when that is JSON. */
  readonly value: unknown;
}

/** Makes an error of a response with a status other than 2xx. */
export async function readRefusal(response: Response, method: string, url: URL): Promise<Refusal> {
  const { status } = response;
  const text = response.bodyUsed ? "" : await readStart(response, LOOKED_AT);
  const value = mediaType(response) === JSON_TYPE ? parse(text) : undefined;
  const rpcError = errorIn(value);
  const reason = reasonIn(rpcError) ?? plainReason(response, text);
  const message = `${method} ${place(url)} was answered ${status}${reason}`;
  const detail = text.slice(0, KEPT);
  const rpcCode = rpcError?.["code"];
  const wait = retryAfter(response);
  const failure = {
    status,
    ...(detail !== "" && { detail }),
    ...(typeof rpcCode === "number" && { rpcCode }),
    ...(wait !== undefined && { retryAfter: wait }),
  };
  const challenge = response.headers.get("www-authenticate") ?? undefined;
  const isAboutSender = status === 401 || (status === 403 && challenge !== undefined);
  if (!isAboutSender) return { error: new HttpError(message, failure), text, value };
  return { error: new AuthorizationError(message, challenge, failure), text, value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorIn(value: unknown): Record<string, unknown> | undefined {
  const error = isObject(value) ? value["error"] : undefined;
  return isObject(error) ? error : undefined;
}

function reasonIn(error: Record<string, unknown> | undefined): string | undefined {
  const message = error?.["message"];
  return typeof message === "string" ? `: ${shown(message)}` : undefined;
}

/** Reason in a body that is neither JSON nor markup, and so may be meant for people. */
function plainReason(response: Response, text: string): string {
  const type = mediaType(response);
  if (type !== "text/plain" && type !== "") return "";
  const reason = shown(text);
  return reason === '""' ? "" : `: ${reason}`;
}

/** Text of a server for a line of its own, without anything that could act on what shows it. */
function shown(text: string): string {
  const line = text
    .slice(0, LONGEST_REASON + 1)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return `"${line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line}"`;
}
