import { META } from "@mcp-codegen/runtime";
import { isStateless } from "../../checks/check.js";
import { type Answer, NOTHING } from "../conversation.js";
import { paramHeaders } from "../outgoing.js";
import { codeOf, isFailure, isSettled, itemsOf, placeOf, show, type Visit, ask } from "../visit.js";
import { callAfterEnd, cancelCall } from "./cancelling.js";
import { FEWER_CAPABILITIES } from "./input.js";
import { readAfterUse } from "./lists.js";
import { familyOf } from "./methods.js";
import { examineParamHeaders } from "./param-headers.js";
import { readItems } from "./reads.js";
import { callWithExtension } from "./extension-tasks.js";
import { answerOtherwise, type Call, examineRounds, inRounds, questionsSince } from "./rounds.js";
import { listening } from "./subscriptions.js";
import { callAsNoTask, callAsTask, expectTask, taskSupportOf } from "./tasks.js";
import { subscribeResources, watchResources } from "./updates.js";
import { type Members, member } from "../../tape/json-value.js";
import { methodOf } from "../../checks/roles.js";

/** A tool to call, with its arguments. */
export interface NamedCall {
  readonly tool: string;
  readonly arguments: Members;
}

/** A call that cannot be made, with the reason. */
export interface Uncallable {
  readonly call: NamedCall;
  readonly why: string;
}

/** Returns why a tool cannot be called with these arguments; undefined if it can, or if no tools could be listed. */
export function whyUncallable(visit: Visit, call: NamedCall): string | undefined {
  const tools = familyOf(visit.revision, "tool");
  const listed = tools === undefined ? [] : itemsOf(visit, tools);
  const tool = toolIn(listed, call);
  const isLater = tools !== undefined && visit.later.get(tools.name)?.includes(call.tool) === true;
  if (listed.length === 0 || isLater) return undefined;
  if (tool === undefined) {
    const names = listed.map(({ name }) => String(name));
    return `the server lists ${names.slice(0, MOST_NAMED).join(", ")}${names[MOST_NAMED] ? ", …" : ""}`;
  }
  const missing = requiredOf(tool["inputSchema"]).filter(
    (name) => typeof name === "string" && !Object.hasOwn(call.arguments, name),
  );
  return missing.length === 0 ? undefined : `its arguments lack ${missing.join(", ")}`;
}

/** The maximum number of tools that are named to a user. */
const MOST_NAMED = 10;

/** The first numeric progress token. */
const FIRST_TOKEN = 1_000_001;

/**
 * Calls the named tools and, if `callSafe` is true, the safe ones. Then uses the items in other lists, which has no
 * side effects.
 */
export async function useItems(
  visit: Visit,
  calls: readonly NamedCall[],
  callSafe: boolean,
): Promise<void> {
  const tools = familyOf(visit.revision, "tool");
  if (tools !== undefined) {
    const listed = itemsOf(visit, tools);
    const safe = callSafe
      ? listed.filter(isSafe).map(({ name }) => ({ tool: String(name), arguments: {} }))
      : [];
    const others = safe.filter(({ tool }) => calls.every((one) => one.tool !== tool));
    const all = [...calls, ...others];
    const before = visit.conversation.position;
    const stop = all.length > 0 ? await listening(visit) : undefined;
    const isBare = declaresNothing(visit);
    if (all.length > 0 && isBare) await subscribeResources(visit);
    const compare = all.length > 0 && !isBare ? await watchResources(visit) : undefined;
    for (const [index, call] of all.entries()) {
      if (visit.conversation.ending) return;
      const tool = toolIn(listed, call);
      // Progress tokens are numbers in the first conversation and strings in the one without capabilities, so that both
      // types are tested.
      const number = FIRST_TOKEN + index;
      await callTool(visit, tools.use, call, tool, isBare ? `doctor-${number}` : number);
    }
    await readItems(visit);
    await readAfterUse(visit, before);
    await compare?.();
    await stop?.();
    if (!isBare) await callAfterEnd(visit, before);
  } else await readItems(visit);
}

/**
 * Sends each named call twice at the same time, with and without a progress token, as a client with fewer capabilities.
 */
