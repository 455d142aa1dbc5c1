import type { Method } from "../../link/protocol.js";
import type { TypeExpression } from "../../model/schema-model.js";
import type { ExtensionPlan, MessageConstant } from "../../plan/extension-plan.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { requiresOnlyMeta } from "../stub-signatures.js";
import { stubDoc } from "../method-doc.js";
import { type Code, code, EMPTY, identifier, join, literal } from "../printer/code.js";
import { jsDoc } from "../printer/doc.js";
import { printModule } from "../printer/module.js";
import { runtimeSymbol } from "../runtime-symbol.js";
import { header, typeReference, validatorReference } from "./header.js";

export function emitMessages(plan: ExtensionPlan): OutputFile {
  const constants = plan.messages.map((message) => constant(message, plan));
  const body = constants.length === 0 ? code`export {};` : join(constants, code`\n\n`);
  return { path: "messages.ts", text: printModule(header(plan), body) };
}

function constant({ name, method }: MessageConstant, plan: ExtensionPlan): Code {
  const isRequest = method.kind === "request";
  const params = paramsOf(method, plan);
  const result = resultOf(method, plan);
  const types = join([params.type, ...(result ? [result.type] : [])], code`, `);
  const type = runtimeSymbol(plan, isRequest ? "CustomRequest" : "CustomNotification");
  const create = runtimeSymbol(plan, isRequest ? "customRequest" : "customNotification");
  const from = method.from === "both" ? EMPTY : code`from: ${literal(method.from)}, `;
  const { nameHeader } = method;
  const repeated = nameHeader === undefined ? EMPTY : code`nameHeader: ${literal(nameHeader)}, `;
  const parts = code`{ ${from}${params.checks}${result?.checks ?? EMPTY}${repeated}}`;
  const value = code`/* @__PURE__ */ ${create}(${literal(method.method)}, ${parts})`;
  return code`${jsDoc(stubDoc(method, plan))}export const ${identifier(name)}: ${type}<${types}> = ${value};`;
}

interface Part {
  readonly type: Code;
  readonly checks: Code;
}

function paramsOf(method: Method, plan: ExtensionPlan): Part {
  const { params, kind } = method;
  if (params === undefined) return { type: code`undefined`, checks: EMPTY };
  const type = typeReference(params.type, plan);
  const check = validatorReference(params.type, plan);
  const isEnveloped =
    kind === "request" &&
    memberTypes("params", method, plan).some((each) => requiresMeta(each, plan));
  const isOptional = params.optional || (isEnveloped && requiresOnlyMeta(method, plan));
  const ownType = isEnveloped ? code`${runtimeSymbol(plan, "GivenParams")}<${type}>` : type;
  const checked = isEnveloped ? code`${runtimeSymbol(plan, "givenParams")}(${check})` : check;
  return {
    type: isOptional ? code`${ownType} | undefined` : ownType,
    checks: code`params: ${checked}, ${isOptional ? code`optional: true, ` : EMPTY}`,
  };
}

function resultOf({ result }: Method, plan: ExtensionPlan): Part | undefined {
  if (result === undefined) return undefined;
  const finals = [
    result.type,
    ...result.alternatives.filter(({ when }) => when !== "input_required").map(({ type }) => type),
  ];
  const inputRequired = result.alternatives.find(({ when }) => when === "input_required");
  const type = join(
    finals.map((name) => typeReference(name, plan)),
    code` | `,
  );
  const checks = finals.map((name) => resultCheck(name, plan));
  const check =
    checks.length === 1
      ? checks[0]!
      : code`(value): value is ${type} => ${join(
          checks.map((each) => code`${each}(value)`),
          code` || `,
        )}`;
  const questions = inputRequired
    ? code`inputResult: ${validatorReference(inputRequired.type, plan)}, `
    : EMPTY;
  return { type, checks: code`result: ${check}, ${questions}` };
}

function resultCheck(name: string, plan: ExtensionPlan): Code {
  const check = validatorReference(name, plan);
  if (!plan.extended.traits.resultType) return check;
  return code`${runtimeSymbol(plan, "givenResult")}(${check})`;
}

function requiresMeta(type: TypeExpression, { shapes }: ExtensionPlan): boolean {
  const seen = new Set<TypeExpression>();
  const requires = (each: TypeExpression): boolean =>
    shapes.arms(each).some((arm) => {
      const shape = shapes.of(arm);
      if (shape || seen.has(arm)) return shape?.members.get("_meta")?.optional === false;
      seen.add(arm);
      const declaration = arm.kind === "reference" ? shapes.declaration(arm.name) : undefined;
      const inner = declaration?.kind === "alias" ? declaration.type : arm;
      return inner.kind === "intersection" && inner.members.some(requires);
    });
  return requires(type);
}

function memberTypes(name: string, { type }: Method, { shapes }: ExtensionPlan): TypeExpression[] {
  return (shapes.named(type)?.members.get(name)?.types ?? []).map((each) => each.type);
}
