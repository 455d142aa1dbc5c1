import type { Method } from "../link/protocol.js";
import { mayAskFirst } from "../plan/may-ask-first.js";
import type { Pager, RevisionPlan, Stub } from "../plan/revision-plan.js";
import { finalResults } from "./final-results.js";
import { sendParams } from "./send-params.js";
import { handlerResult } from "./handler-result.js";
import { stubDoc } from "./method-doc.js";
import { type Code, code, EMPTY, join } from "./printer/code.js";
import { identifier } from "./printer/identifier.js";
import { jsDoc } from "./printer/js-doc.js";
import { literal } from "./printer/literal.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import { schemaType } from "./schema-type.js";
import { type TaskMember, taskMember } from "./task-member.js";

/** One method of a class: `callTool(params, options)`, `sendToolListChanged(params)`. */
export function stubMethod(stub: Stub, plan: RevisionPlan): Code {
  return stub.method.kind === "request" ? requestStub(stub, plan) : notificationStub(stub, plan);
}

/** The method that gives all items of a request whose result comes in pages: `allTools(params, options)`. */
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

/** Type of the items that come in pages. */
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

/**
 * Overloads for a request that may start a task: the result type depends on the parameter `task`.
 */
function taskOverloads(stub: Stub, { params, type }: TaskMember, plan: RevisionPlan): Code {
  const doc = stubDoc(stub.method, plan);
  const tags = doc.tags.filter(({ name }) => name === "deprecated");
  const [result, task] = finalResults(stub.method);
  const given = code`params: ${schemaType(params)} & `;
  const without = signature(stub, code`${given}{ task?: never }`, result!, plan);
  const within = signature(stub, code`${given}{ task: ${schemaType(type)} }`, task!, plan);
  const text = "Starts a task, which is returned at once; it holds the result later.";
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

/** A type of handler: of a request, or of a notification. */
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

/** Types that a handler may return: the result, or an alternative to it. */
function answerTypes(method: Method, plan: RevisionPlan): Code[] {
  const { result } = method;
  if (result === undefined) return [code`undefined`];
  const members = runtimeSymbol(plan, "MembersOf");
  const others = result.alternatives.map(({ type }) => code`${members}<${schemaType(type)}>`);
  const asking = mayAskFirst(method) ? [code`${runtimeSymbol(plan, "InputRequired")}`] : [];
  return [handlerResult(result.type, plan), ...others, ...asking];
}

/** Parameters of a stub. */
export function stubParameter(method: Method, plan: RevisionPlan): Code {
  const given = sendParams(method, plan);
  if (given === undefined) return code`params?: undefined`;
  return code`params${given.optional ? code`?` : EMPTY}: ${given.type}`;
}
