import {
  type DecodeOptions,
  INVALID_REQUEST,
  MAX_DEPTH,
  type Malformed,
  type RequestId,
  classify,
  deliver,
  isDeeperThan,
  isRequestId,
  whatIsWrong,
} from "../../../wire/index.js";
import type { ByteBudget } from "../limits.js";
import type { HttpHandlerOptions, HttpOptions } from "../option-types.js";
import type { Exchange, RequestFields } from "./exchange.js";
import { type Problem, PROBLEMS } from "./problem.js";

const TOO_DEEP = `the input is nested deeper than ${MAX_DEPTH} levels`;

/** The form of the answer to a POST. `lazy` means JSON, unless a message is sent before the answer. */
export type AnswerForm = "lazy" | "json" | "events";

/** The values of `Accept` that conforming clients usually send. */
const ACCEPT_BOTH: ReadonlySet<string | undefined> = /* @__PURE__ */ new Set([
  "application/json, text/event-stream",
  "text/event-stream, application/json",
  "application/json,text/event-stream",
]);

export function answerForm(
  fields: RequestFields,
  { responses = "auto", lenientAccept = false }: HttpHandlerOptions,
): AnswerForm | Problem {
  const { accept } = fields;
  const isUsual = fields["content-type"] === "application/json" && ACCEPT_BOTH.has(accept);
  const refused =
    isUsual && fields["content-encoding"] === undefined ? undefined : whyUnreadable(fields);
  if (refused) return refused;
  const both = responses === "auto" ? "lazy" : responses;
  if (isUsual) return both;
  const { json, events } = acceptedTypes(accept === undefined && lenientAccept ? "*/*" : accept);
  if (json && events) return both;
  if (!lenientAccept || (!json && !events)) return PROBLEMS.notAcceptable;
  if (json) return "json";
  return responses === "json" ? PROBLEMS.notAcceptable : "events";
}

/**
 * Returns the types of answers that the client accepts. The most specific matching range counts, and `q=0` excludes a
 * type (RFC 9110, section 12.5.1).
 */
export function acceptedTypes(field: string | undefined): {
  readonly json: boolean;
  readonly events: boolean;
} {
  if (field === undefined) return { json: false, events: false };
  if (ACCEPT_BOTH.has(field)) return { json: true, events: true };
  const ranges = new Map<string, boolean>();
  for (const part of field.toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";");
    ranges.set(range.trim(), !parameters.some(isZeroWeight));
  }
  const accepts = (type: string, subtype: string): boolean =>
    ranges.get(`${type}/${subtype}`) ?? ranges.get(`${type}/*`) ?? ranges.get("*/*") ?? false;
  return { json: accepts("application", "json"), events: accepts("text", "event-stream") };
}

function isZeroWeight(parameter: string): boolean {
  return /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter);
}

/**
 * True if the `Content-Type` is JSON in UTF-8, the only encoding for JSON that is exchanged between systems (RFC 8259,
 * section 8.1).
 */
export function isJson(field: string | undefined): boolean {
  if (field === "application/json") return true;
  if (field === undefined) return false;
  const [type, ...parameters] = field.toLowerCase().split(";");
  if (type?.trim() !== "application/json") return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=", 2);
    return name.trim() !== "charset" || /^\s*("utf-8"|utf-8|"utf8"|utf8)\s*$/.test(value);
  });
}

export function whyUnreadable(fields: RequestFields): Problem | undefined {
  if (!isJson(fields["content-type"])) return PROBLEMS.notJson;
  const encoding = fields["content-encoding"];
  return encoding === undefined || encoding.toLowerCase() === "identity"
    ? undefined
    : PROBLEMS.encoded;
}

export class BodyReading {
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

export async function readMessage(
  exchange: Exchange,
  maxBytes: number,
  budget: ByteBudget,
  options: HttpOptions,
): Promise<BodyReading> {
  const { parsedBody, fields } = exchange.head;
  if (parsedBody === undefined) return parse(await exchange.readBody(maxBytes, budget), options);
  const declared = Number(fields["content-length"] ?? 0);
  if (declared > (options.maxParsedBodyBytes ?? maxBytes)) return parse(PROBLEMS.tooLarge, options);
  // Parsers for text or byte bodies leave JSON unparsed.
  if (typeof parsedBody === "string") return parse(parsedBody, options);
  if (parsedBody instanceof Uint8Array) return parse(decode(parsedBody), options);
  const reading = new BodyReading();
  reading.size = declared;
  if (!isDeeperThan(MAX_DEPTH, parsedBody)) reading.message(parsedBody);
  else reading.malformed({ code: INVALID_REQUEST, problem: TOO_DEEP, value: parsedBody });
  return reading;
}

function parse(text: string | Problem, options: DecodeOptions): BodyReading {
  const reading = new BodyReading();
  if (typeof text === "string") {
    reading.size = text.length;
    deliver(text, reading, options);
  } else {
    reading.problem = text;
  }
  return reading;
}

const DECODER = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

export function decode(bytes: Uint8Array | ArrayBuffer): string | Problem {
  try {
    return DECODER.decode(bytes);
  } catch {
    return PROBLEMS.notUtf8;
  }
}

export function whyInvalid(value: unknown): Malformed | undefined {
  if (classify(value) !== "invalid") return undefined;
  return { code: INVALID_REQUEST, problem: whatIsWrong(value), value };
}

const NO_IDS: readonly RequestId[] = [];

export function requestIds(value: unknown): readonly RequestId[] {
  if (!Array.isArray(value)) return isRequest(value) ? [value.id] : NO_IDS;
  return value.filter(isRequest).map(({ id }) => id);
}

export function isRequest(value: unknown): value is { id: RequestId; method: string } {
  return classify(value) === "request" && isRequestId((value as { id: unknown }).id);
}
