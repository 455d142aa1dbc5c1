import type { LinkContext } from "./context.js";
import { memberTypes } from "./type-tests.js";
import type { Message } from "./messages.js";
import type { Conventions, Method } from "./protocol.js";

type Headers = Pick<Method, "nameHeader" | "paramHeaders">;

export const VERSION_HEADER = "MCP-Protocol-Version";
export const METHOD_HEADER = "Mcp-Method";
export const NAME_HEADER = "Mcp-Name";
/** The headers that mirror arguments. The arguments' schemas state the names. */
export const PARAM_HEADERS = "Mcp-Param-*";

/** The parameters that can identify an item in a list. */
const KEYS = ["name", "uri"];
const ARGUMENTS = [{ method: "tools/call", schemas: "tools/list" }];

export function headersOf(
  messages: readonly Message[],
  { methodHeaders }: Conventions,
  context: LinkContext,
): ReadonlyMap<string, Headers> {
  const found = new Map<string, Headers>();
  const { nameHeaders, paramHeaders } = context.facts;
  if (!methodHeaders) {
    for (const list of ["nameHeaders", "paramHeaders"] as const) {
      context.facts[list]?.forEach((_, index) => reportUseless(list, index, context));
    }
    return found;
  }
  const requests = new Map(
    messages.filter(({ kind }) => kind === "request").map((message) => [message.method, message]),
  );
  const has = (method: string, member: string): boolean => {
    const request = requests.get(method);
    return request !== undefined && memberTypes(request, member, context).length > 0;
  };
  const add = (method: string, headers: Headers): void => {
    found.set(method, { ...found.get(method), ...headers });
  };
  nameHeaders?.forEach(({ method, member }, index) => {
    if (found.has(method)) reportTwice(method, ["nameHeaders", index], context);
    else if (requests.has(method) && !has(method, member))
      reportMember(method, member, index, context);
    add(method, { nameHeader: member });
  });
  for (const method of context.extended ? [] : firstUses([...requests.keys()])) {
    const nameHeader = KEYS.find((member) => has(method, member));
    if (nameHeader === undefined || found.has(method)) continue;
    if (nameHeaders) reportUnstated(requests.get(method)!, nameHeader, context);
    else add(method, { nameHeader });
  }
  paramHeaders?.forEach(({ method, schemas }, index) => {
    if (found.get(method)?.paramHeaders) reportTwice(method, ["paramHeaders", index], context);
    add(method, { paramHeaders: schemas });
  });
  for (const { method, schemas } of paramHeaders ? [] : ARGUMENTS) {
    if (requests.has(method) && requests.has(schemas)) add(method, { paramHeaders: schemas });
  }
  return found;
}

/**
 * Returns, for each list, the first request that uses one of the list's items. By default, only this request mirrors
 * the item's name or URI in a header.
 */
function firstUses(methods: readonly string[]): string[] {
  const starts = methods.filter((method) => /^[^/]+\/list$/.test(method)).map(startOf);
  const uses = methods.filter((method) => !method.endsWith("/list"));
  return starts.flatMap((start) => uses.find((method) => startOf(method) === start) ?? []);
}

function startOf(method: string): string {
  return method.split("/", 1)[0]!;
}

function reportUseless(list: string, index: number, context: LinkContext): void {
  context.report({
    code: "MCG3070",
    message: "The fact is about headers, which this revision does not have.",
    hint: "State the convention `methodHeaders`, or remove the fact.",
    fact: [list, index],
  });
}

function reportTwice(
  method: string,
  fact: readonly (string | number)[],
  context: LinkContext,
): void {
  context.report({
    code: "MCG3069",
    message: `The header of ${method} is stated twice.`,
    hint: "Remove one of the facts.",
    fact,
  });
}

function reportUnstated(
  { method, declaration }: Message,
  member: string,
  context: LinkContext,
): void {
  context.report({
    code: "MCG3074",
    severity: "warning",
    message: `${method} names an item by \`${member}\`, but the facts state no \`nameHeaders\` for it.`,
    hint: `State \`{"method": "${method}", "member": "${member}"}\` in \`nameHeaders\`, or accept it in the facts.`,
    span: declaration.span,
    about: method,
  });
}

function reportMember(method: string, member: string, index: number, context: LinkContext): void {
  context.report({
    code: "MCG3062",
    message: `The parameters of ${method} have no member \`${member}\`.`,
    hint: "Correct the member, or remove the fact.",
    fact: ["nameHeaders", index, "member"],
  });
}
