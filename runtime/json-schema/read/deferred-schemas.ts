import type { DeferredCompiler } from "../../features/index.js";
import { type CopiedSchema, copySchema, type Node, token } from "./copy-schema.js";
import { DEFAULT_SCHEMA_LIMITS, type SchemaLimits } from "./limits.js";
import { resolveReferences, type Targets } from "./references.js";
import { dialectOf, SchemaError } from "./vocabulary.js";

export type Compile = (
  schema: CopiedSchema,
  targets: Targets,
  limits: SchemaLimits,
) => ReturnType<DeferredCompiler>;

/**
 * Creates checks for the program's own JSON Schemas, as `jsonSchemas()` does. Invalid schemas are refused immediately.
 * The code that checks values is loaded with the first value, because many programs never need it.
 */
export function deferredSchemas(load: () => Promise<Compile>): DeferredCompiler {
  const limits = DEFAULT_SCHEMA_LIMITS.own;
  return (schema) => {
    const copied = copySchema(schema, dialectOf(schema), limits);
    const targets = resolveReferences(copied);
    for (const [node, { path }] of copied.nodes) assertPatterns(node, path);
    let check: ReturnType<DeferredCompiler> | undefined;
    return (value) =>
      check
        ? check(value)
        : load().then((compile) => {
            check = compile(copied, targets, limits);
            return check(value);
          });
  };
}

function assertPatterns(node: Node, path: string): void {
  const { pattern, patternProperties } = node;
  if (pattern !== undefined) nativePattern(pattern as string, `${path}/pattern`);
  for (const source of Object.keys(patternProperties ?? {}))
    nativePattern(source, `${path}/patternProperties${token(source)}`);
}

export function nativePattern(source: string, path: string): (text: string) => boolean {
  try {
    const pattern = new RegExp(source, "u");
    return (text) => pattern.test(text);
  } catch {
    throw new SchemaError(path, "it is not a regular expression with the flag u (ECMA-262)");
  }
}
