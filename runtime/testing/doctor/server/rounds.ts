import { META } from "@mcp-codegen/runtime";
import { type Answer, NOTHING } from "../conversation.js";
import { ask, codeOf, isFailure, isSettled, placeOf, type Visit } from "../visit.js";
import { answersTo, FEWER_CAPABILITIES, type Manner, showsWrong, VISITS_ONLY } from "./input.js";
import { alteredStates, MARK } from "./states.js";
import { isStateless } from "../../checks/check.js";
import { isMembers, type Members, member } from "../../tape/json-value.js";

/** A request that uses an item and is repeated in each round. */
export interface Call {
  readonly method: string;
  readonly params: Members;
  readonly meta: Members;
  readonly headers: Readonly<Record<string, string>>;
}

/** The maximum number of rounds in which the doctor provides input. */
const MOST_ROUNDS = 4;

/** Sends a call, and provides the input that a stateless server requires. */
export async function inRounds(visit: Visit, call: Call, manner: Manner): Promise<Answer> {
  const { method, params, meta, headers } = call;
  let answer = await visit.conversation.request(method, params, { meta, headers });
  for (let round = 0; round < MOST_ROUNDS && isAsking(answer); round++) {
    const again = { ...params, ...continued(answer.result, manner) };
    const token = `doctor-round-${round}-${manner}-${String(meta["progressToken"])}`;
    answer = await visit.conversation.request(method, again, {
      headers,
      meta: { progressToken: token },
    });
  }
  return answer;
}

type Asking = Answer & { readonly kind: "result" };

export function isAsking(answer: Answer | undefined): answer is Asking {
  return answer?.kind === "result" && answer.result["resultType"] === "input_required";
}

/** Returns the parameters that a client adds when it repeats a call with the required input. */
function continued({ inputRequests, requestState }: Members, manner: Manner): Members {
  return {
    ...(isMembers(inputRequests) && { inputResponses: answersTo(inputRequests, manner) }),
    ...(requestState !== undefined && { requestState }),
  };
}

/**
 * Examines a call that requires input: with malformed, missing or unknown answers, with a changed state, and as clients
 * that support less. Each attempt starts the call from the beginning, because a state may be valid only once.
 *
 * @param isServed - true if the call has a result once all input has been provided
 */
export async function examineRounds(visit: Visit, call: Call, isServed: boolean): Promise<void> {
  for (const probe of isServed ? PROBES : []) await probe(visit, call);
  const isAsked = await asClient(visit, call, {});
  await asClient(visit, call, FEWER_CAPABILITIES);
  // A server that disregards all capabilities has already been reported.
  if (!isAsked) await asClient(visit, call, VISITS_ONLY);
}

type Probe = (visit: Visit, call: Call) => Promise<void>;

const PROBES: readonly Probe[] = [withWrongAnswers, withFewerAnswers, withMoreAnswers, withState];

/**
 * Makes a call; if the server asks for input, makes it again with the parameters that `change` derives from the first
 * result.
 */
async function retry(
  visit: Visit,
  { method, params, meta, headers }: Call,
  change: (first: Members) => Members | undefined,
): Promise<Answer | undefined> {
  const first = await ask(visit, method, params, { headers, meta: withNewToken(visit, meta) });
  const more = isAsking(first) ? change(first.result) : undefined;
  const settings = { headers, meta: withNewToken(visit, meta) };
  return more && ask(visit, method, { ...params, ...more }, settings);
}

function retryWith(
  visit: Visit,
  call: Call,
  change: (inputs: Members) => Members,
): Promise<Answer | undefined> {
  return retry(visit, call, (first) => {
    const { inputResponses, ...state } = continued(first, "accept");
    return isMembers(inputResponses)
      ? { ...state, inputResponses: change(inputResponses) }
      : undefined;
  });
}

export function withNewToken({ conversation }: Visit, meta: Members = {}): Members {
  return { ...meta, progressToken: `doctor-again-${conversation.position}` };
}

async function withWrongAnswers(visit: Visit, call: Call): Promise<void> {
  const answer = await retryWith(visit, call, (inputs) =>
    Object.fromEntries(Object.keys(inputs).map((key) => [key, 7])),
  );
  if (answer === undefined) return;
  const isAccepted = answer.kind === "result" && !isAsking(answer) && !isFailure(answer);
  visit.expect("answers-unchecked", !isAccepted, placeOf(answer));
}

