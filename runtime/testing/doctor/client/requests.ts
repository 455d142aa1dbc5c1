import type { Revision } from "@mcp-codegen/runtime";
import { type CheckId, CHECKS } from "../../checks/index.js";
import { NOTHING } from "../conversation.js";
import { declares, isEmptyResult } from "../visit.js";
import { isWithin } from "../link/link.js";
import { FIELDS, formWith, LATER_FIELDS } from "./form.js";
import { takesForms, VISIT } from "./rounds.js";
import { codeOf, expect, hasLeft, lineOf, type Run, type Work } from "./run.js";
import type { Manner } from "./script-server.js";
import { AT } from "../../checks/check.js";
import type { Place } from "../visit.js";
import { isMembers, member, type Members, messagesIn } from "../../tape/json-value.js";

const SAY_YES = { type: "text", text: "Say yes" };

const toolUse = (id: string): Members => ({ type: "tool_use", id, name: "nothing", input: {} });
const toolResult = (toolUseId: string): Members => ({
  type: "tool_result",
  toolUseId,
  content: [SAY_YES],
});

/** Parameters of a URL-mode elicitation, in the form that sessions use. */
const SESSION_VISIT: Members = { ...VISIT, elicitationId: NOTHING };

const FORM = formWith(FIELDS);

const REQUESTS: readonly (readonly [
  capability: string,
  method: string,
  params: Members | undefined,
])[] = [
  ["client.roots", "roots/list", undefined],
  [
    "client.sampling",
    "sampling/createMessage",
    { messages: [{ role: "user", content: SAY_YES }], maxTokens: 10 },
  ],
  ["client.elicitation", "elicitation/create", FORM],
  ["client.elicitation.url", "elicitation/create", SESSION_VISIT],
];

/** The requests that a client must reject if it declares one capability but not another. */
const REFUSED: readonly {
  readonly id: CheckId;
  readonly declared: string;
  readonly undeclared?: string;
  readonly method: string;
  readonly params: Members;
  /** The expected error code. Default: any. */
  readonly code?: number;
}[] = [
  {
    id: "client-mode",
    declared: "client.elicitation",
    undeclared: "client.elicitation.url",
    method: "elicitation/create",
    params: SESSION_VISIT,
    code: -32602,
  },
  {
    id: "client-mode",
    declared: "client.elicitation.url",
    undeclared: "client.elicitation.form",
    method: "elicitation/create",
    params: FORM,
    code: -32602,
  },
  {
    id: "client-sampling-tools",
    declared: "client.sampling",
    undeclared: "client.sampling.tools",
    method: "sampling/createMessage",
    params: {
      messages: [{ role: "user", content: SAY_YES }],
      maxTokens: 10,
      tools: [{ name: "nothing", inputSchema: { type: "object" } }],
    },
  },
  // Tool uses with no result, with only one of two results, or with a result beside other content.
  ...[[SAY_YES], [toolResult("1")], [toolResult("1"), toolResult("2"), SAY_YES]].map(
    (content) =>
      ({
        id: "client-turns",
        declared: "client.sampling.tools",
        method: "sampling/createMessage",
        params: {
          messages: [
            { role: "user", content: SAY_YES },
            { role: "assistant", content: [toolUse("1"), toolUse("2")] },
            { role: "user", content },
          ],
          maxTokens: 10,
        },
        code: -32602,
      }) as const,
  ),
];

/**
 * The error codes that mean that a request is invalid or unsupported. Users and hosts may refuse valid requests with
 * other codes.
 */
const UNSERVED: readonly unknown[] = [-32700, -32600, -32601, -32602];

/** A request to a client, and a function that examines the answer. */
interface Question {
  readonly method: string;
  readonly params?: Members | undefined;
  readonly manner?: Manner & { readonly within?: number };
  /** False if the answers so far make the question pointless. */
  readonly isApt?: () => boolean;
  judge(answer: Members | undefined): void;
}

/**
 * Sends requests to a client, and examines the responses. Returns false if the client left before the last one.
 *
 * @param onsent - called once all requests have been sent, for clients that read a stream only at its end. Without it,
 *   each request waits for the previous one's answer.
 */
