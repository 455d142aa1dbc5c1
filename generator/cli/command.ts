import type { Options, PositionalOptions } from "yargs";
import type { Diagnostics } from "../diagnostics.js";
import type { Outcome } from "./outcome.js";
import type { Progress } from "./progress.js";

/**
 * A command of the executable. Its module is loaded at every start, so `run` must import its dependencies on demand.
 */
export interface Command {
  /** One word, or two for a command in a group: `contract diff`. */
  readonly name: string;
  /** The positional arguments in yargs notation: `<revision> [name]`. */
  readonly parameters?: string;
  /**
   * The positional arguments as shown in the help text, if they differ from the yargs notation. Default: `parameters`.
   */
  readonly usage?: string;
  readonly description: string;
  /**
   * The name for the arguments after `--`, used in the help text and in {@link Values}; absent if the command accepts
   * none.
   */
  readonly rest?: string;
  readonly positionals?: Readonly<Record<string, PositionalOptions & Completed>>;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly examples: readonly (readonly [command: string, description: string])[];
  readonly epilogue?: string;
  /** The members of the `--json` document, as shown in the help text. */
  readonly json?: string;
  /** Returns true if standard output must carry only MCP messages. Default: false. */
  carriesMessages?(values: Values): boolean;
  /** Runs the command. Returns undefined if there is nothing to show except the diagnostics. */
  run(values: Values, context: Context): Promise<Outcome | undefined>;
}

export interface Completed {
  readonly completes?: "revisions";
}

/** An option as yargs expects it, except that group titles have no colon. */
export interface CommandOption extends Options, Completed {
  /** The placeholder for the value in the help text, such as `id`. */
  readonly value?: string;
  /** True if the option may be used without a value, in which case its value is an empty string. Default: false. */
  readonly mayLackValue?: boolean;
  /** The exclusive lower limit and the inclusive upper limit of a numeric value. */
  readonly limits?: { readonly above: number; readonly atMost: number };
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