async function withFewerAnswers(visit: Visit, call: Call): Promise<void> {
  const answer = await retryWith(visit, call, () => ({}));
  if (answer === undefined) return;
  const expected = "another request for input, as all of it is missing";
  visit.expect("answers-missing", answer.kind === "result", { ...placeOf(answer), expected });
}

async function withMoreAnswers(visit: Visit, call: Call): Promise<void> {
  const answer = await retryWith(visit, call, (inputs) => ({
    ...inputs,
    [NOTHING]: { action: "decline" },
  }));
  if (answer === undefined) return;
  const expected = "a result, as input that was not requested is ignored";
  visit.expect("answers-missing", answer.kind === "result", { ...placeOf(answer), expected });
}

async function withState(visit: Visit, call: Call): Promise<void> {
  let states: readonly string[] = [];
  const changed = await retry(visit, call, (first) => {
    const { requestState: state } = first;
    if (typeof state !== "string") return undefined;
    states = alteredStates(state);
    const middle = state.length >> 1;
    const other = state[middle] === "A" ? "B" : "A";
    const requestState = `${state.slice(0, middle)}${other}${state.slice(middle + 1)}`;
    return { ...continued(first, "accept"), requestState };
  });
  const isAccepted = changed?.kind === "result" && !isAsking(changed) && !isFailure(changed);
  for (const index of states.keys()) {
    const answer = await retry(visit, call, (first) => {
      const requestState = alteredStates(String(first["requestState"]))[index];
      return requestState === undefined
        ? undefined
        : { ...continued(first, "accept"), requestState };
    });
    if (answer?.kind !== "result" || isFailure(answer)) continue;
    const { requestState: _, ...shown } = answer.result;
    const isUsed = JSON.stringify(shown).includes(MARK);
    if (!visit.expect("state-changed", !isUsed, placeOf(answer))) return;
  }
  if (changed) visit.expect("state-unprotected", !isAccepted, placeOf(changed));
}

/** Makes a call as a client with these capabilities. Returns true if the server asks for input. */
async function asClient(
  visit: Visit,
  { method, params, meta, headers }: Call,
  capabilities: Members,
): Promise<boolean> {
  const own = { ...withNewToken(visit, meta), [META.clientCapabilities]: capabilities };
  // A message check reports requests for input that the client does not support.
  const answer = await ask(visit, method, params, { headers, meta: own });
  if (answer?.kind !== "error") return isAsking(answer);
  const code = visit.revision.errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"];
  visit.expect("capability-required", codeOf(answer) === code, {
    ...placeOf(answer),
    expected: `the error ${code}, as the call needs input that the client does not support`,
  });
  return false;
}

/** Returns the methods of the requests and input requests that a server has sent after line `n`. */
export function questionsSince({ conversation }: Visit, n: number): ReadonlySet<unknown> {
  return new Set(
    conversation.since(n).flatMap(({ message }) => {
      const { id, method, result } = isMembers(message) ? message : {};
      if (id !== undefined && method !== undefined) return [method];
      const inputs = member(result, "inputRequests");
      return Object.values(isMembers(inputs) ? inputs : {}).map((one) => member(one, "method"));
    }),
  );
}

/**
 * Repeats a call once for each other way to answer the server's requests. If the server elicits input, these are
 * invalid form values, a refusal and a cancellation. In a session, an error is returned as well.
 */
export async function answerOtherwise(
  visit: Visit,
  call: Call,
  questions: ReadonlySet<unknown>,
  isRefusal: (answer: Answer) => boolean,
): Promise<void> {
  const { conversation } = visit;
  const isAsked = questions.has("elicitation/create");
  const manners: Manner[] = isAsked ? ["wrong", "decline", "cancel"] : [];
  if (!isStateless(visit.revision)) manners.push("fail");
  for (const manner of manners) {
    if (conversation.ending) break;
    conversation.manner = manner;
    const answer = await inRounds(visit, { ...call, meta: withNewToken(visit, call.meta) }, manner);
    if (!isSettled(visit, answer, `${call.method} with the answer ${manner}`)) continue;
    if (manner === "wrong") {
      const isUsed = answer.kind === "result" && !isFailure(answer) && showsWrong(answer.result);
      visit.expect("answers-unchecked", !isUsed, placeOf(answer));
      continue;
    }
    const isFailed = manner !== "fail" && answer.kind === "error" && !isRefusal(answer);
    const expected = `a result, as the user may ${manner}`;
    visit.expect("tool-failure", !isFailed, { ...placeOf(answer), pointer: "/error", expected });
  }
  conversation.manner = "accept";
}
