import {
  type Frame,
  INTERNAL_ERROR,
  type ResponseMessage,
  frameText,
} from "../../../wire/index.js";

/**
 * Returns the text of an event from a store. Other programs may have written to the store, and a line break, which is
 * only white space in JSON, would start another field or event.
 */
export function storedText(data: string): string {
  return data.replaceAll(/[\r\n]+/g, " ");
}

/** Formats a message as a server-sent event. The text is JSON and therefore contains no line break. */
export function formatEvent(json: string, id?: string): string {
  return id === undefined ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`;
}

export function formatPriming(id: string, retry: number): string {
  return `id: ${id}\nretry: ${retry}\ndata: \n\n`;
}

/** Formats the line that sets the client's reconnection time, in milliseconds. */
export function formatRetry(retry: number): string {
  return `retry: ${retry}\n\n`;
}

/** The id of an event in a session's streams. */
export interface EventId {
  readonly stream: string;
  /** The number of the event in its stream, starting from 1; 0 is the beginning of the stream. */
  readonly index: number;
}

/** Formats an event id as clients receive it. */
export function formatEventId(stream: string, index: number): string {
  return `${stream}_${index.toString(36)}`;
}

/** Parses a `Last-Event-ID`. Returns undefined for a value that {@link formatEventId} never creates. */
export function parseEventId(text: string): EventId | undefined {
  const [, stream, index] = /^([0-9a-z]{1,24})_(0|[1-9a-z][0-9a-z]{0,8})$/.exec(text) ?? [];
  if (stream === undefined || index === undefined) return undefined;
  return { stream, index: Number.parseInt(index, 36) };
}

export interface AnswerLimit {
  readonly maxAnswerBytes: number;
  report(error: Error): void;
}

/** Returns the text of a message. An answer that is too long is replaced by an error that names the limit. */
export function answerText(frame: Frame, { maxAnswerBytes, report }: AnswerLimit): string {
  const text = frameText(frame);
  if (text.length <= maxAnswerBytes || "method" in frame) return text;
  const problem = `the response has ${text.length} characters, more than ${maxAnswerBytes} (maxAnswerBytes)`;
  report(new Error(`An error is sent instead: ${problem}`));
  const error = { code: INTERNAL_ERROR, message: `Internal error: ${problem}` };
  const refused = ({ id }: ResponseMessage): object => ({ jsonrpc: "2.0", id, error });
  const answers = frame as ResponseMessage | readonly ResponseMessage[];
  return JSON.stringify(
    Array.isArray(answers) ? answers.map(refused) : refused(answers as ResponseMessage),
  );
}
