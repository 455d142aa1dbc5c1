import type { RevisionStep, ShapeDifference } from "../../evolve/project/draft.js";
import type { JsonValue } from "../../link/protocol.js";
import type { OutputFile } from "../../plan/file-plan.js";
import type { UniversalPlan } from "../../plan/universal-plan.js";
import {
  type Code,
  code,
  EMPTY,
  identifier,
  importType,
  importValue,
  join,
  literal,
  objectKey,
} from "../printer/code.js";
import { printModule } from "../printer/module.js";
import { FACADE } from "./facade.js";
import { stepHeader } from "./header.js";

export const STEPS = "steps";

export function stepName({ newer, older }: RevisionStep): string {
  return `${newer}--${older}`;
}

export function emitSteps(plan: UniversalPlan): OutputFile[] {
  return plan.steps.map((one) => ({
    path: `${STEPS}/${stepName(one)}.ts`,
    text: printModule(stepHeader(plan, one), stepModule(one)),
  }));
}

function stepModule({ newer, older, step }: RevisionStep): Code {
  const { methods, shapes, ...envelope } = step;
  const type = code`${importType("Step", FACADE)}<${importType("Rule", FACADE)}>`;
  return code`/** Step between MCP ${text(newer)} and ${text(older)}. */
export const step: ${type} = {
  ${Object.entries(envelope).map(([name, value]) => code`${objectKey(name)}: ${literal(value as JsonValue)},\n`)}methods: ${lines(methods, (parts) => literal(parts as JsonValue))},
  shapes: ${lines(shapes, shapeCode)},
};`;
}

/**
 * Returns a shape as code. Its rule is imported, instead of being looked up by name, so that a bundle contains only
 * the rules in use.
 */
function shapeCode({ rule, ...shape }: ShapeDifference): Code {
  const members = Object.entries(shape).map(
    ([name, value]) => code`${objectKey(name)}: ${literal(value as JsonValue)}`,
  );
  const ruled = rule === undefined ? EMPTY : code`rule: ${ruleSymbol(rule)}, `;
  return code`{ ${ruled}${join(members, code`, `)} }`;
}

function ruleSymbol(rule: string): Code {
  identifier(rule);
  return code`${importValue(rule, FACADE)}`;
}

function lines<Value>(
  members: Readonly<Record<string, Value>>,
  print: (value: Value) => Code,
): Code {
  const entries = Object.entries(members).map(
    ([name, value]) => code`${objectKey(name)}: ${print(value)}`,
  );
  return entries.length === 0 ? code`{}` : code`{\n${join(entries, code`,\n`)},\n}`;
}

function text(revision: string): Code {
  return { parts: [revision] };
}
