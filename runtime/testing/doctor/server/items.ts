import type { MethodFamily } from "@mcp-codegen/runtime";
import { below, isMembers, type Members, member } from "../../tape/json-value.js";
import type { Listed, Visit } from "../visit.js";
import { checkSchema } from "./schemas.js";

export function examineItems(visit: Visit): void {
  let characters = 0;
  for (const [family, listed] of visit.lists) {
    checkKeys(visit, family, listed);
    for (const one of listed) {
      characters += JSON.stringify(one.item)?.length ?? 0;
      if (isMembers(one.item)) examineItem(visit, family, one, one.item);
    }
  }
  const tokens = Math.round(characters / 4);
  visit.expect("definitions-large", tokens < 20_000, { received: `about ${tokens} tokens` });
}

function checkKeys(visit: Visit, family: MethodFamily, listed: readonly Listed[]): void {
  if (family.key !== "name") return;
  const folded = new Map<string, string>();
  for (const { item, line, pointer } of listed) {
    const key = member(item, "name");
    if (typeof key !== "string") continue;
    const similar = folded.get(key.toLowerCase()) ?? key;
    const received = `${key} beside ${similar}`;
    visit.expect("name-case", similar === key, { line, pointer: `${pointer}/name`, received });
    folded.set(key.toLowerCase(), key);
  }
}

function examineItem(
  visit: Visit,
  family: MethodFamily,
  { line, pointer }: Listed,
  item: Members,
): void {
  const at = (path: string, received: unknown) => ({
    line,
    pointer: `${pointer}${path}`,
    received,
  });
  const { kind } = family;
  if (kind === "tool") {
    for (const name of ["inputSchema", "outputSchema"]) {
      const schema = item[name];
      if (isMembers(schema)) checkSchema(visit, schema, { line, pointer: `${pointer}/${name}` });
    }
  }
  if (kind === "tool" || kind === "prompt") {
    const { description } = item;
    const isGiven = description !== undefined && description !== "";
    visit.expect("description-missing", isGiven, at("/description", description));
  }
  checkArguments(visit, item, at);
  checkIcons(visit, item, at);
  checkTexts(visit, item, at, "");
}

type At = (path: string, received: unknown) => Parameters<Visit["expect"]>[2];

function checkArguments(visit: Visit, { arguments: list }: Members, at: At): void {
  if (!Array.isArray(list)) return;
  const names = list.map((one) => member(one, "name"));
  names.forEach((name, index) => {
    visit.expect(
      "argument-repeated",
      typeof name !== "string" || names.indexOf(name) === index,
      at(`/arguments/${index}/name`, name),
    );
  });
}

export function checkIcons(visit: Visit, { icons }: Members, at: At): void {
  if (!Array.isArray(icons)) return;
  icons.forEach((icon, index) => {
    const src = member(icon, "src");
    if (typeof src !== "string") return;
    visit.expect("icon-address", /^(?:https:|data:)/i.test(src), at(`/icons/${index}/src`, src));
  });
}

/** Matches invisible characters: control characters, and those that format, reorder or tag text. */
const UNSEEN = /[\p{Cf}\p{Cc}]/gu;
/** Matches white space and joiners, which are not reported although they match {@link UNSEEN}. */
const SEEN = /[\t\n\r\u200c\u200d]/;

function checkTexts(visit: Visit, value: unknown, at: At, path: string): void {
  if (typeof value === "string") {
    const found = value.match(UNSEEN)?.find((character) => !SEEN.test(character));
    const code = found?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    if (path.length < 200) {
      visit.expect("text-unseen", found === undefined, { ...at(path, `U+${code}`) });
    }
    return;
  }
  if (typeof value !== "object" || value === null || path.split("/").length > 30) return;
  for (const [name, inner] of Object.entries(value)) {
    checkTexts(visit, inner, at, below(path, name));
  }
}
