import type { BaseMetadata } from "./protocol-types.js";

const ALLOWED = /[A-Za-z0-9._-]/;
const MAX_LENGTH = 128;

/** The result of validating a tool name. */
export interface ToolNameValidation {
  isValid: boolean;
  warnings: string[];
}

/**
 * Validates a tool name, which should consist of 1 to 128 letters, digits, `.`, `_` and `-` (MCP: tools, tool names).
 */
export function validateToolName(name: string): ToolNameValidation {
  if (name.length === 0) return { isValid: false, warnings: ["The tool's name is empty"] };
  if (name.length > MAX_LENGTH) {
    const warning = `The tool's name has ${name.length} characters, the limit is ${MAX_LENGTH}`;
    return { isValid: false, warnings: [warning] };
  }
  const wrong = [...new Set(name)].filter((character) => !ALLOWED.test(character));
  const warnings = [
    ...(/^[-.]|[-.]$/.test(name) ? ["The tool's name begins or ends with a dash or dot"] : []),
    ...(wrong.length > 0
      ? [
          `The tool's name has ${wrong.map((one) => JSON.stringify(one)).join(", ")}: use ${ALLOWED.source}`,
        ]
      : []),
  ];
  return { isValid: wrong.length === 0, warnings };
}

/** Writes warnings about a tool name to the console. */
export function issueToolNameWarning(name: string, warnings: string[]): void {
  for (const warning of warnings) console.warn(`Tool ${JSON.stringify(name)}: ${warning}`);
}

/** Validates a tool name and writes warnings to the console. Returns true if the name may be used. */
export function validateAndWarnToolName(name: string): boolean {
  const { isValid, warnings } = validateToolName(name);
  issueToolNameWarning(name, warnings);
  return isValid;
}

/** Returns the display name: `title`, or else the title in a tool's annotations, or else `name`. */
export function getDisplayName(
  metadata: BaseMetadata & { annotations?: object | undefined },
): string {
  return metadata.title || titleIn(metadata.annotations) || metadata.name;
}

function titleIn(annotations: object | undefined): string | undefined {
  return (annotations as { title?: string } | undefined)?.title;
}
