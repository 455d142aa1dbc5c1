import type { Declaration } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { ErrorCode } from "./protocol.js";

/**
 * Returns all error codes: first the constants in source order, then the codes that only the prose states. A constant
 * is an error code if it is a negative integer, like all codes that JSON-RPC reserves, or if a declared error has its
 * value.
 */
export function errorCodes(context: LinkContext): ErrorCode[] {
  const types = errorTypes(context);
  const codes: ErrorCode[] = [];
  for (const declaration of context.own) {
    if (declaration.kind !== "const" || typeof declaration.value !== "number") continue;
    const { name, value, span } = declaration;
    const type = types.find(({ code }) => code === value)?.declaration.name;
    if (!type && !(Number.isInteger(value) && value < 0)) continue;
    const twin = codes.find(({ code }) => code === value);
    if (twin) {
      context.report({
        code: "MCG3041",
        message: `${name} has the same code as ${twin.name} (${value}).`,
        hint: "Choose another code for one of them.",
        span,
      });
    }
    codes.push({ name, code: value, ...(type && { type }), origin: "schema" });
  }
  for (const { code, declaration } of types) {
    if (codes.some((known) => known.code === code)) continue;
    context.report({
      code: "MCG3040",
      message: `${declaration.name} has the code ${code}, which no constant names.`,
      hint: "Declare a constant for the code and refer to it with `typeof`.",
      span: declaration.span,
    });
  }
  return [...codes, ...proseCodes(codes, context)];
}

interface ErrorType {
  readonly code: number;
  readonly declaration: Declaration;
}

function errorTypes(context: LinkContext): ErrorType[] {
  return context.own.flatMap((declaration) => {
    if (!declaration.name.endsWith("Error")) return [];
    const members = context.shapes.named(declaration.name)?.members;
    const inner = members?.get("error")?.types ?? [];
    const codes = [
      members?.get("code"),
      ...inner.map(({ type }) => context.shapes.of(type)?.members.get("code")),
    ].map((member) => context.shapes.memberLiteral(member));
    const code = codes.find((value) => typeof value === "number");
    return typeof code === "number" ? [{ code, declaration }] : [];
  });
}

function proseCodes(declared: readonly ErrorCode[], context: LinkContext): ErrorCode[] {
  const facts = context.facts.errorCodes ?? [];
  return facts.map(({ name, code }, index) => {
    const known = [...declared, ...facts.slice(0, index)];
    const twin = known.find((other) => other.code === code || other.name === name);
    if (twin) {
      context.report({
        code: "MCG3066",
        message: `The fact about ${name} (${code}) repeats ${twin.name} (${twin.code}).`,
        hint: "Remove the fact, or correct its name or code.",
        fact: ["errorCodes", index],
      });
    } else if (context.shapes.declaration(name)) {
      context.report({
        code: "MCG3066",
        message: `The fact about the code ${code} has the same name as the schema's ${name}.`,
        hint: "Rename the constant.",
        fact: ["errorCodes", index, "name"],
      });
    }
    return { name, code, origin: "prose" };
  });
}
