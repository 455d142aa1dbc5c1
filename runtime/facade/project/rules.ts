/** Handwritten rules for differences between revisions that no table can express, named as they are in the facts. */
import { withJsonText } from "../../features/structured-results/index.js";
import { isObject, quote } from "../../wire/index.js";
import type { Descent, PreparedShape, Rule } from "./step.js";

/** Replaces content of a kind that the revision lacks with text that describes it. */
export const textNote: Rule = {
  down(value, shape, descent) {
    if (!isObject(value)) return value;
    const type = value[shape.tag ?? ""];
    const isLacking = typeof type === "string" && shape.arms?.[type] === null;
    if (!isLacking) return descent.plain(shape, value);
    const { annotations } = value;
    const note = {
      type: "text",
      text: describe(type, value),
      ...(annotations ? { annotations } : {}),
    };
    return descent.lose(
      value,
      "is a kind of content that this revision does not have",
      descent.plain(shape, note),
    );
  },
};

function describe(type: string, block: Record<string, unknown>): string {
  const text = (name: string): string => (typeof block[name] === "string" ? block[name] : "");
  const uri = text("uri");
  if (uri !== "") return [text("title") || text("name"), uri].filter(Boolean).join(": ");
  const format = text("mimeType");
  return `[${type.replaceAll("_", " ")}${format && ` (${format})`}: not available in this version of the protocol]`;
}

/**
 * Adds structured content as text if the revision lacks structured content or has it in another form (MCP: tools,
 * structured content).
 */
export const jsonText: Rule = {
  members: ["structuredContent"],
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(value) || !isObject(lowered)) return lowered;
    const { structuredContent } = value;
    if (structuredContent === undefined || lowered["structuredContent"] === structuredContent)
      return lowered;
    const content: readonly unknown[] = Array.isArray(lowered["content"]) ? lowered["content"] : [];
    const whole = withJsonText(content, structuredContent);
    return whole === content ? lowered : { ...lowered, content: whole };
  },
};

/**
 * The name of the member that wraps structured content that is not an object, for revisions that require an object.
 * Other SDKs use the same name.
 */
const WRAPPER = "result";

/**
 * Wraps structured content that is not an object, for revisions that require an object (MCP: tools, structured
 * content).
 */
export const objectContent: Rule = {
  down: (value) => (isObject(value) ? value : { [WRAPPER]: value }),
};

/** The members at a schema's root that references within the schema point into. */
const ROOTS = ["$defs", "definitions"];
const PLAIN_TYPES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "string",
]);

/**
 * Wraps the schema of structured content if it has to describe an object, just as {@link objectContent} wraps the
 * content (MCP: tools, output schema). A schema that may admit both objects and other values is lost.
 */
export const objectSchema: Rule = {
  down(value, _shape, descent) {
    if (!isObject(value)) return descent.lose(value, "must describe an object");
    const { type } = value;
    if (type === "object") return value;
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    return types.every((one) => PLAIN_TYPES.has(one))
      ? wrapped(value)
      : descent.lose(value, "must describe an object");
  },
};

function wrapped(schema: Record<string, unknown>): object {
  const { $schema, ...described } = schema;
  const roots = ROOTS.filter((name) => Object.hasOwn(described, name));
  const kept = Object.fromEntries(roots.map((name) => [name, described[name]]));
  const inner = Object.entries(described).filter(([name]) => !roots.includes(name));
  const hasOwnBase = "$id" in described;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { [WRAPPER]: hasOwnBase ? described : moved(Object.fromEntries(inner)) },
    required: [WRAPPER],
    ...(hasOwnBase ? {} : (moved(kept) as object)),
  };
}

/** Returns a copy of part of a schema, with references to the schema's root pointing to its new place. */
function moved(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(moved);
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === "$ref" && typeof value === "string" ? movedReference(value) : moved(value),
    ]),
  );
}

function movedReference(reference: string): string {
  const isOwn = reference === "#" || reference.startsWith("#/");
  if (!isOwn || ROOTS.some((name) => reference.startsWith(`#/${name}/`))) return reference;
  return `#/properties/${WRAPPER}${reference.slice(1)}`;
}

/** Moves a tool's title to its annotations, for revisions that have it there (MCP: tools, annotations). */
export const toolTitle: Rule = {
  down(value, shape, descent) {
    if (!isObject(value)) return value;
    const { title, ...rest } = value;
    const { drop = [] } = shape;
    const isMoved = title !== undefined && drop.includes("title") && !drop.includes("annotations");
    if (!isMoved) return descent.plain(shape, value);
    const annotations = isObject(value["annotations"]) ? value["annotations"] : {};
    return descent.plain(shape, { ...rest, annotations: { title, ...annotations } });
  },
};

type Field = Record<string, unknown>;

const TITLED = "TitledSingleSelectEnumSchema";
const UNTITLED = "UntitledSingleSelectEnumSchema";
const LEGACY = "LegacyTitledEnumSchema";

/**
 * Translates a form field. A choice that cannot be written in the newest form is written as `enum` and `enumNames`. A
 * field that allows several values to be chosen is left out (MCP: elicitation, requested schema).
 */