export async function repeatCalls(visit: Visit, calls: readonly NamedCall[]): Promise<void> {
  const tools = familyOf(visit.revision, "tool");
  if (tools === undefined) return;
  const listed = itemsOf(visit, tools);
  for (const [index, call] of calls.entries()) {
    const about = `${tools.use} of ${call.tool}`;
    const headers = headersOf(visit, tools.use, call, toolIn(listed, call));
    const fewer = isStateless(visit.revision) && {
      [META.clientCapabilities]: FEWER_CAPABILITIES,
    };
    const once = (meta: Members): Promise<Answer | undefined> =>
      ask(visit, tools.use, paramsOf(visit, call), { about, meta: { ...meta, ...fewer }, headers });
    const token = `doctor-again-${index + 1}`;
    const first = once({ progressToken: token });
    // A session need not have _meta at all.
    const bare = fewer ? once({}) : ask(visit, tools.use, paramsOf(visit, call), { about });
    const [whole, other] = await Promise.all([first, bare]);
    if (whole?.kind !== "result" || other?.kind !== "error") continue;
    const expected = "a result, as with a progress token";
    visit.expect("tool-failure", false, { ...placeOf(other), pointer: "/error", expected });
  }
}

function toolIn(listed: readonly Members[], { tool }: NamedCall): Members | undefined {
  return listed.find(({ name }) => name === tool);
}

function headersOf(
  { revision }: Visit,
  method: string,
  call: NamedCall,
  tool: Members | undefined,
): Readonly<Record<string, string>> {
  const isMirrored = revision.methods.get(method)?.paramHeaders !== undefined;
  return isMirrored ? paramHeaders(tool?.["inputSchema"], call.arguments) : {};
}

function isSafe({ annotations, inputSchema }: Members): boolean {
  return member(annotations, "readOnlyHint") === true && requiredOf(inputSchema).length === 0;
}

function requiredOf(schema: unknown): readonly unknown[] {
  const required = member(schema, "required");
  return Array.isArray(required) ? (required as readonly unknown[]) : [];
}

async function callTool(
  visit: Visit,
  method: string,
  call: NamedCall,
  tool: Members | undefined,
  token: string | number,
): Promise<void> {
  const { conversation } = visit;
  const isRefusal = (one: Answer): boolean => refusalsOf(visit).includes(codeOf(one));
  const params = paramsOf(visit, call);
  const support = taskSupportOf(visit, tool);
  const isBare = declaresNothing(visit);
  if ((support === "required" || support === "optional") && !isBare)
    await callAsTask(visit, method, params);
  if (support === "required") return expectTask(visit, await conversation.request(method, params));
  const meta = {
    progressToken: token,
    ...(isStateless(visit.revision) && { [META.logLevel]: isBare ? "debug" : "warning" }),
  };
  const headers = headersOf(visit, method, call, tool);
  const whole: Call = { method, params, meta, headers };
  const begin = performance.now();
  const before = conversation.position;
  const answer = await inRounds(visit, whole, "accept");
  const duration = performance.now() - begin;
  if (!isBare) noteFailure(visit, call.tool, tool, answer);
  const timed = { method, params, headers, duration, questions: questionsSince(visit, before) };
  if (answer.kind === "result") visit.called.push(timed);
  await examineParamHeaders(visit, timed);
  // An earlier request's capabilities and log level do not apply to this one.
  const bare = { progressToken: `doctor-bare-${token}`, [META.clientCapabilities]: {} };
  if (isStateless(visit.revision) && !isBare && answer.kind !== "silence")
    await conversation.request(method, params, { meta: bare, headers });
  if (answer.kind === "silence") {
    // If a tool still sends progress, it is merely slow.
    const works = conversation.since(0).some(({ message }) => isProgressOf(message, token));
    const received = `no answer to ${method} of ${call.tool}`;
    visit.expect("request-silent", works, { line: answer.line, received });
    const requestId = (answer.line?.message as Members | undefined)?.["id"];
    if (conversation.transport !== "http" || !isStateless(visit.revision)) {
      await conversation.notify(methodOf(visit.revision, "cancelled"), { requestId });
    }
  } else if (answer.kind === "error") {
    const hasArguments = "arguments" in params;
    const expected = hasArguments ? undefined : "a result: arguments may be left out";
    const place = { ...placeOf(answer), pointer: "/error", expected };
    visit.expect("tool-failure", tool === undefined || isRefusal(answer), place);
  } else {
    isSettled(visit, answer, `${method} of ${call.tool}`);
  }
  // Messages that arrive after the response are also checked.
  await conversation.quiet(60);
  const { annotations } = tool ?? {};
  const isRepeatable =
    ["readOnlyHint", "idempotentHint"].some((name) => member(annotations, name) === true) ||
    member(annotations, "destructiveHint") === false;
  if (isRepeatable && !conversation.ending) await callWrongly(visit, method, call, tool);
  // Over HTTP, a stateless request is cancelled by closing its response, and nothing can be observed after that.
  const isObservable = conversation.transport !== "http" || !isStateless(visit.revision);
  if (answer.kind === "silence" || conversation.ending) return;
  const questions = questionsSince(visit, before);
  if (questions.size > 0 && !isBare) {
    await answerOtherwise(visit, whole, questions, isRefusal);
    if (isStateless(visit.revision)) {
      await examineRounds(visit, whole, answer.kind === "result");
    }
  }
  if (!isBare && answer.kind === "result") {
    if (support !== "optional") await callAsNoTask(visit, method, params);
    await callWithExtension(visit, whole);
  }
  if (isObservable) await cancelCall(visit, timed, answer);
}

