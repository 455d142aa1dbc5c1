import { ts } from "ts-morph";
import type { Comment, PositionedTag } from "./comments.js";
import { constrainingTag, readConstraints } from "./constraints.js";
import type { Context } from "./context.js";
import type { Constraints, Doc, TypeExpression } from "./schema-model.js";

/** Reads the documentation of a node that cannot have constraints. Constraint tags are rejected. */
export function readDoc(node: ts.Node, context: Context): { doc?: Doc } {
  const comment = commentOf(node, context);
  if (!comment) return {};
  const { text, tags } = parseComment(context.text, comment);
  for (const tag of tags) if (constrainingTag(tag.name)) refuseStray(tag, context);
  return toDoc(text, tags);
}

export function readConstrainingDoc(
  node: ts.Node,
  type: TypeExpression,
  context: Context,
): { constraints?: Constraints; doc?: Doc } {
  const comment = commentOf(node, context);
  if (!comment) return {};
  const { text, tags } = parseComment(context.text, comment);
  const constraints = readConstraints(tags, context);
  context.constrained.push({ type, constraints: constraints ?? {}, tags });
  return { ...(constraints && { constraints }), ...toDoc(text, tags) };
}

/** Rejects constraint tags in comments that document nothing, because they would otherwise be silently ignored. */
export function checkStrayComments(context: Context): void {
  for (const comment of context.comments) {
    if (!isJsDoc(context.text, comment) || context.attached.has(comment.start)) continue;
    for (const tag of parseComment(context.text, comment).tags) {
      if (constrainingTag(tag.name)) refuseStray(tag, context);
    }
  }
}

function refuseStray(tag: PositionedTag, context: Context): void {
  context.refuse(
    context.spanAt(tag.start, tag.end),
    "MCG2084",
    `\`@${tag.name}\` constrains nothing here.`,
    "Move it into the comment directly before the member or the type alias that it is about.",
  );
}

function toDoc(text: string, tags: readonly PositionedTag[]): { doc?: Doc } {
  if (text === "" && tags.length === 0) return {};
  return { doc: { text, tags: tags.map((tag) => ({ name: tag.name, text: tag.text })) } };
}

/** Returns the last JSDoc comment before a node, which is the one that the compiler uses. */
function commentOf(node: ts.Node, context: Context): Comment | undefined {
  const { text } = context;
  const leading = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  const ranges = leading.length > 0 ? leading : sameLineComments(node, context);
  const range = ranges.findLast(({ pos, end }) => isJsDoc(text, { start: pos, end }));
  if (!range) return undefined;
  context.attached.add(range.pos);
  return { start: range.pos, end: range.end };
}

/** Returns the comments between the previous token and a node on the same line: `{ /** … *\/ name: string }`. */
function sameLineComments(node: ts.Node, context: Context): readonly ts.CommentRange[] {
  const ranges = ts.getTrailingCommentRanges(context.text, node.pos) ?? [];
  const end = ranges.at(-1)?.end;
  if (end === undefined) return [];
  const gap = context.text.slice(end, node.getStart(context.sourceFile));
  return /[\n\r]/.test(gap) ? [] : ranges;
}

function isJsDoc(text: string, { start, end }: Comment): boolean {
  return text.startsWith("/**", start) && end - start > "/**/".length;
}

interface Line {
  readonly text: string;
  /** The offset of the first character after the star on the line. */
  readonly start: number;
}

const TAG = /^@([A-Za-z][\w.-]*)(?=\s|$)/;
const FENCE = /^(```|~~~)/;

/**
 * Splits a comment into its description and its tags. A tag must be at the beginning of a line and outside fenced code.
 */
function parseComment(
  text: string,
  comment: Comment,
): { text: string; tags: readonly PositionedTag[] } {
  const description: string[] = [];
  const tags: { name: string; start: number; end: number; lines: string[] }[] = [];
  let fenced = false;
  for (const line of linesOf(text, comment)) {
    const trimmed = line.text.trimStart();
    const start = line.start + line.text.length - trimmed.length;
    if (FENCE.test(trimmed)) fenced = !fenced;
    const name = fenced ? undefined : TAG.exec(trimmed)?.[1];
    if (name !== undefined) {
      const end = start + trimmed.length;
      tags.push({ name, start, end, lines: [trimmed.slice(name.length + 1).trimStart()] });
    } else (tags.at(-1)?.lines ?? description).push(line.text);
  }
  return {
    text: trimBlank(description),
    tags: tags.map(({ lines, ...tag }) => ({ ...tag, text: trimBlank(lines) })),
  };
}

function linesOf(text: string, comment: Comment): Line[] {
  const lines: Line[] = [];
  let offset = comment.start + "/**".length;
  const inner = text.slice(offset, comment.end - "*/".length);
  for (const [index, part] of inner.split(/(\r\n|[\n\r])/).entries()) {
    if (index % 2 === 0) {
      const margin = (lines.length === 0 ? /^\**[ \t]?/ : /^\s*(?:\*[ \t]?)?/).exec(part)![0];
      lines.push({ text: part.slice(margin.length).trimEnd(), start: offset + margin.length });
    }
    offset += part.length;
  }
  return lines;
}

function trimBlank(lines: readonly string[]): string {
  return lines.join("\n").trim();
}
