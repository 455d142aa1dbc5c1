import type { Doc, DocTag } from "../../model/schema-model.js";
import { type Code, EMPTY, escapeComment } from "./code.js";

/** The tags intended for tools that the schema's authors use. */
const TOOLING: ReadonlySet<string> = new Set(["category", "internal", "nullable", "TJS-type"]);

export function jsDoc(doc: Doc | undefined): Code {
  if (doc === undefined) return EMPTY;
  const tags = doc.tags.flatMap(printTag).join("\n");
  const text = [printText(doc.text), tags].filter((part) => part !== "").join("\n\n");
  return text === "" ? EMPTY : { parts: [comment(text)] };
}

export function docText(text: string): Code {
  return jsDoc({ text, tags: [] });
}

export function blockComment(text: string): Code {
  return { parts: [`/* ${escapeComment(text).replaceAll("\n", " ")} */\n`] };
}

function printTag(tag: DocTag): string[] {
  const name = tag.name.replace(/[^\w-]/g, "");
  const forTools = name === "" || TOOLING.has(name) || name.startsWith("ts-");
  if (forTools || (name === "example" && tag.text.includes("{@includeCode"))) return [];
  return [`@${name} ${printText(tag.text)}`.trimEnd()];
}

function printText(text: string): string {
  return escapeComment(text).trim();
}

function comment(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  if (lines.length === 1) return `/** ${text} */\n`;
  return `/**\n${lines.map((line) => (line === "" ? " *" : ` * ${line}`)).join("\n")}\n */\n`;
}
