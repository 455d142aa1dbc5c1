import { missingCapability } from "@mcp-codegen/runtime";
import { canonicalText } from "../tape/index.js";
import type { Round, SentRequest } from "./conversation.js";
import { judgeElicitation, judgeFormAnswer } from "./elicitation.js";
import type { Scope } from "./scope.js";
import { judgeConditions } from "./capabilities.js";
import { below, isMembers, member, type Members } from "../tape/json-value.js";
import { issuesOf } from "./values.js";

/** The maximum number of results per conversation that are waiting for the client's answers. */
const OPEN_ROUNDS = 1000;

export function judgeInputs(scope: Scope, request: SentRequest, result: Members): void {
  const inputs = new Map<string, InputRequest>();
  const declared = {
    client: request.clientCapabilities,
    server: scope.conversation.capabilities.server,
  };
  const requests = isMembers(result.inputRequests) ? result.inputRequests : {};
  if (Object.keys(requests).length === 0 && result.requestState === undefined) {
    scope.report("result-shape", "/result", "inputRequests or requestState", result);
  }
  for (const name of ["ttlMs", "cacheScope"]) {
    if (result[name] === undefined) continue;
    scope.report("round-members", `/result/${name}`, "nothing", result[name]);
  }
  for (const [key, input] of Object.entries(requests)) {
    const pointer = below("/result/inputRequests", key);
    for (const name of ["jsonrpc", "id"]) {
      const value = member(input, name);
      if (value !== undefined)
        scope.report("round-members", `${pointer}/${name}`, "nothing", value);
    }
    const method = member(input, "method");
    const row = typeof method === "string" ? request.revision.methods.get(method) : undefined;
    if (row === undefined || typeof method !== "string") continue;
    const params = isMembers(member(input, "params"))
      ? (member(input, "params") as InputRequest["params"])
      : {};
    inputs.set(key, { method, params });
    judgeElicitation(scope, `${pointer}/params`, params);
    const missing = missingCapability(row, scope.from, declared);
    if (missing !== undefined) {
      scope.report("capability-undeclared", `${pointer}/method`, `${missing}, declared`, method);
    } else {
      judgeConditions(scope, row, params, declared, `${pointer}/params`);
    }
  }
  const { rounds } = scope.conversation;
  rounds.push({ request, state: result.requestState, inputs });
  if (rounds.length > OPEN_ROUNDS) rounds.shift();
}

export interface InputRequest {
  readonly method: string;
  readonly params: Members;
}

export function judgeAnswers(scope: Scope, request: SentRequest): void {
  const { params, row, revision } = request;
  if (row?.inputResult === undefined) return;
  const { inputResponses, requestState } = params;
  if (inputResponses === undefined && requestState === undefined) return;
  const own = subjectOf(request);
  const rounds = scope.conversation.rounds.filter((one) => subjectOf(one.request) === own);
  const keys = isMembers(inputResponses) ? Object.keys(inputResponses) : [];
  const hasKey = ({ inputs }: Round): boolean => keys.some((key) => inputs.has(key));
  const isWhole = ({ inputs }: Round): boolean =>
    keys.length === inputs.size && keys.every((key) => inputs.has(key));
  const isOwn = ({ state }: Round): boolean => state === requestState;
  // An answer that mixes two rounds counts as an answer to the later one.
  const round =
    rounds.findLast((one) => isOwn(one) && isWhole(one)) ??
    rounds.findLast((one) => (requestState !== undefined && isOwn(one)) || hasKey(one)) ??
    rounds.at(-1);
  if (round === undefined) {
    const isState = requestState !== undefined;
    scope.report(
      isState ? "round-state" : "round-answers",
      isState ? "/params/requestState" : "/params/inputResponses",
      "an earlier result of this request that requires input",
      isState ? requestState : inputResponses,
    );
    return;
  }
  if (round.request.id === request.id) {
    scope.report("id-reused", "/id", "another id than in the round before", request.id);
  }
  if (round.state !== requestState) {
    scope.report("round-state", "/params/requestState", expectedState(round), requestState);
  }
  for (const [key, answer] of Object.entries(isMembers(inputResponses) ? inputResponses : {})) {
    const pointer = below("/params/inputResponses", key);
    const input = round.inputs.get(key);
    if (input === undefined) {
      scope.report(
        "round-answers",
        pointer,
        "nothing: the result has no such input request",
        answer,
      );
      continue;
    }
    const result = revision.methods.get(input.method)?.result;
    const issues = result ? issuesOf(result, answer) : [];
    for (const { path, expected, value } of issues) {
      scope.report("round-answer-shape", `${pointer}${path}`, expected, value);
    }
    if (issues.length === 0 && isMembers(answer))
      judgeFormAnswer(scope, pointer, input.params, answer);
  }
  for (const key of round.inputs.keys()) {
    if (!keys.includes(key)) {
      scope.report("round-answers", below("/params/inputResponses", key), "an answer", undefined);
    }
  }
}

function expectedState({ state }: Round): string {
  return state === undefined ? "nothing" : JSON.stringify(state);
}

/** Returns a request's subject, as text that is the same in all rounds. */
function subjectOf({ method, params }: SentRequest): string {
  const { _meta: _, inputResponses: __, requestState: ___, ...subject } = params;
  return `${method} ${canonicalText(subject)}`;
}
