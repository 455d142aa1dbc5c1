import type { Method } from "../link/protocol.js";
import { mayAskFirst } from "../plan/stubs.js";
import type { Pager, RevisionPlan, Stub } from "../plan/revision-plan.js";
import { stubDoc } from "./method-doc.js";
import { type Code, code, EMPTY, identifier, join, literal } from "./printer/code.js";
import { jsDoc } from "./printer/doc.js";
import { runtimeSymbol, schemaType } from "./runtime-symbol.js";
import type { TypeExpression } from "../model/schema-model.js";

export function stubMethod(stub: Stub, plan: RevisionPlan): Code {
  return stub.method.kind === "request" ? requestStub(stub, plan) : notificationStub(stub, plan);
}

export function pagerMethod({ method }: Stub, pager: Pager, plan: RevisionPlan): Code {
  const list = literal(pager.member);
  const item = pagedItem(method, pager);
  const options = code`options?: ${runtimeSymbol(plan, "PageOptions")}`;
  const tags = stubDoc(method, plan).tags.filter(({ name }) => name === "deprecated");
  const text = `\`${method.method}\`, page after page; each page is fetched when you reach its first item.`;
  const doc = jsDoc({ text, tags });
  return code`${doc}${identifier(pager.name)}(${stubParameter(method, plan)}, ${options}): AsyncGenerator<${item}> {
    return this.pages(${literal(method.method)}, ${list}, params, options);
  }`;
}

export function pagedItem(method: Method, { item, member }: Pager): Code {
  return item === undefined
    ? code`${finalResults(method)}[${literal(member)}][number]`
    : schemaType(item);
}

function requestStub(stub: Stub, plan: RevisionPlan): Code {
  const { method } = stub;
  const doc = stubDoc(method, plan);
  const result = join(finalResults(method), code` | `);
  const general = signature(stub, stubParameter(method, plan), result, plan);
  const task = taskMember(method, plan);
  const overloads = task ? code`${taskOverloads(stub, task, plan)}${general};\n` : jsDoc(doc);
  return code`${overloads}${general} { return this.request(${literal(method.method)}, params, options); }`;
}

function taskOverloads(stub: Stub, { params, type }: TaskMember, plan: RevisionPlan): Code {
  const doc = stubDoc(stub.method, plan);
  const tags = doc.tags.filter(({ name }) => name === "deprecated");
  const [result, task] = finalResults(stub.method);
  const paramsType = code`params: ${schemaType(params)} & `;
  const without = signature(stub, code`${paramsType}{ task?: never }`, result!, plan);
  const within = signature(stub, code`${paramsType}{ task: ${schemaType(type)} }`, task!, plan);
  const text = "Starts a task and returns it immediately; the task has the result later.";
  return code`${jsDoc(doc)}${without};
${jsDoc({ text, tags })}${within};
${jsDoc({ text: "Sends the request with or without `task`.", tags })}`;
}

function signature({ name }: Stub, params: Code, result: Code, plan: RevisionPlan): Code {
  const options = code`options?: ${runtimeSymbol(plan, "RequestOptions")}`;
  return code`${identifier(name)}(${params}, ${options}): Promise<${result}>`;
}

function notificationStub({ name, method }: Stub, plan: RevisionPlan): Code {
  const doc = jsDoc(stubDoc(method, plan));
  const body = code`{ return this.notify(${literal(method.method)}, params); }`;
  return code`${doc}${identifier(name)}(${stubParameter(method, plan)}): Promise<void> ${body}`;
}

export function handlerType(method: Method, context: Code, plan: RevisionPlan): Code {
  const { params } = method;
  const type = params ? schemaType(params.type) : code`undefined`;
  const received = params?.optional ? code`${type} | undefined` : type;
  if (method.kind === "notification") {
    return code`${runtimeSymbol(plan, "NotificationHandler")}<${received}, ${context}>`;
  }
  const answers = join(answerTypes(method, plan), code` | `);
  return code`${runtimeSymbol(plan, "RequestHandler")}<${received}, ${answers}, ${context}>`;
}

