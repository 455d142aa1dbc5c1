import type { JSDocableNode } from "ts-morph";
import type { Constraints, Doc, DocTag } from "./schema-model.js";

const NUMERIC = ["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"] as const;

/** The JSDoc comment of a node and the constraints that its tags state. */
export function readDoc(node: JSDocableNode): { doc: Doc; constraints?: Constraints } | undefined {
  const comments = node.getJsDocs();
  if (comments.length === 0) return undefined;
  const tags: DocTag[] = comments.flatMap((comment) =>
    comment.getTags().map((tag) => ({
      name: tag.getTagName(),
      text: withoutStars(tag.getText().replace(/^@\S+/, "")),
    })),
  );
  const text = comments.map((comment) => withoutStars(comment.getDescription())).join("\n\n").trim();
  const constraints = readConstraints(tags);
  return { doc: { text, tags }, ...(constraints && { constraints }) };
}

function withoutStars(text: string): string {
  return text
    .replace(/\*\/\s*$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*\s?/, "").trimEnd())
    .join("\n")
    .trim();
}

function readConstraints(tags: readonly DocTag[]): Constraints | undefined {
  const constraints: Record<string, unknown> = {};
  for (const { name, text } of tags) {
    const value = text.split("\n")[0]!.trim();
    if (name === "TJS-type") constraints["number"] = value;
    else if (name === "format") constraints["format"] = value;
    else if ((NUMERIC as readonly string[]).includes(name)) constraints[name] = Number(value);
  }
  return Object.keys(constraints).length > 0 ? (constraints as Constraints) : undefined;
}
