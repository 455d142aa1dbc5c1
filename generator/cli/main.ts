import { type Diagnostic, Diagnostics } from "../diagnostics.js";
import type { Command, Context, Values } from "./command.js";
import { EXIT, exitCodeOf, type Outcome } from "./outcome.js";
import { parse } from "./parse.js";
import { openProgress } from "./progress.js";
import { diagnosticToJson, renderDiagnostics } from "./render-diagnostics.js";
import { type Environment, openTerminal, type Stream, type Terminal } from "./terminal.js";
import { paint, renderJson } from "./text.js";

export interface Surroundings {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Environment;
}

export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const terminal = openTerminal(stdout, stderr, env);
  const end = args.indexOf("--");
  const isJson = args.slice(0, end === -1 ? undefined : end).includes("--json");
  let name = "generate";
  try {
    const parsed = await parse(args, terminal.width);
    if (parsed.kind === "text") {
      terminal.print(parsed.text);
      return EXIT.ok;
    }
    name = parsed.command.name;
    const { command } = parsed;
    const carries = parsed.kind === "run" && command.carriesMessages?.(parsed.values);
    const show = carries ? terminal.note : terminal.print;
    const presenter = openPresenter(name, isJson, { ...terminal, print: show });
    if (parsed.kind === "wrong") return presenter.present(undefined, parsed.problems, 2);
    return await runCommand(parsed.command, parsed.values, presenter, terminal);
  } catch (error) {
    return reportDefect(name, error, { terminal, isJson, env });
  }
}

interface Presenter {
  /**
   * Shows an outcome and returns the exit code. With an `indent` of 0, the JSON is written on one line, as one of
   * several documents.
   */
  present(
    outcome: Outcome | undefined,
    problems: readonly Diagnostic[],
    indent: number,
    next?: string,
  ): number;
}

function openPresenter(command: string, isJson: boolean, terminal: Terminal): Presenter {
  return {
    present(outcome, problems, indent, next) {
      const failure = exitCodeOf(problems);
      const own = outcome?.drift ? EXIT.drift : (outcome?.exitCode ?? EXIT.ok);
      const exitCode = failure === EXIT.ok ? own : failure;
      if (isJson) {
        const diagnostics = problems.map(diagnosticToJson);
        terminal.print(renderJson({ command, exitCode, diagnostics, ...outcome?.data }, indent));
        return exitCode;
      }
      outcome?.lines.forEach((line) => terminal.print(line));
      renderDiagnostics(problems).forEach((line) => terminal.note(line));
      if (outcome?.summary !== undefined) terminal.note(outcome.summary);
      if (next !== undefined) terminal.note(paint("dim", next));
      return exitCode;
    },
  };
}

async function runCommand(
  command: Command,
  values: Values,
  presenter: Presenter,
  terminal: Terminal,
): Promise<number> {
  const diagnostics = new Diagnostics();
  const progress = openProgress(terminal);
  let isPresented = false;
  const context: Context = {
    diagnostics,
    progress,
    present(outcome, { items }, next) {
      progress.end();
      isPresented = true;
      presenter.present(outcome, items, 0, next);
    },
  };
  try {
    const outcome = await command.run(values, context);
    progress.end();
    if (isPresented && outcome === undefined) return exitCodeOf(diagnostics.items);
    return presenter.present(outcome, diagnostics.items, 2);
  } finally {
    progress.end();
  }
}

/** Reports a defect in the generator. Users' mistakes become diagnostics, so any thrown value is a defect. */
function reportDefect(
  command: string,
  error: unknown,
  { terminal, isJson, env }: { terminal: Terminal; isJson: boolean; env: Environment },
): number {
  const message = error instanceof Error ? error.message : String(error);
  const problem: Diagnostic = {
    code: "MCG0000",
    severity: "error",
    message: `An internal error of mcp-codegen: ${message.split("\n")[0]}`,
    hint: "Please report it with the command line and the schema; MCP_CODEGEN_DEBUG=1 prints where it happened.",
  };
  if (isJson) {
    const diagnostics = [diagnosticToJson(problem)];
    terminal.print(renderJson({ command, exitCode: EXIT.defect, diagnostics }, 2));
  } else {
    renderDiagnostics([problem]).forEach((line) => terminal.note(line));
  }
  if (env["MCP_CODEGEN_DEBUG"])
    terminal.note(paint("dim", (error as Error | undefined)?.stack ?? message));
  return EXIT.defect;
}