export async function requests(work: Work, run: Run, onsent?: () => void): Promise<boolean> {
  const questions = [
    ...basics(work, run),
    ...features(work, run),
    ...visits(work, run),
    ...refusals(work, run),
  ];
  let asked = performance.now();
  const ask = ({ method, params, manner: { within = 3_000, ...manner } = {} }: Question) => {
    const sent = (asked = performance.now());
    const answer = run.server.ask(method, params, Math.min(work.timeout, within), manner);
    void answer.then((one) => {
      if (one === undefined) return;
      const at = performance.now();
      const { took = 0 } = run.answered.get(method) ?? {};
      run.answered.set(method, { at, took: Math.max(at - sent, took) });
    });
    return answer;
  };
  const early = onsent && questions.map(ask);
  onsent?.();
  for (const [index, question] of questions.entries()) {
    if (question.isApt?.() === false) continue;
    if (early === undefined && run.ending) return false;
    const answer = await (early?.[index] ?? ask(question));
    if (answer === undefined && hasLeft(work, run, asked)) return false;
    // Whether a client answers pings on such a stream is examined elsewhere.
    if (answer === undefined && index === 0 && early) return true;
    question.judge(answer);
  }
  return true;
}

function basics(work: Work, run: Run): readonly Question[] {
  let isPonging = false;
  let isRefusing = false;
  const { traits } = run.server.revision;
  const batch: Question = {
    method: "ping",
    manner: { within: 1_500, batch: true },
    isApt: () => isPonging && isRefusing,
    judge(answer) {
      const received = "no answer to each request in a batch";
      const place = answer === undefined && unansweredIn(work, run);
      expect(work, run, "client-batch", answer !== undefined, { received, ...place });
    },
  };
  return [
    {
      method: "ping",
      judge(pong) {
        isPonging = isMembers(pong?.result) && isEmptyResult(pong.result);
        expect(work, run, "client-ping", isPonging, {
          line: lineOf(work, pong),
          ...(pong?.result !== undefined && { pointer: "/result" }),
          received: pong?.error ?? pong?.result ?? "no answer to ping",
        });
      },
    },
    ...[0, ""].map((id): Question => ({
      method: "ping",
      manner: { within: 1_500, id },
      isApt: () => isPonging,
      judge(answer) {
        const received = `no answer to ping with the id ${JSON.stringify(id)}`;
        expect(work, run, "client-id", answer !== undefined, { received });
      },
    })),
    {
      method: `${NOTHING}/method`,
      judge(refusal) {
        const received = "no answer to an unknown method";
        isRefusing = refusal !== undefined;
        if (!expect(work, run, "client-silent", isRefusing, { received })) return;
        const isRefused = codeOf(refusal) === -32601;
        const place = { line: lineOf(work, refusal), pointer: "/error", received: refusal };
        expect(work, run, "client-method-refused", isRefused, place);
      },
    },
    ...(traits.batching && run.endpoint.streams === undefined ? [batch] : []),
  ];
}

/** Returns the parameters of a request, with the form fields that the revision has. */
function paramsAt(revision: Revision, params: Members | undefined): Members | undefined {
  const isLater = params === FORM && AT.toolSampling(revision);
  return isLater ? formWith({ ...FIELDS, ...LATER_FIELDS }) : params;
}

/** Returns requests for all capabilities. The client must refuse those that it has not declared. */
function features(work: Work, run: Run): readonly Question[] {
  const { capabilities, revision, hasDeclared } = run.server;
  return REQUESTS.flatMap(([capability, method, params]): readonly Question[] => {
    const isDeclared = declares(capabilities, capability);
    // Whether a client rejects undeclared modes of a capability is examined by `refusals`.
    const isMode = capability.split(".").length > 2;
    const isClear = isDeclared || (hasDeclared && !isMode);
    if (!revision.methods.has(method) || !isClear) return [];
    // A client whose only mode is `url` must reject forms; `refusals` examines this.
    if (params === FORM && isDeclared && !takesForms(capabilities)) return [];
    const given = paramsAt(revision, params);
    const name = capability.slice("client.".length);
    const isRoots = method === "roots/list";
    return [
      {
        method,
        params: { ...given, _meta: { progressToken: `${NOTHING}-${method}` } },
        judge(answer) {
          const line = lineOf(work, answer);
          if (isDeclared) {
            const isServed = answer !== undefined && !UNSERVED.includes(codeOf(answer));
            expect(work, run, "client-capability", isServed, {
              line,
              ...(answer && { pointer: "/error/code" }),
              expected: `an answer to ${method}, as ${name} is declared`,
              received: answer?.["error"] ?? "no answer",
            });
            return;
          }
          const isRefused = isRoots ? codeOf(answer) === -32601 : answer?.["error"] !== undefined;
          const check = answer === undefined ? "client-silent" : "client-undeclared";
          expect(work, run, check, isRefused, {
            line,
            ...(answer && { pointer: answer["error"] ? "/error/code" : "/result" }),
            expected: `${isRoots ? "the error -32601" : "an error"} for ${method}, as ${name} is not declared`,
            received: answer ?? "no answer",
          });
        },
      },
    ];
  });
}

