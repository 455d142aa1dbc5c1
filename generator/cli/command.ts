import type { Options, PositionalOptions } from "yargs";
import type { Diagnostics } from "../diagnostics.js";
import type { Outcome } from "./outcome.js";
import type { Progress } from "./progress.js";

/** A command of the executable. Its module is loaded at every start, so it must load its dependencies in `run`. */
export interface Command {
  /** One word, or two for a command of a group: `contract diff`. */
  readonly name: string;
  /** Positional arguments as yargs writes them: `<revision> [name]`. */
  readonly parameters?: string;
  /** Positional arguments as the help text shows them, if they have one name only to yargs. Default: `parameters`. */
  readonly usage?: string;
  readonly description: string;
  /**
   * Name, in the help text, of the arguments after `--`, which are not options of this command;
   * absent if it accepts none.
   */
  readonly rest?: string;
  readonly positionals?: Readonly<Record<string, PositionalOptions & Completed>>;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly examples: readonly (readonly [command: string, description: string])[];
  /** Further remarks, printed at the end of the help text. */
  readonly epilogue?: string;
  /** Members of the JSON document, for the help text; stable for scripts. */
  readonly json?: string;
  /** True for a command line with which standard output carries messages of MCP only. Default: never. */
  carriesMessages?(values: Values): boolean;
  /** @returns undefined if there is nothing to show but the diagnostics. */
  run(values: Values, context: Context): Promise<Outcome | undefined>;
}

/** Positional argument or option whose values a shell completes. */
export interface Completed {
  readonly completes?: "revisions";
}

/** An option as yargs expects it; group titles have no colon. */
export interface CommandOption extends Options, Completed {
  /** Placeholder of the value in the help text: `id`. */
  readonly value?: string;
  /**
   * True if the option can be used without a value, which is then an empty string. Default: false.
   */
  readonly mayLackValue?: boolean;
  /** Number that the value has to exceed. */
  readonly above?: number;
}

/** Services that every command uses: diagnostics, progress, output. */
export interface Context {
  readonly diagnostics: Diagnostics;
  readonly progress: Progress;
  /** Shows the result of one of several runs, such as those of `--watch`, and the next step. */
  present(outcome: Outcome | undefined, diagnostics: Diagnostics, next: string): void;
}

/** Values of a command line, by the name of the option or positional argument. */
export class Values {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Numeric value of the option; undefined if it is absent or not a number. */
  number(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === "number" && !Number.isNaN(value) ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** All values in order, duplicates included; undefined if there are none. */
  words(name: string): readonly string[] | undefined {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : undefined;
  }

  /** All values in order, without duplicates. */
  list(name: string): readonly string[] {
    const value = this.#values[name];
    const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return [...new Set(items.map(String))];
  }
}
