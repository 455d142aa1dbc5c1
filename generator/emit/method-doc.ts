import type { Doc } from "../model/schema-model.js";
import type { Method } from "../link/protocol.js";
import type { RevisionPlan } from "../plan/revision-plan.js";

type DocumentedProtocol = Pick<RevisionPlan, "protocol">;

/** Columns that are left for a comment's text inside of a class. */
const WIDTH = 100 - "   * ".length;

/** The comment of a stub: what the message is for, led by the method on the wire. */
export function stubDoc(method: Method, plan: DocumentedProtocol): Doc {
  const doc = messageDoc(method, plan);
  const lead = `\`${method.method}\``;
  const purpose = summary(doc);
  if (isProse(purpose)) return { ...doc, text: fill(`${lead}: ${purpose}`) };
  return { ...doc, text: purpose === "" ? lead : `${lead}\n\n${purpose}` };
}

/** The comment of a handler: what the message is for, and whether it is deprecated. */
export function handlerDoc(method: Method, plan: DocumentedProtocol): Doc {
  const doc = messageDoc(method, plan);
  return { text: summary(doc), tags: doc.tags.filter(({ name }) => name === "deprecated") };
}

/** Advice of the schema about a message that it deprecates, on one line. */
export function deprecation(
  { type }: Method,
  { protocol }: DocumentedProtocol,
): string | undefined {
  const doc = protocol.declarations.find(({ name }) => name === type)?.doc;
  const tag = doc?.tags.find(({ name }) => name === "deprecated");
  return tag?.text.replace(/\s+/g, " ").trim();
}

/** The first sentence: the comment of the message type, which the stub's parameters lead to, says the rest. */
function summary({ text }: Doc): string {
  const paragraph = text.split("\n\n")[0]!;
  if (!isProse(paragraph)) return paragraph;
  return /^.+?[.!?](?=\s+[\p{Lu}`{(])/su.exec(paragraph)?.[0] ?? paragraph;
}

/** Links in the comment lead to the types' module, as it is imported beside the stubs. */
function messageDoc({ type }: Method, { protocol }: DocumentedProtocol): Doc {
  const names = new Set(protocol.declarations.map(({ name }) => name));
  const relink = (text: string): string =>
    text.replace(/\{@link\s+([\p{ID_Continue}$]+)/gu, (link, name: string) =>
      names.has(name) ? `{@link types.${name}` : link,
    );
  const doc = protocol.declarations.find(({ name }) => name === type)?.doc;
  const tags = (doc?.tags ?? []).map(({ name, text }) => ({ name, text: relink(text) }));
  return { text: relink(doc?.text ?? ""), tags };
}

/** Not a list, table, quotation, heading or code block, so that its lines may be broken anew. */
function isProse(paragraph: string): boolean {
  return paragraph !== "" && !/^(?:\s|[-*+|>#]|\d+[.)]\s|```)/m.test(paragraph);
}

function fill(paragraph: string): string {
  const lines: string[] = [];
  for (const word of words(paragraph)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < WIDTH)
      lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join("\n");
}

/** Parts of a text that may not be broken: words, with the links and the code in them. */
function* words(text: string): Generator<string> {
  const closing = { "}": closings(text, "}"), "`": closings(text, "`") };
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "`") at = closing["`"](at);
    else if (text.startsWith("{@link", at)) at = closing["}"](at);
    else if (isSpace(text[at]!)) {
      if (at > start) yield text.slice(start, at);
      start = at + 1;
    }
  }
  if (start < text.length) yield text.slice(start);
}

/** Finds the next `mark` behind a place, else the place itself; looks at no part of the text twice. */
function closings(text: string, mark: string): (at: number) => number {
  let found = 0;
  return (at) => {
    if (found !== -1 && found <= at) found = text.indexOf(mark, at + 1);
    return found === -1 ? at : found;
  };
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}