function answerTypes(method: Method, plan: RevisionPlan): Code[] {
  const { result } = method;
  if (result === undefined) return [code`undefined`];
  const members = runtimeSymbol(plan, "MembersOf");
  const others = result.alternatives.map(({ type }) => code`${members}<${schemaType(type)}>`);
  const inputRequired = mayAskFirst(method) ? [code`${runtimeSymbol(plan, "InputRequired")}`] : [];
  return [handlerResult(result.type, plan), ...others, ...inputRequired];
}

export function stubParameter(method: Method, plan: RevisionPlan): Code {
  const params = sendParams(method, plan);
  if (params === undefined) return code`params?: undefined`;
  return code`params${params.optional ? code`?` : EMPTY}: ${params.type}`;
}

export interface SendParams {
  readonly type: Code;
  readonly optional: boolean;
}

/**
 * Returns the type of the parameters that the sender passes. If the protocol requires `_meta` in requests, `_meta`
 * becomes optional here, because the engine adds the protocol's members.
 */
export function sendParams(method: Method, plan: RevisionPlan): SendParams | undefined {
  const { params, kind } = method;
  if (params === undefined) return undefined;
  const type = schemaType(params.type);
  if (kind !== "request" || plan.protocol.traits.requestMeta !== "required") {
    return { type, optional: params.optional };
  }
  return {
    type: code`${runtimeSymbol(plan, "GivenParams")}<${type}>`,
    optional: params.optional || requiresOnlyMeta(method, plan),
  };
}

/** Returns true if no member other than `_meta` is required, so that the program need not pass parameters. */
export function requiresOnlyMeta(
  method: Method,
  { shapes }: Pick<RevisionPlan, "shapes">,
): boolean {
  const params = shapes.named(method.type)?.members.get("params")?.types ?? [];
  return params.every(({ type }) => shapes.arms(type).every((arm) => needsOnlyMeta(arm, shapes)));
}

function needsOnlyMeta(arm: TypeExpression, shapes: RevisionPlan["shapes"]): boolean {
  const members = shapes.of(arm)?.members;
  if (members === undefined) return false;
  return [...members.values()].every(({ name, optional }) => optional || name === "_meta");
}

/** The type names of a request's parameters and of the `task` member within them. */
export interface TaskMember {
  readonly params: string;
  readonly type: string;
}

export function taskMember(method: Method, { shapes }: RevisionPlan): TaskMember | undefined {
  const [alternative, ...others] = method.result?.alternatives ?? [];
  if (alternative?.when !== "task" || others.length > 0 || method.params === undefined)
    return undefined;
  const [arm] = shapes.arms({ kind: "reference", name: method.params.type, span: NOWHERE });
  const type = arm && shapes.of(arm)?.members.get("task")?.types[0]?.type;
  return type?.kind === "reference" ? { params: method.params.type, type: type.name } : undefined;
}

const NOWHERE = { line: 0, column: 0, start: 0, end: 0 };

/**
 * Returns the result types that the caller receives by default. Results that require input are excluded, because the
 * engine responds to them itself unless the caller sets `rounds` to `manual`.
 */
export function finalResults({ result }: Method): Code[] {
  if (result === undefined) return [];
  const alternatives = result.alternatives.filter(({ when }) => when !== "input_required");
  return [result.type, ...alternatives.map(({ type }) => type)].map(schemaType);
}

/** Returns the type of the result that a handler returns. Members that the engine fills in are optional. */
export function handlerResult(type: string, plan: RevisionPlan): Code {
  const filled = filledMembers(type, plan);
  if (filled.length === 0) return schemaType(type);
  const names = join(filled.map(literal), code` | `);
  return code`${runtimeSymbol(plan, "SetOptional")}<${schemaType(type)}, ${names}>`;
}

function filledMembers(type: string, { protocol, shapes }: RevisionPlan): string[] {
  const { methods, traits } = protocol;
  const requests = methods.filter(({ result }) => result?.type === type);
  if (requests.length === 0) return [];
  const isCacheable = requests.some(({ cacheable }) => cacheable);
  const candidates = [
    ...(traits.resultType ? ["resultType"] : []),
    ...(isCacheable ? ["ttlMs", "cacheScope"] : []),
  ];
  const members = shapes.named(type)?.members;
  return candidates.filter((name) => members?.get(name)?.optional === false);
}
