import type { Doc } from "../model/schema-model.js";
import type { Method } from "../link/protocol.js";
import type { RevisionPlan } from "../plan/revision-plan.js";

type DocumentedProtocol = Pick<RevisionPlan, "protocol">;

/** The maximum width, in characters, of a comment's text inside a class. */
const WIDTH = 100 - "   * ".length;

export function stubDoc(method: Method, plan: DocumentedProtocol): Doc {
  const doc = messageDoc(method, plan);
  const lead = `\`${method.method}\``;
  const purpose = summary(doc);
  if (isProse(purpose)) return { ...doc, text: fill(`${lead}: ${purpose}`) };
  return { ...doc, text: purpose === "" ? lead : `${lead}\n\n${purpose}` };
}

export function handlerDoc(method: Method, plan: DocumentedProtocol): Doc {
  const doc = messageDoc(method, plan);
  return { text: summary(doc), tags: doc.tags.filter(({ name }) => name === "deprecated") };
}

export function deprecation(
  { type }: Method,
  { protocol }: DocumentedProtocol,
): string | undefined {
  const doc = protocol.declarations.find(({ name }) => name === type)?.doc;
  const tag = doc?.tags.find(({ name }) => name === "deprecated");
  return tag?.text.replace(/\s+/g, " ").trim();
}

/**
 * Returns a comment's first sentence. The remaining sentences are in the message type's comment, to which the stub's
 * parameters link.
 */
function summary({ text }: Doc): string {
  const paragraph = text.split("\n\n")[0]!;
  if (!isProse(paragraph)) return paragraph;
  return /^.+?[.!?](?=\s+[\p{Lu}`{(])/su.exec(paragraph)?.[0] ?? paragraph;
}

/**
 * Returns a message's comment. Links to the schema's types receive the prefix `types.`, under which stubs import them.
 */
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

/** Yields the parts of a string that must not be broken: words, links and code spans. */
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

/**
 * Returns a function that finds the next `mark` after an index, or returns the index itself if there is none. It must
 * be called with increasing indexes, so that no part of `text` is scanned twice.
 */
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
