import type { ConstrainedNode, Context } from "../context.js";
import type { PositionedTag } from "../comments.js";
import type { Declaration, TypeExpression } from "../schema-model.js";

const SUBJECTS = new Map([
  ["TJS-type", "number"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["minItems", "array"],
  ["maxItems", "array"],
  ["minLength", "string"],
  ["maxLength", "string"],
  ["pattern", "string"],
  ["nullable", "null"],
]);

export function checkConstraints(
  declarations: ReadonlyMap<string, Declaration>,
  context: Context,
): void {
  for (const constrained of context.constrained) {
    for (const tag of constrained.tags) {
      const subject = SUBJECTS.get(tag.name);
      if (subject === undefined) continue;
      if (!subjects(constrained, declarations, context).has(subject)) {
        refuseMisfit(tag, subject, context);
      }
    }
  }
}

function refuseMisfit(tag: PositionedTag, subject: string, context: Context): void {
  context.refuse(
    context.spanAt(tag.start, tag.end),
    "MCG2083",
    `\`@${tag.name}\` does not fit: the type has no ${subject}.`,
    tag.name === "nullable"
      ? "Write `| null` in the type, or remove the tag."
      : "Correct the type, or remove the tag.",
  );
}

function subjects(
  { type }: ConstrainedNode,
  declarations: ReadonlyMap<string, Declaration>,
  context: Context,
): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const pending: TypeExpression[] = [type];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === "union") pending.push(...next.members);
    else if (next.kind === "reference" || next.kind === "typeof") {
      if (seen.has(next.name)) continue;
      seen.add(next.name);
      const target = declarations.get(next.name);
      if (target?.kind === "alias") pending.push(target.type);
      if (target?.kind === "const") found.add(typeof target.value);
      if (!target) return new Set(SUBJECTS.values());
    } else if (next.kind === "literal") found.add(typeof next.value);
    else if (next.kind === "keyword") {
      if (next.name === "any" || next.name === "unknown" || context.standIns.has(next)) {
        return new Set(SUBJECTS.values());
      }
      found.add(next.name);
    } else found.add(next.kind);
  }
  return found;
}
