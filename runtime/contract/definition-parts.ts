import { canonicalJson, isObject, MAX_LEVELS } from "./json.js";

/**
 * The parts of a definition: what programs rely on (`interface`), what a model or user reads (`prose`), and what
 * determines how careful a host is (`safety`). Every member belongs to at least one part. Annotations inside a schema,
 * such as descriptions, belong to `prose`.
 */
export type PartName = "interface" | "prose" | "safety";

export const PART_NAMES: readonly PartName[] = ["interface", "prose", "safety"];

export type DefinitionParts = Readonly<Record<PartName, Readonly<Record<string, unknown>>>>;

const OF_INTERFACE: ReadonlySet<string> = new Set([
  "name",
  "uri",
  "uriTemplate",
  "mimeType",
  "arguments",
  "inputSchema",
  "outputSchema",
]);

/** JSON Schema keywords that validators ignore. */
export const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "$comment",
]);

/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);

/** Keywords whose values are sets, so their order is irrelevant. */
const SETS: ReadonlySet<string> = new Set(["enum", "required", "type"]);

/**
 * Splits the definition of a tool, prompt, resource or template into its parts.
 * @throws RangeError if it is nested more than 128 levels deep
 */
export function definitionParts(definition: object): DefinitionParts {
  const parts: Record<PartName, [string, unknown][]> = { interface: [], prose: [], safety: [] };
  for (const [name, member] of Object.entries(definition)) {
    if (name === "title" || name === "description") parts.prose.push([name, member]);
    else if (OF_INTERFACE.has(name)) addSplit(parts, "interface", name, splitSchema(member, 0));
    else if (name === "annotations" && isObject(member)) {
      const { title, ...rest } = member;
      const texts = title === undefined ? undefined : { title };
      addSplit(parts, "safety", name, [rest, texts]);
    } else if (name === "execution" && isObject(member)) {
      const { taskSupport, ...rest } = member;
      const isStandard = taskSupport === undefined || taskSupport === STANDARD_TASK_SUPPORT;
      const kept = isStandard ? rest : member;
      if (Object.keys(kept).length > 0) parts.safety.push([name, kept]);
    } else parts.safety.push([name, member]);
  }
  return {
    interface: Object.fromEntries(parts.interface),
    prose: Object.fromEntries(parts.prose),
    safety: Object.fromEntries(parts.safety),
  };
}

/** The default value of a tool's `execution.taskSupport` (MCP: tools). */
export const STANDARD_TASK_SUPPORT = "forbidden";

type Split = readonly [rest: unknown, texts: unknown];

function addSplit(
  parts: Record<PartName, [string, unknown][]>,
  part: PartName,
  name: string,
  [rest, texts]: Split,
): void {
  parts[part].push([name, rest]);
  if (texts !== undefined) parts.prose.push([name, texts]);
}

/** Splits a schema or a list of arguments into its annotations and a copy without them. */
function splitSchema(schema: unknown, level: number): Split {
  if (level > MAX_LEVELS) throw new RangeError(`It has more than ${MAX_LEVELS} levels`);
  if (Array.isArray(schema)) {
    const splits = schema.map((item) => splitSchema(item, level + 1));
    const [, texts] = joined(splits.map((split, index) => [String(index), split]));
    return [splits.map(([rest]) => rest), texts];
  }
  if (!isObject(schema)) return [schema, undefined];
  const rest: [string, Split][] = [];
  const texts: [string, unknown][] = [];
  for (const [name, member] of Object.entries(schema)) {
    if (ANNOTATION_KEYWORDS.has(name)) texts.push([name, member]);
    else if (SETS.has(name)) rest.push([name, [sortedSet(member), undefined]]);
    else if (name === "const") rest.push([name, [member, undefined]]);
    else if (SCHEMA_MAPS.has(name) && isObject(member)) {
      const members = Object.entries(member).map(
        ([key, inner]) => [key, splitSchema(inner, level + 1)] as const,
      );
      rest.push([name, joined(members)]);
    } else rest.push([name, splitSchema(member, level + 1)]);
  }
  const [kept, inner] = joined(rest);
  const all = [...texts, ...(isObject(inner) ? Object.entries(inner) : [])];
  return [kept, all.length === 0 ? undefined : Object.fromEntries(all)];
}

function sortedSet(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const texts = value.map((item) => [canonicalJson(item), item] as const);
  return texts.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

function joined(members: readonly (readonly [name: string, split: Split])[]): Split {
  const texts = members.flatMap(([name, [, text]]) => (text === undefined ? [] : [[name, text]]));
  const rest = members.map(([name, [kept]]) => [name, kept] as const);
  return [Object.fromEntries(rest), texts.length === 0 ? undefined : Object.fromEntries(texts)];
}
