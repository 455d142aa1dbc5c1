import type { SchemaCheck } from "../features/index.js";
import { type Issue, reject } from "../wire/index.js";
import { type SchemaLimits, token } from "./read/index.js";

const MAX_ISSUES = 50;

/** The maximum length of a name in a path, in UTF-16 units. Longer names are truncated. */
const MAX_NAME = 100;

/**
 * The maximum depth of arrays and objects in a check. It is limited because each level takes several calls on the
 * stack.
 */
const MAX_LEVELS = 256;

/** The number of steps between two readings of the clock. */
const STEPS_PER_LOOK = 256;

/**
 * The numbers assigned to values, which are equal for equal values. Arrays and objects are compared by a string built
 * from the numbers of their parts.
 */
export interface Equality {
  readonly numbers: Map<unknown, number>;
  readonly texts: Map<string, number>;
}

class Stopped extends Error {
  readonly expected: string;

  constructor(expected: string) {
    super(expected);
    this.expected = expected;
  }
}

/**
 * Applies a schema to one value after another. Each compiled check reuses a single object of this class: most values
 * are so small that creating one would take longer than checking them.
 */
export class Run {
  /** The issues by place and text; undefined if the first failure ends the check. */
  issues: Map<string, Issue> | undefined;
  readonly #limits: SchemaLimits;
  /** The place in the value; undefined until issues are collected. */
  #path: (string | number)[] | undefined;
  #depth = 0;
  /** The steps that are left until the limits are checked again. */
  stepsLeft = 0;
  #workLeft = 0;
  /** The value of `stepsLeft` after the limits were last checked. */
  #granted = 0;
  #deadline: number | undefined;
  #equality: Equality | undefined;

  constructor(limits: SchemaLimits) {
    this.#limits = limits;
  }

  begin(): void {
    const { work } = this.#limits;
    this.#depth = 0;
    this.#workLeft = work;
    this.#granted = this.stepsLeft = Math.min(STEPS_PER_LOOK, work + 1);
  }

  end(): void {
    this.issues = undefined;
    this.#path = undefined;
    this.#deadline = undefined;
    this.#equality = undefined;
  }

  get equality(): Equality {
    return (this.#equality ??= { numbers: new Map(), texts: new Map() });
  }

  /** Starts over in order to collect issues. The deadline stays the same. */
  collect(): Map<string, Issue> {
    this.begin();
    this.#path = [];
    return (this.issues = new Map());
  }

  spend(steps = 1): void {
    if ((this.stepsLeft -= steps) <= 0) this.look();
  }

  /** Checks the limits once no steps are left. */
  look(): void {
    this.#workLeft -= this.#granted - this.stepsLeft;
    if (this.#workLeft < 0) throw new Stopped(EFFORT);
    this.#granted = this.stepsLeft = Math.min(STEPS_PER_LOOK, this.#workLeft + 1);
    const now = performance.now();
    this.#deadline ??= now + this.#limits.time;
    if (now > this.#deadline) throw new Stopped(EFFORT);
  }

  inside<T>(name: string | number, check: (value: T, run: this) => boolean, value: T): boolean {
    this.#path?.push(name);
    if ((this.#depth += 1) >= MAX_LEVELS) {
      throw new Stopped(`at most ${MAX_LEVELS} levels of arrays and objects`);
    }
    const fits = check(value, this);
    this.#depth -= 1;
    this.#path?.pop();
    return fits;
  }

  /** Runs a check whose failure does not make the value invalid. */
  quietly(check: () => boolean): boolean {
    const { issues } = this;
    this.issues = undefined;
    const fits = check();
    this.issues = issues;
    return fits;
  }

  refuse(expected: () => string, value: unknown): false {
    const { issues } = this;
    if (issues === undefined) return false;
    const path = this.#path!.map((name) => token(shortened(name))).join("");
    for (const issue of issueOf(expected(), value)) {
      issues.set(`${path} ${issue.expected}`, { ...issue, path });
    }
    if (issues.size >= MAX_ISSUES) throw new Stopped("fewer issues");
    return false;
  }
}

const EFFORT = "a value that can be checked with reasonable effort";

/** Creates a check. If a value does not fit, it is checked a second time to find all issues. */
export function limitedCheck(
  check: (value: unknown, run: Run) => boolean,
  limits: SchemaLimits,
): SchemaCheck {
  const run = new Run(limits);
  return (value) => {
    run.begin();
    try {
      return check(value, run) ? undefined : allIssues(check, value, run);
    } catch (error) {
      return issueOf(error instanceof Stopped ? error.expected : EFFORT, value);
    } finally {
      run.end();
    }
  };
}

function allIssues(
  check: (value: unknown, run: Run) => boolean,
  value: unknown,
  run: Run,
): readonly Issue[] {
  const issues = run.collect();
  try {
    check(value, run);
  } catch (error) {
    if (issues.size === 0)
      return issueOf(error instanceof Stopped ? error.expected : EFFORT, value);
  }
  return issues.size > 0 ? [...issues.values()] : issueOf("a value that fits the schema", value);
}

function issueOf(expected: string, value: unknown): Issue[] {
  const issues: Issue[] = [];
  reject(issues, expected, value);
  return issues;
}

function shortened(name: string | number): string | number {
  const isLong = typeof name === "string" && name.length > MAX_NAME;
  return isLong ? `${name.slice(0, MAX_NAME)}…` : name;
}
