import type { Options, PositionalOptions } from "yargs";
import type { Diagnostics } from "../diagnostics.js";
import type { Outcome } from "./outcome.js";
import type { Progress } from "./progress.js";

/** A command of the executable. Its module is loaded for every start, and must load what it needs in `run`. */
export interface Command {
  /** One word, or two for one of a group: `contract diff`. */
  readonly name: string;
  /** Positional arguments as yargs writes them: `<revision> [name]`. */
  readonly parameters?: string;
  readonly description: string;
  /** Name of the words behind `--`, which are not options of this command; absent where there are none. */
  readonly rest?: string;
  readonly positionals?: Readonly<Record<string, PositionalOptions>>;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly examples: readonly (readonly [command: string, description: string])[];
  /** Further remarks, printed at the end of the help text. */
  readonly epilogue?: string;
  /** Members of the JSON document, for the help text; stable for scripts. */
  readonly json?: string;
  /** @returns undefined when there is nothing to show but the diagnostics. */
  run(values: Values, context: Context): Promise<Outcome | undefined>;
}

/** An option as yargs takes it, titles of groups without a colon. */
export interface CommandOption extends Options {
  /** Placeholder of the value in the help text: `id`. */
  readonly value?: string;
}

/** Services that every command uses: diagnostics, progress, output. */
export interface Context {
  readonly diagnostics: Diagnostics;
  readonly progress: Progress;
  /** Shows what one of several runs came to, such as those of `--watch`, and what comes next. */
  present(outcome: Outcome | undefined, diagnostics: Diagnostics, next: string): void;
}

/** The values of a command line, by the name of the option or of the positional argument. */
export class Values {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Number that the option holds; undefined when it is absent or not a number. */
  number(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === "number" && !Number.isNaN(value) ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Words in the order given, however often each is there; undefined where there are none. */
  words(name: string): readonly string[] | undefined {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : undefined;
  }

  /** Each once, in the order given. */
  list(name: string): readonly string[] {
    const value = this.#values[name];
    const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return [...new Set(items.map(String))];
  }
}
