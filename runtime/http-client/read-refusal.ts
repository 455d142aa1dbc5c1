import { quote } from "../jsonrpc.js";
import { isObject } from "../validate.js";
import { AuthorizationError, HttpError } from "./errors.js";
import { JSON_TYPE, mediaType } from "./media-type.js";
import { readStart } from "./read-text.js";
import { place } from "./settings.js";

/** Characters of an error's body that are looked at, and that are kept. */
const LOOKED_AT = 65_536;
const KEPT = 1000;

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
  const message = `${method} ${place(url)} was answered ${status}${reasonIn(value)}`;
  const detail = text.slice(0, KEPT);
  const failure = { status, ...(detail !== "" && { detail }) };
  if (status !== 401 && status !== 403)
    return { error: new HttpError(message, failure), text, value };
  const challenge = response.headers.get("www-authenticate") ?? undefined;
  return { error: new AuthorizationError(message, challenge, failure), text, value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonIn(value: unknown): string {
  const error = isObject(value) ? value["error"] : undefined;
  const message = isObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? `: ${quote(message)}` : "";
}
