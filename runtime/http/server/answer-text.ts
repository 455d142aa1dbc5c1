import { type Frame, INTERNAL_ERROR, type ResponseMessage, frameText } from "../../wire/index.js";

/** Limit for answers, and where it is told that one was longer. */
export interface AnswerLimit {
  /** Characters of an answer. */
  readonly maxAnswerBytes: number;
  report(error: Error): void;
}

/** Text of a message; in the place of an answer that is too long, an error that says so. */
export function answerText(frame: Frame, { maxAnswerBytes, report }: AnswerLimit): string {
  const text = frameText(frame);
  if (text.length <= maxAnswerBytes || "method" in frame) return text;
  const problem = `the answer has ${text.length} characters, more than ${maxAnswerBytes} (maxAnswerBytes)`;
  report(new Error(`An error is sent instead: ${problem}`));
  const error = { code: INTERNAL_ERROR, message: `Internal error: ${problem}` };
  const refused = ({ id }: ResponseMessage): object => ({ jsonrpc: "2.0", id, error });
  const answers = frame as ResponseMessage | readonly ResponseMessage[];
  return JSON.stringify(
    Array.isArray(answers) ? answers.map(refused) : refused(answers as ResponseMessage),
  );
}
