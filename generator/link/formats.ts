import type { Declaration, Member } from "../model/schema-model.js";
import { typesIn } from "../model/walk.js";
import type { LinkContext } from "./context.js";
import type { FormatFact } from "./facts.js";
import type { FormatRule } from "./protocol.js";

/** Formats that the facts state. */
export function formatRules(facts: readonly FormatFact[] = []): FormatRule[] {
  return facts.map(({ place, format, members }) => {
    const [type, path] = place.split(".") as [string, string];
    return {
      ...(type !== "*" && { type }),
      member: path.replace("[]", ""),
      isItem: path.endsWith("[]"),
      format: members ? `${format}:${members.join(",")}` : format,
    };
  });
}

/** Reports facts about formats of undeclared members, and those that the schema's tags state already. */
export function checkFormats(context: LinkContext): void {
  const { declarations } = context.model;
  formatRules(context.facts.formats).forEach(({ type, member, format }, index) => {
    const owners = declarations.filter(({ name }) => type === undefined || name === type);
    const found = owners.flatMap(membersOf).filter(({ name }) => name === member);
    const isStated = found.some(({ constraints }) => constraints?.format === format);
    if (found.length > 0 && !isStated) return;
    const place = `${type ?? "*"}.${member}`;
    context.report({
      code: "MCG3062",
      message: isStated
        ? `The fact gives ${place} the format that the schema states there.`
        : `The fact is about the format of ${place}, which this schema does not declare.`,
      hint: isStated ? "Remove the fact." : "Correct the name, or remove the fact.",
      fact: ["formats", index],
    });
  });
}

/** Members that a declaration states, including those of inline types. */
function membersOf(declaration: Declaration): Member[] {
  const inner = [...typesIn(declaration)].flatMap((type) =>
    type.kind === "object" ? type.members : [],
  );
  return declaration.kind === "interface" ? [...declaration.members, ...inner] : inner;
}