function noteFailure(
  { fail }: Visit,
  name: string,
  tool: Members | undefined,
  answer: Answer,
): void {
  if (tool === undefined) return fail(`The call of ${name} failed: the server lists no such tool.`);
  if (answer.kind !== "error" && !isFailure(answer)) return;
  const [first] = answer.kind === "result" ? ((answer.result["content"] ?? []) as unknown[]) : [];
  const reason = answer.kind === "error" ? answer.error["message"] : member(first, "text");
  fail(`The call of ${name} failed: ${show(reason)}.`);
}

/** Returns the error codes that a tool may use to refuse a call. */
function refusalsOf({ revision: { errorCodes } }: Visit): readonly unknown[] {
  const { MISSING_REQUIRED_CLIENT_CAPABILITY: capability, URL_ELICITATION_REQUIRED: url } =
    errorCodes;
  return [-32602, capability, url];
}

/**
 * Returns a call's parameters. For a client without capabilities, empty arguments are omitted so that this form is
 * tested too.
 */
function paramsOf(visit: Visit, { tool: name, arguments: given }: NamedCall): Members {
  const isBare = declaresNothing(visit) && Object.keys(given).length === 0;
  return isBare ? { name } : { name, arguments: given };
}

function declaresNothing({ conversation }: Visit): boolean {
  return Object.keys(conversation.capabilities).length === 0;
}

function isProgressOf(message: unknown, token: string | number): boolean {
  return member(member(message, "params"), "progressToken") === token;
}

/** Calls a tool with invalid arguments. The tool must be safe to repeat. */
async function callWrongly(
  visit: Visit,
  method: string,
  { tool: name, arguments: given }: NamedCall,
  tool: Members | undefined,
): Promise<void> {
  const about = `${method} of ${name}`;
  const wrong = await ask(visit, method, { name, arguments: "text" }, { about });
  if (wrong) {
    visit.expect("params-refused", codeOf(wrong) === -32602 || isFailure(wrong), {
      ...placeOf(wrong),
      expected: "-32602, as the arguments are a string",
    });
  }
  const schema = tool?.["inputSchema"];
  const [first] = requiredOf(schema);
  if (typeof first !== "string") return;
  const type = member(member(member(schema, "properties"), first), "type");
  const cases: (readonly [Members, string])[] = [[{}, `there is no ${first}`]];
  if (SIMPLE.includes(type))
    cases.push([{ ...given, [first]: { [NOTHING]: true } }, `${first} is an object`]);
  for (const [values, why] of cases) {
    const answer = await ask(visit, method, { name, arguments: values }, { about });
    if (answer === undefined) return;
    const isRefused = visit.expect(
      "arguments-unchecked",
      answer.kind !== "result" || isFailure(answer),
      { ...placeOf(answer), expected: `an error, or a result with isError, as ${why}` },
    );
    if (!isRefused) return;
  }
}

const SIMPLE: readonly unknown[] = ["string", "number", "integer", "boolean"];
