import { ANY_METHOD } from "./capability.js";
import type { LinkContext } from "./context.js";
import type { Message } from "./messages.js";
import { unionLine } from "../smallest-schema.js";
import type { Method } from "./protocol.js";
import type { LinkedMessage } from "./traits.js";

const METHOD_LISTS = [
  "capabilities",
  "conditions",
  "directions",
  "nameHeaders",
  "paramHeaders",
] as const;

export function checkFacts(
  revision: string,
  messages: readonly Message[],
  context: LinkContext,
  extended?: string,
): void {
  const { facts } = context;
  if (facts.revision !== revision) {
    context.report({
      code: "MCG3061",
      message: `The facts are about ${facts.revision}, not about ${revision}.`,
      hint: "Pass the facts of the revision of this schema.",
      fact: ["revision"],
    });
  }
  if (facts.extends !== undefined && facts.extends !== extended) {
    const what = extended === undefined ? "not an extension" : `an extension of ${extended}`;
    context.report({
      code: "MCG3061",
      message: `The facts are about an extension of ${facts.extends}, but this schema is ${what}.`,
      hint: "Pass the facts of this schema, or remove `extends`.",
      fact: ["extends"],
    });
  }
  const methods = new Set(messages.map(({ method }) => method));
  for (const list of METHOD_LISTS) {
    facts[list]?.forEach(({ method }, index) => {
      const isAny = list === "capabilities" && method === ANY_METHOD;
      if (!isAny && !methods.has(method))
        reportStale(`method \`${method}\``, [list, index], context);
    });
  }
  facts.paramHeaders?.forEach(({ schemas }, index) => {
    if (!methods.has(schemas))
      reportStale(`method \`${schemas}\``, ["paramHeaders", index, "schemas"], context);
  });
  facts.errorCodes?.forEach(({ methods: requests = [] }, index) => {
    requests.forEach((method, at) => {
      if (!methods.has(method))
        reportStale(`method \`${method}\``, ["errorCodes", index, "methods", at], context);
    });
  });
  facts.successors?.forEach(({ to }, index) => {
    if (!context.shapes.declaration(to) && !methods.has(to))
      reportStale(`type ${to}`, ["successors", index], context);
  });
}

function reportStale(what: string, fact: readonly (string | number)[], context: LinkContext): void {
  context.report({
    code: "MCG3062",
    message: `The fact is about the ${what}, which this schema does not declare.`,
    hint: "Correct the name, or remove the fact.",
    fact,
  });
}

/**
 * Checks that each side's result union lists the results of the requests that the other side sends.
 */
export function checkListed(
  linked: readonly LinkedMessage[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): void {
  const answers = answersByUnion(linked.map(({ method }) => method));
  for (const [union, requests] of answers) {
    const names = aggregates[union];
    const line = unionLine(union, [...(names ?? []), ...requests.keys()]);
    if (names) {
      const unlisted = [...requests].filter(([result]) => !names.includes(result));
      unlisted.forEach(([result, request], index) => {
        reportUnlisted({ result, request, union }, index === 0 ? line : undefined, context);
      });
    } else if (!context.extended) {
      const [request] = requests.values();
      reportMissing(request!, union, line, context);
    }
  }
}

function answersByUnion(methods: readonly Method[]): Map<string, Map<string, string>> {
  const answers = new Map<string, Map<string, string>>();
  for (const method of methods) {
    const { result } = method;
    if (!result) continue;
    for (const union of resultAggregates(method)) {
      const listed = answers.get(union) ?? new Map<string, string>();
      answers.set(union, listed);
      for (const { type } of [result, ...result.alternatives]) {
        if (!listed.has(type)) listed.set(type, method.type);
      }
    }
  }
  return answers;
}

function reportUnlisted(
  { result, request, union }: Readonly<Record<"result" | "request" | "union", string>>,
  example: string | undefined,
  context: LinkContext,
): void {
  const where = `Accept it in the facts if the published schema is like that, or add it to ${union}`;
  context.report({
    code: "MCG3012",
    severity: "warning",
    message: `${result} answers ${request}, but ${union} does not list it.`,
    hint: `${where}${example === undefined ? "." : ":"}`,
    example,
    span: (context.shapes.declaration(result) ?? context.shapes.declaration(request))!.span,
    about: result,
  });
}

function reportMissing(
  request: string,
  union: string,
  example: string,
  context: LinkContext,
): void {
  context.report({
    code: "MCG3009",
    severity: "warning",
    message: `The schema has no ${union} to list the result of ${request}.`,
    hint: `Accept its absence in the facts, or declare ${union}:`,
    example,
    span: context.shapes.declaration(request)!.span,
    about: union,
  });
}

function resultAggregates({ from, channel }: Method): readonly string[] {
  if (channel === "embedded") return ["InputResponse"];
  if (from === "both") return ["ServerResult", "ClientResult"];
  return from === "client" ? ["ServerResult"] : ["ClientResult"];
}
