import type { Options, PositionalOptions } from "yargs";
import type { Diagnostics } from "../diagnostics.js";
import type { Outcome } from "./outcome.js";
import type { Progress } from "./progress.js";

/**
 * A command of the executable. Its module is loaded at every start, so `run` must import its dependencies on demand.
 */
export interface Command {
  /** One word, or two for a command of a group: `contract diff`. */
  readonly name: string;
  /** Positional arguments in the notation of yargs: `<revision> [name]`. */
  readonly parameters?: string;
  /** Positional arguments in the help text, if they differ from those for yargs. Default: `parameters`. */
  readonly usage?: string;
  readonly description: string;
  /** Name of the arguments after `--`, in the help text and in {@link Values}; absent if the command accepts none. */
  readonly rest?: string;
  readonly positionals?: Readonly<Record<string, PositionalOptions & Completed>>;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly examples: readonly (readonly [command: string, description: string])[];
  readonly epilogue?: string;
  /** Members of the `--json` document, as the help text shows them. */
  readonly json?: string;
  /** Returns true if standard output must carry only MCP messages. Default: false. */
  carriesMessages?(values: Values): boolean;
  /** Runs the command; returns undefined if only the diagnostics are to be shown. */
  run(values: Values, context: Context): Promise<Outcome | undefined>;
}

export interface Completed {
  readonly completes?: "revisions";
}

/** An option as yargs expects it; group titles have no colon. */
export interface CommandOption extends Options, Completed {
  /** Placeholder of the value in the help text, such as `id`. */
  readonly value?: string;
  /** True if the option may be used without a value, which is then an empty string. Default: false. */
  readonly mayLackValue?: boolean;
  /** Exclusive lower limit of the number. */
  readonly above?: number;
}

export interface Context {
  readonly diagnostics: Diagnostics;
  readonly progress: Progress;
  /** Shows the result of one of several runs, such as those of `--watch`. */
  present(outcome: Outcome | undefined, diagnostics: Diagnostics, next: string): void;
}

export class Values {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === "number" && !Number.isNaN(value) ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  words(name: string): readonly string[] | undefined {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return [...new Set(items.map(String))];
  }
}
