import { lookahead } from "./lookahead.js";
import type { Expression, TemplatePart, Variable } from "./parse-template.js";
import { allTokensBut, startsOf, toAscii, tokenAt, widthOf } from "./tokens.js";

/**
 * A step of matching. `token` and `set` consume one token; `fork` continues at two places, of which the first is
 * preferred; `mark` notes where a value starts or ends. All but `fork` and `jump` go on with the next one. A `set` with
 * an `exit` is the body of a loop that ends there.
 */
export type Instruction =
  | { readonly op: "token"; readonly token: number }
  | { readonly op: "set"; readonly set: Uint8Array; readonly exit?: number }
  | { readonly op: "fork"; readonly first: number; readonly second: number }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "mark"; readonly capture: number; readonly isEnd: boolean }
  | { readonly op: "done" };

export interface Program {
  readonly instructions: readonly Instruction[];
  /** CapturedValue variables, by the number of their `mark`. */
  readonly captures: readonly Variable[];
  /** Tokens that can follow at the target of each `fork`. */
  readonly following: readonly (Uint8Array | undefined)[];
}

/**
 * Turns a template into the steps that match it. Expressions are taken rather than passed over. A value takes as much
 * as it can; where it could swallow an optional expression behind it, or may contain anything at all, as little.
 */
export function compile(parts: readonly TemplatePart[]): Program {
  const compiler = new Compiler();
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") compiler.text(part);
    else compiler.expression(part, parts[index + 1]);
  }
  return compiler.finish();
}

class Compiler {
  readonly #instructions: Instruction[] = [];
  readonly #captures: Variable[] = [];
  /** True when values match as little text as possible. */
  #isLazy = false;

  finish(): Program {
    this.#instructions.push({ op: "done" });
    const instructions = this.#instructions;
    return { instructions, captures: this.#captures, following: lookahead(instructions) };
  }

  text(literal: string): void {
    const text = toAscii(literal)!;
    for (let position = 0; position < text.length;) {
      const token = tokenAt(text, position);
      this.#instructions.push({ op: "token", token });
      position += widthOf(token);
    }
  }

  expression(expression: Expression, next: TemplatePart | undefined): void {
    const { operator, variables } = expression;
    this.#isLazy = operator.reserved || (typeof next === "object" && next.operator.first !== "");
    if (operator.named) this.#optional(() => this.#namedValues(expression));
    else if (operator.first === "") this.#positional(expression, variables);
    else this.#optional(() => this.#positional(expression, variables));
  }

  /** One value, then the rest if there is more: values that are missing at the end are undefined. */
  #positional(expression: Expression, [variable, ...rest]: readonly Variable[]): void {
    const { operator, variables } = expression;
    const isFirst = variable === variables[0];
    const capture = this.#captures.push(variable!) - 1;
    const set = valueSet(expression, variable!);
    const value = (): void => this.#value(capture, set, operator.first === "");
    this.text(isFirst ? operator.first : operator.separator);
    value();
    if (variable!.explode) {
      this.#repeat(() => {
        this.text(operator.separator);
        value();
      });
    }
    if (rest.length > 0) this.#optional(() => this.#positional(expression, rest));
  }

  /** Values with their names, in any order. */
  #namedValues(expression: Expression): void {
    const { first, separator } = expression.operator;
    const captures = expression.variables.map((variable) => this.#captures.push(variable) - 1);
    const entry = (): void => this.#anyOf(expression, captures);
    this.text(first);
    entry();
    this.#repeat(() => {
      this.text(separator);
      entry();
    });
  }

  /** One of the captures: its name, and its value after a `=`; without that, the value is empty. */
  #anyOf(expression: Expression, [capture, ...rest]: readonly number[]): void {
    const variable = this.#captures[capture!]!;
    const named = (): void => {
      this.text(variable.name);
      this.#either(
        () => {
          this.text("=");
          this.#value(capture!, valueSet(expression, variable), false);
        },
        () => this.#mark(capture!),
      );
    };
    if (rest.length === 0) named();
    else this.#either(named, () => this.#anyOf(expression, rest));
  }

  #value(capture: number, set: Uint8Array, isRequired: boolean): void {
    this.#instructions.push({ op: "mark", capture, isEnd: false });
    if (isRequired) this.#instructions.push({ op: "set", set: startsOf(set) });
    const start = this.#instructions.length;
    const [more, exit] = [start + 1, start + 3];
    const [first, second] = this.#isLazy ? [exit, more] : [more, exit];
    this.#instructions.push({ op: "fork", first, second });
    this.#instructions.push({ op: "set", set, exit }, { op: "jump", to: start });
    this.#instructions.push({ op: "mark", capture, isEnd: true });
  }

  /** An empty value. */
  #mark(capture: number): void {
    this.#instructions.push({ op: "mark", capture, isEnd: false });
    this.#instructions.push({ op: "mark", capture, isEnd: true });
  }

  #optional(body: () => void): void {
    const fork = this.#reserve();
    body();
    this.#fork(fork, this.#instructions.length);
  }

  #repeat(body: () => void): void {
    const fork = this.#reserve();
    body();
    this.#instructions.push({ op: "jump", to: fork });
    this.#fork(fork, this.#instructions.length);
  }

  #either(preferred: () => void, other: () => void): void {
    const fork = this.#reserve();
    preferred();
    const jump = this.#reserve();
    this.#fork(fork, this.#instructions.length);
    other();
    this.#instructions[jump] = { op: "jump", to: this.#instructions.length };
  }

  /** Takes the place of an instruction that is not known yet. */
  #reserve(): number {
    return this.#instructions.push({ op: "done" }) - 1;
  }

  #fork(place: number, second: number): void {
    this.#instructions[place] = { op: "fork", first: place + 1, second };
  }
}

/** Tokens that a value may consist of. A single value may also contain the separator of lists. */
function valueSet({ operator, variables }: Expression, variable: Variable): Uint8Array {
  const isSingle = variables.length === 1 && !variable.explode;
  return allTokensBut(operator.delimiters + (isSingle ? "" : operator.separator));
}