export const formField: Rule = {
  down(value, { arms = {} }, descent) {
    if (!isObject(value)) return value;
    const type = typeOf(value);
    if (arms[type] !== null) return walkArm(type, value);
    if ((type !== TITLED && type !== UNTITLED) || arms[LEGACY] === null) {
      return descent.lose(value, "is a kind of field that this revision does not have");
    }
    return walkArm(LEGACY, type === TITLED ? withNames(value) : value);

    function walkArm(arm: string, field: Field): unknown {
      const name = arms[arm];
      return typeof name === "string" ? descent.walk(name, field) : field;
    }
  },
};

function typeOf(field: Field): string {
  switch (field["type"]) {
    case "array":
      return isObject(field["items"]) && field["items"]["anyOf"] !== undefined
        ? "TitledMultiSelectEnumSchema"
        : "UntitledMultiSelectEnumSchema";
    case "boolean":
      return "BooleanSchema";
    case "number":
    case "integer":
      return "NumberSchema";
    default:
      if (field["oneOf"] !== undefined) return TITLED;
      if (field["enumNames"] !== undefined) return LEGACY;
      return field["enum"] === undefined ? "StringSchema" : UNTITLED;
  }
}

function withNames({ oneOf, ...rest }: Field): Field {
  const choices = (oneOf as readonly unknown[]).filter((choice) => isObject(choice));
  return {
    ...rest,
    enum: choices.map((choice) => choice["const"]),
    enumNames: choices.map((choice) => choice["title"]),
  };
}

/** Refuses a form that has lost a required field, because no answer to the form could be valid. */
export const requiredFields: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(value) || !isObject(lowered)) return lowered;
    const { properties, required } = value;
    const { properties: left } = lowered;
    if (properties === left || !isObject(left) || !Array.isArray(required)) return lowered;
    const isLost = (name: string): boolean =>
      Object.hasOwn(properties as object, name) && !Object.hasOwn(left, name);
    const lost = (required as readonly string[]).find(isLost);
    if (lost === undefined) return lowered;
    return descent.refuse(`requires ${quote(lost)}, a kind of field that does not exist`);
  },
};

/**
 * Declares elicitation, in a revision without modes, only for clients that support forms. In such a revision, an empty
 * capability stands for forms (MCP: elicitation).
 */
export const elicitationModes: Rule = {
  down(value, shape, descent) {
    const hasForms = isObject(value) && (value["form"] !== undefined || isEmpty(value));
    const isForForms = shape.strip?.includes("form") === true;
    if (isForForms && !hasForms) return descent.lose(value, "stands for forms");
    return descent.plain(shape, value);
  },
  up: (value) => (isObject(value) && isEmpty(value) ? { form: {} } : value),
};

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/**
 * Adds the id that the revision requires to a request that sends the user to a web page (MCP: elicitation, URL mode).
 */
export const elicitationId: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(lowered) || lowered["elicitationId"] !== undefined) return lowered;
    return { ...lowered, elicitationId: crypto.randomUUID() };
  },
};

/**
 * Reduces content to one block, in a revision whose messages have only one (MCP: sampling, content). Text blocks are
 * joined. If there are other blocks, the first block is sent and the rest are lost.
 */
export const samplingContent: Rule = {
  down(value, shape, descent) {
    if (!Array.isArray(value) || shape.kinds?.["array"] !== null)
      return descent.plain(shape, value);
    const blocks = value.map((block: unknown) => descent.plain(shape, block));
    const [first] = blocks;
    if (first === undefined) return { type: "text", text: "" };
    if (blocks.length === 1) return first;
    const texts = blocks.map(textOf);
    if (texts.every((text) => text !== undefined))
      return { type: "text", text: texts.join("\n\n") };
    return descent.lose(value, "must be a single block", first);
  },
};

function textOf(block: unknown): string | undefined {
  const text = isObject(block) && block["type"] === "text" ? block["text"] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** Splits a message with several content blocks into messages with one block each (MCP: sampling, content). */
export const samplingMessages: Rule = {
  down(value, shape, descent) {
    const isSplit = Array.isArray(value) && hasSingleBlocks(shape, descent);
    return descent.plain(shape, isSplit ? value.flatMap(split) : value);
  },
};

function hasSingleBlocks({ items = "" }: PreparedShape, descent: Descent): boolean {
  const content = descent.shape(items)?.members?.["content"];
  return content !== undefined && descent.shape(content)?.kinds?.["array"] === null;
}

function split(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { content } = message;
  return Array.isArray(content)
    ? content.map((block) => ({ ...message, content: block }))
    : message;
}

/** Translates a task's result as the result of the request that created the task (MCP: tasks, results). */
export const taskPayload: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(lowered) || lowered["content"] === undefined) return lowered;
    const method = lowered["model"] === undefined ? "tools/call" : "sampling/createMessage";
    const name = descent.nameOf(method, "result");
    return name === undefined ? lowered : descent.walk(name, lowered);
  },
};
