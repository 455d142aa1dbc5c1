import type { ConnectOptions } from "@mcp-codegen/universal/client";
import type { Members } from "../tape/json-value.js";

/** A result that answers a request from the server (elicitation, sampling or roots), or a function that returns one. */
export type ScriptedAnswer = AnswerResult | ((params: Members) => AnswerResult);

type AnswerResult =
  | { readonly action: "accept" | "decline" | "cancel"; readonly content?: Members }
  | { readonly content: unknown; readonly role?: "user" | "assistant"; readonly model?: string }
  | { readonly roots: readonly { readonly uri: string; readonly name?: string }[] };

export interface Question {
  readonly kind: Kind;
  readonly params: Members;
}

type Kind = "elicitation" | "sampling" | "roots";

export interface Script {
  readonly questions: readonly Question[];
  readonly handlers: Pick<ConnectOptions, "onElicit" | "onSample" | "onRoots">;
  /** Reports each unused answer as a problem. */
  finish(): void;
}

/** Creates handlers that return prepared answers. Passes each problem to `note`, as a sentence. */
export function createScript(
  answers: readonly ScriptedAnswer[],
  note: (problem: string) => void,
): Script {
  const questions: Question[] = [];
  const fail = (problem: string): never => {
    note(problem);
    throw new Error(problem);
  };
  const next = (kind: Kind, params: Members): AnswerResult => {
    const number = questions.push({ kind, params });
    const scripted = answers[number - 1];
    const request = `The server sent request ${number} (${kind}: ${summary(params)})`;
    if (scripted === undefined) return fail(`${request}, and \`answers\` has ${answers.length}`);
    const answer = typeof scripted === "function" ? scripted(params) : scripted;
    const isFor = kindOf(answer);
    if (isFor === kind) return answer;
    return fail(`${request}, and answer ${number} is for ${isFor}: ${summary(answer)}`);
  };
  const handlers = {
    onElicit: (params: object) => next("elicitation", params as Members),
    onSample: (params: object) => ({
      role: "assistant",
      model: "test",
      ...next("sampling", params as Members),
    }),
    onRoots: () => (next("roots", {}) as { readonly roots: readonly object[] }).roots,
  } as unknown as Script["handlers"];
  return {
    questions,
    handlers,
    finish() {
      for (const left of answers.slice(questions.length)) {
        const text = typeof left === "function" ? "a function" : summary(left);
        note(`The server did not send a request for the answer ${text}`);
      }
    },
  };
}

function kindOf(answer: AnswerResult): Kind {
  if ("action" in answer) return "elicitation";
  return "roots" in answer ? "roots" : "sampling";
}

function summary(value: object): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
