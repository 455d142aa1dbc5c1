import type { TypeExpression } from "../model/schema-model.js";
import { exampleLines, lackingNames } from "../smallest-schema.js";
import type { LinkContext } from "./context.js";
import { isMisnamed, type Message } from "./messages.js";
import type { Result } from "./protocol.js";

/** The name of the result for requests that have no other result. */
export const EMPTY_RESULT = "EmptyResult";
const TASK_RESULT = "CreateTaskResult";
const TASK_METADATA = "TaskMetadata";

/**
 * Finds a request's result: the `result` of its `ResultResponse`, otherwise the `Result` with the same base name,
 * otherwise the empty result. If the parameters can request a task, the result may also be a task.
 */
export function pair(request: Message, context: LinkContext): Result | undefined {
  const result = byResponse(request, context) ?? byName(request, context) ?? byDefault(context);
  if (result === undefined) {
    if (!isMisnamed(request)) reportUnanswered(request, context);
    return undefined;
  }
  return mayBecomeTask(request, context) ? orTask(result) : result;
}

function reportUnanswered({ base, declaration }: Message, context: LinkContext): void {
  const isDeclared = (name: string): boolean => context.shapes.declaration(name) !== undefined;
  const lines = [
    exampleLines(lackingNames(["Result"], isDeclared)),
    `export interface ${base}Result extends Result {\n  // the members of the result\n}`,
  ];
  context.report({
    code: "MCG3010",
    message: `The schema declares no result for ${declaration.name}.`,
    hint: `Declare ${base}Result, or ${EMPTY_RESULT} if the result has no members:`,
    example: lines.filter(Boolean).join("\n"),
    span: declaration.span,
  });
}

function orTask(result: Result): Result {
  if (result.alternatives.some(({ type }) => type === TASK_RESULT)) return result;
  const task = { type: TASK_RESULT, when: "task" } as const;
  return { ...result, alternatives: [...result.alternatives, task] };
}

function byResponse({ base }: Message, context: LinkContext): Result | undefined {
  const member = context.shapes.named(`${base}ResultResponse`)?.members.get("result");
  const type = member?.types.at(-1)?.type;
  if (!type) return undefined;
  const names: string[] = [];
  for (const arm of context.shapes.arms(type)) {
    if (arm.kind === "reference") names.push(arm.name);
    else reportUnnamed(base, arm, context);
  }
  const final = names.find((name) => name === `${base}Result`) ?? names[0];
  if (final === undefined) return undefined;
  const others = names.filter((name) => name !== final);
  const alternatives = others.map((name) => ({ type: name, when: announcement(name, context) }));
  return { type: final, alternatives, rule: "response" };
}

function reportUnnamed(base: string, arm: TypeExpression, context: LinkContext): void {
  context.report({
    code: "MCG3018",
    message: `The result of ${base}ResultResponse has an alternative without a name.`,
    hint: "Declare a type for it and refer to that.",
    span: arm.span,
  });
}

function announcement(name: string, context: LinkContext): Result["alternatives"][number]["when"] {
  if (context.shapes.named(name)?.members.has("inputRequests")) return "input_required";
  return name === TASK_RESULT ? "task" : "other";
}

function byName({ base }: Message, context: LinkContext): Result | undefined {
  const type = `${base}Result`;
  return context.shapes.declaration(type) && { type, alternatives: [], rule: "name" };
}

function byDefault(context: LinkContext): Result | undefined {
  return (
    context.shapes.declaration(EMPTY_RESULT) && {
      type: EMPTY_RESULT,
      alternatives: [],
      rule: "empty",
    }
  );
}

function mayBecomeTask(request: Message, context: LinkContext): boolean {
  const params = request.shape.members.get("params")?.types ?? [];
  const arms = params.flatMap(({ type }) => context.shapes.arms(type));
  const taking = arms.filter((arm) => {
    const task = context.shapes.of(arm)?.members.get("task")?.types[0]?.type;
    return task?.kind === "reference" && task.name === TASK_METADATA;
  });
  if (taking.length === 0) return false;
  if (taking.length < arms.length) reportPartial(request, context);
  else if (!context.shapes.declaration(TASK_RESULT)) reportNoTask(request, context);
  return taking.length === arms.length;
}

function reportPartial({ declaration: { name, span } }: Message, context: LinkContext): void {
  context.report({
    code: "MCG3015",
    severity: "warning",
    message: `Only some alternatives of the parameters of ${name} accept a task; treated as if none did.`,
    hint: `Declare \`task: ${TASK_METADATA}\` in all of them, or in none.`,
    span,
    about: name,
  });
}

function reportNoTask({ declaration: { name, span } }: Message, context: LinkContext): void {
  context.report({
    code: "MCG3014",
    message: `${name} can run as a task, but ${TASK_RESULT}, its result, is not declared.`,
    hint: `Declare ${TASK_RESULT}, or remove \`task\` from the parameters.`,
    span,
  });
}
