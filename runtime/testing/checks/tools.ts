import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { canonicalText, isMasked } from "../tape/index.js";
import type { SentRequest } from "./conversation.js";
import type { Scope } from "./scope.js";
import { withValues, type ValueIssue } from "./values.js";
import { isMembers, member, type Members, parsed } from "../tape/json-value.js";

type Check = (
  value: unknown,
) => readonly { readonly path: string; readonly expected: string }[] | undefined;

/** Compiles schemas from the peer. The peer is not trusted, so patterns are matched in linear time. */
const annotated = compiler("annotate");
const asserted = compiler("assert");

function compiler(formats: "annotate" | "assert") {
  const compile = jsonSchemas({ trust: "foreign", formats });
  return { compile, compiled: new WeakMap<object, Check | null>() };
}

/**
 * Returns no issues if the schema is invalid, because the list that contains it is reported already.
 *
 * @param checksFormats - true to report strings that do not have the `format` of their schema
 */
export function schemaIssues(
  schema: unknown,
  value: unknown,
  checksFormats = false,
): readonly ValueIssue[] {
  if (!isMembers(schema)) return [];
  const { compile, compiled } = checksFormats ? asserted : annotated;
  let check = compiled.get(schema);
  if (check === undefined) {
    try {
      check = compile(schema);
    } catch {
      check = null;
    }
    compiled.set(schema, check);
  }
  return check === null ? [] : withValues(check(value) ?? [], value);
}

export function judgeArguments(scope: Scope, request: SentRequest): void {
  const tool = toolOf(scope, request);
  if (tool === undefined) return;
  for (const { path, expected, value } of schemaIssues(
    tool.inputSchema,
    request.params.arguments ?? {},
  )) {
    scope.report("arguments-invalid", `/params/arguments${path}`, expected, value);
  }
}

export function judgeStructure(scope: Scope, request: SentRequest, result: Members): void {
  const tool = toolOf(scope, request);
  const { structuredContent: content, isError } = result;
  if (tool === undefined || isError === true) return;
  if (!isMembers(tool.outputSchema)) return judgeTexts(scope, result);
  if (content === undefined) {
    scope.report(
      "structured-missing",
      "/result/structuredContent",
      "content for the outputSchema",
      content,
    );
    return;
  }
  const issues = schemaIssues(tool.outputSchema, content);
  for (const { path, expected, value } of issues) {
    scope.report("structured-invalid", `/result/structuredContent${path}`, expected, value);
  }
  if (issues.length === 0) judgeTexts(scope, result);
}

function judgeTexts(scope: Scope, { content, structuredContent }: Members): void {
  if (!Array.isArray(content) || (structuredContent ?? null) === null) return;
  if (isMasked(JSON.stringify([content, structuredContent]))) return;
  const texts = content
    .map((block) => member(block, "text"))
    .filter((one): one is string => typeof one === "string");
  // Python servers wrap a non-object value as `{ result }`, but their text contains only the value.
  const names = isMembers(structuredContent) ? Object.keys(structuredContent) : [];
  if (texts.length > 0 && names.length === 1 && names[0] === "result") return;
  const text = canonicalText(structuredContent);
  const isText = (one: string): boolean =>
    one === structuredContent || canonicalText(parsed(one)) === text;
  if (![...texts, texts.join("")].some(isText)) {
    scope.report("structured-text", "/result/content", "the structured content as JSON", content);
  }
}

export function judgeEmbedded(scope: Scope, request: SentRequest, result: Members): void {
  const { server } = scope.conversation.capabilities;
  const { name } = request.revision.families.find(({ use }) => use === request.method) ?? {};
  const { content, messages } = result;
  const isDeclared = server === undefined || member(server, "resources") !== undefined;
  if (name === "tools") {
    if (!Array.isArray(content) || isDeclared) return;
    content.forEach((block, index) => {
      if (member(block, "type") !== "resource") return;
      const place = `/result/content/${index}/type`;
      scope.report("resource-embedded", place, "server.resources, declared", "resource");
    });
  } else if (Array.isArray(messages)) {
    messages.forEach((message, index) => {
      const resource = member(member(message, "content"), "resource");
      if (!isMembers(resource) || resource.mimeType !== undefined) return;
      const place = `/result/messages/${index}/content/resource/mimeType`;
      scope.report("resource-type", place, "MIME type", undefined);
    });
  }
}

export function toolOf(scope: Scope, { method, params, revision }: SentRequest) {
  const family = revision.families.find(({ name }) => name === "tools");
  if (family?.use !== method || family.by === undefined) return undefined;
  const name = params[family.by];
  return typeof name === "string" ? scope.conversation.tools.get(name) : undefined;
}
