import { canonicalJson, definitionParts, PART_NAMES } from "../index.js";
import { sha256 } from "mcp-codegen/cli";
import { LISTS } from "../families.js";
import { type Definition, type Digests, type LockedServer, type ServerFacts } from "./lock-file.js";

/** Digests of a definition, one for each of its parts. */
export function digestsOf(definition: Definition): Digests {
  const parts = definitionParts(definition);
  const digests = PART_NAMES.map((part) => [part, digest(part, parts[part])]);
  return Object.fromEntries(digests) as Digests;
}

/** Digest of the whole description of a server. */
export function serverDigest(
  { revision, server, capabilities, instructions, scope }: ServerFacts,
  lists: Pick<LockedServer, (typeof LISTS)[number]>,
): string {
  const entries = LISTS.filter((list) => list in lists).map((list) => [
    list,
    lists[list].map(({ digests }) => digests),
  ]);
  const facts = { revision, server, capabilities, instructions, scope };
  return digest("server", { ...facts, ...Object.fromEntries(entries) });
}

/** The tag at the front keeps digests of different things distinct. */
function digest(part: string, value: unknown): string {
  return `sha256:${sha256(`mcp-lock/1/${part}\n${canonicalJson(value)}`)}`;
}
