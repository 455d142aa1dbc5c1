import type { Check, MemberCheck } from "../../emit/validators/check.js";
import { discriminant } from "../../emit/validators/discriminant.js";

/**
 * Returns a check as text for reports. The notation is that of TypeScript types, with two additions: a format is shown
 * in angle brackets, as in `string<uri>`, and a union with a discriminant states it, as in `by type { "text":
 * TextContent; "image": ImageContent }`.
 */
export function checkText(check: Check, declarations: ReadonlyMap<string, Check>): string {
  const { format, ...plain } = check;
  if (format === undefined) return plainText(check, declarations);
  return `${operand(plain, (inner) => plainText(inner, declarations))}<${format}>`;
}

function plainText(check: Check, declarations: ReadonlyMap<string, Check>): string {
  const text = (inner: Check): string => checkText(inner, declarations);
  switch (check.kind) {
    case "any":
      return "unknown";
    case "literal":
      return JSON.stringify(check.value);
    case "string":
      return `string${limits(check.minLength, check.maxLength)}${matching(check.pattern)}`;
    case "number":
      return `${check.integer ? "integer" : "number"}${limits(check.minimum, check.maximum)}`;
    case "array":
      return `${operand(check.element, text)}[]${limits(check.minItems, check.maxItems)}`;
    case "object": {
      const members = check.members.map((member) => memberText(member, text));
      const index = check.index ? [`[name]: ${text(check.index)}`] : [];
      const all = [...members, ...index];
      return all.length === 0 ? "object" : `{ ${all.join("; ")} }`;
    }
    case "anyOf":
      return unionText(check.arms, declarations, text);
    case "allOf":
      return check.parts.map((part) => operand(part, text)).join(" & ");
    case "call":
      return check.name;
    default:
      return check.kind;
  }
}

function unionText(
  arms: readonly Check[],
  declarations: ReadonlyMap<string, Check>,
  text: (check: Check) => string,
): string {
  const union = (parts: readonly Check[]): string => parts.map(text).join(" | ");
  const found = discriminant(arms, declarations);
  if (!found) return union(arms);
  const cases = found.cases.map(({ labels, arms: selected }) => {
    const names = labels.map((label) =>
      label === undefined ? "undefined" : JSON.stringify(label),
    );
    return `${names.join(", ")}: ${union(selected)}`;
  });
  const selectable = found.cases.flatMap((one) => one.arms);
  const isSame =
    [...new Set(selectable.map(text))].join(" | ") === union(arms) &&
    selectable.every(({ kind }) => kind === "call");
  return `${isSame ? "" : `${union(arms)} `}by ${key(found.member)} { ${cases.join("; ")} }`;
}

function memberText(
  { name, optional, check }: MemberCheck,
  text: (check: Check) => string,
): string {
  return `${key(name)}${optional ? "?" : ""}: ${text(check)}`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function operand(check: Check, text: (check: Check) => string): string {
  const isBare = check.format === undefined && (check.kind === "anyOf" || check.kind === "allOf");
  return isBare ? `(${text(check)})` : text(check);
}

function matching(pattern: string | undefined): string {
  return pattern === undefined ? "" : ` matching ${JSON.stringify(pattern)}`;
}

function limits(minimum: number | undefined, maximum: number | undefined): string {
  if ((minimum ?? maximum) === undefined) return "";
  return `(${minimum ?? ""}..${maximum ?? ""})`;
}
