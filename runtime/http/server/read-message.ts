import {
  type DecodeOptions,
  INVALID_REQUEST,
  MAX_DEPTH,
  type Malformed,
  PARSE_ERROR,
  classify,
  deliver,
  isDeeperThan,
  whatIsWrong,
} from "../../wire/index.js";
import type { Exchange } from "./exchange.js";
import { isJson } from "./media-types.js";
import { type Problem, problem } from "./problem.js";
import type { ByteBudget } from "./byte-budget.js";
import type { HttpHandlerOptions } from "./options.js";

const NOT_JSON = problem(415, "Unsupported media type: send application/json in UTF-8");
const TOO_DEEP = `the input is nested deeper than ${MAX_DEPTH} levels`;
const ENCODED = problem(415, "Unsupported content encoding: send the body as it is", {
  "Accept-Encoding": "identity",
});
export const TOO_LARGE: Problem = problem(413, "The body is too large");
export const OPENING_TOO_LARGE: Problem = problem(
  413,
  "The body is too large for a message without a session (maxInitializeBytes)",
);
export const NOT_UTF8: Problem = {
  ...problem(400, "Parse error: the body is not UTF-8"),
  code: PARSE_ERROR,
};
/** Nobody is left who could read this. */
export const GONE: Problem = problem(400, "The client went away before it was answered");
export const READ_BEFORE: Problem = problem(
  500,
  "Internal error: the body was read before it came to the handler, and not handed over",
);

/** Why a body is not even read. */
export function whyUnreadable(exchange: Exchange): Problem | undefined {
  if (!isJson(exchange.header("content-type"))) return NOT_JSON;
  const encoding = exchange.header("content-encoding");
  return encoding === undefined || encoding.toLowerCase() === "identity" ? undefined : ENCODED;
}

/** Result of reading a body: its value, or the reason why there is none. */
export class Reading {
  /** Characters of the text, or bytes where something else has read them. */
  size = 0;
  value: unknown;
  malformedness: Malformed | undefined;
  problem: Problem | undefined;

  message(value: unknown): void {
    this.value = value;
  }

  malformed(malformed: Malformed): void {
    this.malformedness = malformed;
  }
}

/** Reads the JSON value in a body, or takes the one that a framework has read. */
export function readMessage(
  exchange: Exchange,
  maxBytes: number,
  budget: ByteBudget,
  options: DecodeOptions & Pick<HttpHandlerOptions, "maxParsedBodyBytes">,
): Reading | Promise<Reading> {
  const { parsedBody } = exchange;
  if (parsedBody === undefined) {
    return exchange.readBody(maxBytes, budget).then((text) => parse(text, options));
  }
  const declared = Number(exchange.header("content-length") ?? 0);
  if (declared > (options.maxParsedBodyBytes ?? maxBytes)) return parse(TOO_LARGE, options);
  if (!isJsonValue(parsedBody)) return parse(textOf(parsedBody), options);
  const reading = new Reading();
  reading.size = declared;
  if (!isDeeperThan(MAX_DEPTH, parsedBody)) reading.message(parsedBody);
  else reading.malformed({ code: INVALID_REQUEST, problem: TOO_DEEP, value: parsedBody });
  return reading;
}

function parse(text: string | Problem, options: DecodeOptions): Reading {
  const reading = new Reading();
  if (typeof text === "string") {
    reading.size = text.length;
    deliver(text, reading, options);
  } else {
    reading.problem = text;
  }
  return reading;
}

/** Body parsers for text and for bytes leave JSON as it came. */
function isJsonValue(body: unknown): boolean {
  return typeof body !== "string" && !(body instanceof Uint8Array);
}

function textOf(body: unknown): string | Problem {
  if (typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body as Uint8Array);
  } catch {
    return NOT_UTF8;
  }
}

/** Problem of a JSON value that is no message. */
export function whyInvalid(value: unknown): Malformed | undefined {
  if (classify(value) !== "invalid") return undefined;
  return { code: INVALID_REQUEST, problem: whatIsWrong(value), value };
}