/** Returns a request to open a page of the trap, which a client may open only with the user's consent. */
function visits({ trap }: Work, { server: { capabilities, revision } }: Run): readonly Question[] {
  const isApt = AT.toolSampling(revision) && declares(capabilities, "client.elicitation.url");
  if (trap === undefined || !isApt) return [];
  return [
    {
      method: "elicitation/create",
      params: { ...SESSION_VISIT, url: `${trap.origin}/visit` },
      judge(answer) {
        trap.isRefused = answer !== undefined && member(answer.result, "action") !== "accept";
      },
    },
  ];
}

function refusals(work: Work, run: Run): readonly Question[] {
  const { capabilities, revision } = run.server;
  return REFUSED.filter(
    ({ id, declared, undeclared }) =>
      CHECKS[id].applies?.(revision) !== false &&
      declares(capabilities, declared) &&
      (undeclared === undefined || !declares(capabilities, undeclared)),
  ).map(({ id, method, params, code }) => ({
    method,
    params,
    judge(answer) {
      if (answer === undefined) return;
      const isRefused = code === undefined ? "error" in answer : codeOf(answer) === code;
      const pointer = answer["error"] ? "/error/code" : "/result";
      expect(work, run, id, isRefused, { line: lineOf(work, answer), pointer, received: answer });
    },
  }));
}

/** Returns the place of the first unanswered request in the last batch. */
function unansweredIn({ recorder }: Work, { server: { number } }: Run): Omit<Place, "received"> {
  const lines = recorder.lines.filter(({ conversation }) => conversation === number);
  const line = lines.findLast(({ from, message }) => from === "server" && Array.isArray(message));
  const answered = new Set(
    lines
      .filter(({ from, n }) => from === "client" && line !== undefined && n > line.n)
      .flatMap(({ message }) => messagesIn(message).map((one) => member(one, "id"))),
  );
  const index = messagesIn(line?.message).findIndex((one) => {
    const id = member(one, "id");
    return id !== undefined && !answered.has(id);
  });
  return { line, pointer: `/${Math.max(0, index)}` };
}

/** The time after which a request is cancelled, in milliseconds. */
const CANCEL_AFTER = 10;
/** The time in which a cancelled request may still be answered, in milliseconds. Longer for clients that took longer. */
const ANSWERED_WITHIN = 1_000;

/**
 * Sends a request for each declared capability, and cancels those that are not answered immediately. Then sends a ping:
 * a response that arrives long after the ping cannot have crossed the cancellation. Waits for as long as the client
 * took to answer the same requests before.
 */
export async function cancellations({ timeout }: Work, { server, answered }: Run): Promise<void> {
  const { capabilities, revision } = server;
  const answers = REQUESTS.filter(
    ([capability, method, params]) =>
      params !== SESSION_VISIT &&
      revision.methods.has(method) &&
      declares(capabilities, capability),
  ).map(([, method, params]) => {
    const usual = (answered.get(method)?.took ?? 0) * 1.5;
    const within = Math.min(timeout, Math.max(ANSWERED_WITHIN, usual));
    return server.ask(method, paramsAt(revision, params), within, { cancelAfter: CANCEL_AFTER });
  });
  const all = Promise.all(answers);
  if (await isWithin(CANCEL_AFTER + 5, all)) return;
  await server.ask("ping", undefined, Math.min(timeout, ANSWERED_WITHIN));
  await all;
}
