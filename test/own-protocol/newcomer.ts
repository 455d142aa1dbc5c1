import { cliJson } from "../cli/cli.js";
import { TestFolder } from "../output/folder.js";

/** A diagnostic as `--json` prints it. */
export interface Printed {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly example?: string;
  readonly line?: number;
}

/** A run of the generator on the way from a faulty schema to one that generates. */
export interface Step {
  readonly diagnostics: readonly Printed[];
  /** The schema that the diagnostics are about. */
  readonly schema: string;
}

const DECLARATION = /^export (?:interface|type) (\w+)\b.*(?:\n(?!export ).*)*/gm;

/** Returns a schema's declarations, by name. */
export function declarationsOf(schema: string): Map<string, string> {
  return new Map([...schema.matchAll(DECLARATION)].map(([text, name]) => [name!, text.trimEnd()]));
}

/** Applies the lines that a diagnostic shows: a declaration replaces the one with the same name. */
function follow(schema: string, diagnostics: readonly Printed[]): string {
  const declarations = declarationsOf(schema);
  for (const { example = "" } of diagnostics) {
    declarationsOf(example).forEach((text, name) => declarations.set(name, text));
  }
  return [...declarations.values(), ""].join("\n");
}

/** Runs the generator, and does nothing but follow the lines that it shows, until it has nothing more to say. */
export async function followed(
  schema: string,
): Promise<{ schema: string; steps: Step[]; generates: boolean }> {
  using folder = new TestFolder();
  const steps: Step[] = [];
  const args = ["--schema", "own.ts", "--revision", "1.0", "--dry-run"];
  for (let current = schema; ;) {
    folder.put({ "own.ts": current });
    const { json } = await cliJson(args, { cwd: folder.path });
    const diagnostics = json["diagnostics"] as Printed[];
    if (diagnostics.length === 0) return { schema: current, steps, generates: true };
    steps.push({ diagnostics, schema: current });
    const next = follow(current, diagnostics);
    if (next === current) return { schema: current, steps, generates: false };
    current = next;
  }
}

/** Messages as a newcomer adds them, with nothing but their own content. */
export const MESSAGES = `export interface ForecastRequest extends Request {
  method: "weather/forecast";
  params: { city: string; days?: number };
}
export interface ForecastResult extends Result {
  degrees: number[];
}
export interface StormNotification extends Notification {
  method: "notifications/weather/storm";
  params: { city: string };
}
`;
