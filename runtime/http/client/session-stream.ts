import {
  INVALID_PARAMS,
  type RequestId,
  type ResponseMessage,
  deliver,
  isObject,
  isRequestId,
} from "../../wire/index.js";
import { HttpError, SessionExpiredError } from "./errors.js";
import { EventTooLongError, type StreamHost, resumableStream } from "./event-stream.js";
import type { MessageSink } from "./exchange.js";
import { EVENT_STREAM, discard, mediaType } from "./responses.js";

export interface SessionStreamOptions {
  readonly host: StreamHost;
  readonly sink: MessageSink;
  readonly report: (error: Error) => void;
  /** Called when the stream is open again but the messages sent during the interruption are lost. Must not throw. */
  readonly ongap: () => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps open the session's stream, on which the server sends messages that belong to no request (MCP: Streamable HTTP,
 * listening for messages). Reopens the stream whenever it ends, unless the server does not support it. Never rejects.
 */
export async function keepSessionStream(options: SessionStreamOptions): Promise<void> {
  const { host, sink, report, ongap, signal } = options;
  const stream = resumableStream(host, {
    mostFailures: Infinity,
    ontext: (text) => deliver(text, sink),
  });
  let wasOpened = false;

  const connect = async (): Promise<Response | undefined> => {
    const isGap = wasOpened && !stream.canResume();
    try {
      const response = await stream.attempt(signal);
      if (response && mediaType(response) !== EVENT_STREAM) {
        discard(response);
        throw new HttpError("The response is not an event stream", { status: response.status });
      }
      wasOpened ||= response !== undefined;
      if (response && isGap) ongap();
      return response;
    } catch (error) {
      if (!(error instanceof HttpError) || !stream.canResume()) throw error;
      stream.resumeAfter("");
      return undefined;
    }
  };

  /** Continues without the missed messages, because the server would send the oversized event again. */
  const skip = (error: Error): void => {
    if (!(error instanceof EventTooLongError)) throw error;
    report(error);
    stream.resumeAfter("");
  };

  try {
    while (!signal.aborted) {
      const response = await connect();
      if (response) await stream.read(response, signal).catch(skip);
      await stream.pause(signal);
    }
  } catch (error) {
    if (!signal.aborted && !isUnsupported(error, wasOpened)) report(error as Error);
  }
}

/**
 * True if an error need not be reported. Either the session has ended, which is reported elsewhere, or the stream,
 * which is optional, could never be opened for a reason other than authorization.
 */
function isUnsupported(error: unknown, wasOpened: boolean): boolean {
  if (error instanceof SessionExpiredError) return true;
  const isHttp = error instanceof HttpError && error.status !== 401 && error.status !== 403;
  return isHttp && !wasOpened;
}

/**
 * Creates a sink for a session's stream. It refuses requests from the server, because on this stream they belong to no
 * request from this client.
 */
export function withoutRequests(
  sink: MessageSink,
  refuse: (answer: ResponseMessage) => void,
): MessageSink {
  const isRefused = (value: unknown): boolean => {
    const id = requestId(value);
    if (id === undefined) return false;
    const message =
      "Invalid params: a request of the server must belong to a request of the client";
    refuse({ jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message } });
    return true;
  };
  return {
    malformed: (problem) => sink.malformed(problem),
    message: (value) => {
      if (!Array.isArray(value)) return isRefused(value) ? undefined : sink.message(value);
      const rest = value.filter((one) => !isRefused(one));
      if (rest.length > 0) sink.message(rest);
    },
  };
}

function requestId(value: unknown): RequestId | undefined {
  if (!isObject(value) || typeof value["method"] !== "string") return undefined;
  return isRequestId(value["id"]) ? value["id"] : undefined;
}
