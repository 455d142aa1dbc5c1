import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  explain,
  explainPart,
  type Issue,
  pointerNames,
  type Shapes,
  type Trace,
  type Validator,
  validator,
} from "@mcp-codegen/runtime/codegen";
import {
  alternatives,
  jsonSchemaOf,
  memberParts,
  onlyValue,
  type Part,
  partOf,
} from "./described-parts.js";

export type ParseOutcome<Output> =
  | { readonly success: true; readonly data: Output; readonly error?: undefined }
  | { readonly success: false; readonly error: ValueError; readonly data?: undefined };

/**
 * A schema that accepts messages of every revision, for programs that validate values. Unknown members are kept, and
 * the value is returned unchanged.
 */
export interface Schema<Output = unknown> extends StandardSchemaV1<Output> {
  readonly "~standard": Omit<StandardSchemaV1.Props<Output>, "validate"> & {
    readonly validate: (value: unknown) => StandardSchemaV1.Result<Output>;
  };
  /**
   * Returns the value.
   * @throws ValueError if the value violates the type
   */
  parse(value: unknown): Output;
  safeParse(value: unknown): ParseOutcome<Output>;
  /**
   * Returns the value.
   * @throws ValueError if the value violates the type
   */
  parseAsync(value: unknown): Promise<Output>;
  safeParseAsync(value: unknown): Promise<ParseOutcome<Output>>;
  /** Maps the names of an object's members to their schemas; undefined for other types. */
  readonly shape: ShapeOf<Output>;
  /** The values of a union of literals, or the schemas of another union's alternatives. Undefined for other types. */
  readonly options: readonly Output[];
  /** The only value of a literal type; undefined for other types. */
  readonly value: Output;
  /** The string that was passed to `describe`. */
  readonly description?: string | undefined;
  /** Returns a schema that also accepts undefined. */
  optional(): Schema<Output | undefined>;
  /** Returns a schema that also accepts null. */
  nullable(): Schema<Output | null>;
  /** Returns the same schema with a description. */
  describe(text: string): this;
  /** Returns an object schema with additional members, whose schemas may come from any library. */
  extend<More extends Members>(members: More): Schema<Extended<Output, More>>;
  /** The output type, which `z.infer` of zod 3 reads. It has no value at run time. */
  readonly _output: Output;
  /** The input type. It has no value at run time. */
  readonly _input: Output;
  /** Lets zod 4 schemas contain this one; `z.infer` reads its types. */
  readonly _zod: { readonly output: Output; readonly input: Output };
}

type ShapeOf<Output> = [Output] extends [object]
  ? { readonly [Name in keyof Output]-?: Schema<Output[Name]> }
  : unknown;

/** A schema for a request or notification, with the method as an additional property. */
export interface MessageSchema<
  Output = unknown,
  Method extends string = string,
> extends Schema<Output> {
  readonly method: Method;
}

/**
 * Creates a schema from a validator.
 * @param prepare - converts a value before it is validated and returned
 */
export function schema<Output>(
  test: Validator<Output>,
  prepare?: (value: unknown) => unknown,
): Schema<Output> {
  return schemaOf<Output>(checkOf(test, prepare), () => partOf(test));
}

export function describedSchema<Output>(
  shapes: Shapes,
  name: string,
  prepare?: (value: unknown) => unknown,
): Schema<Output> {
  return schema(
    validator<Output>(shapes, name, (value) => explain(shapes, name, value, [])),
    prepare,
  );
}

export function messageSchema<Output, Method extends string>(
  test: Validator<Output>,
  method: Method,
): MessageSchema<Output, Method> {
  const made = schemaOf<Output>(checkOf(test), () => partOf(test));
  return Object.assign(made, { method }) as MessageSchema<Output, Method>;
}

type Check<Output> = (value: unknown) => ParseOutcome<Output>;

function checkOf<Output>(
  validate: Validator<Output>,
  prepare?: (value: unknown) => unknown,
): Check<Output> {
  return (given) => {
    const value = prepare ? prepare(given) : given;
    if (validate(value)) return { success: true, data: value };
    const trace: Trace = [];
    validate(value, trace);
    return { success: false, error: new ValueError(valueIssues(trace, value)) };
  };
}

function schemaOf<Output>(check: Check<Output>, part: () => Part | undefined): Schema<Output> {
  return new DescribedSchema(check, part) as unknown as Schema<Output>;
}

/** A schema that calls a check. Its parts are read from the type's description when they are first used. */
class DescribedSchema<Output> {
  readonly description?: string;
  readonly #check: Check<Output>;
  readonly #part: () => Part | undefined;
  readonly #members: Members | undefined;

  constructor(check: Check<Output>, part: () => Part | undefined, members?: Members) {
    this.#check = check;
    this.#part = part;
    this.#members = members;
  }

  get "~standard"(): StandardSchemaV1.Props<Output> & {
    readonly jsonSchema: { readonly input: () => object; readonly output: () => object };
  } {
    const json = (): object => {
      const part = this.#part();
      return part ? jsonSchemaOf(part) : {};
    };
    return {
      version: 1,
      vendor: "mcp-codegen",
      validate: (value) => {
        const outcome = this.#check(value);
        return outcome.success ? { value: outcome.data } : { issues: outcome.error.issues };
      },
      jsonSchema: { input: json, output: json },
    };
  }

  /** The part of zod 4's internal interface that zod schemas need in order to contain this one. */
  get _zod(): object {
    const presence = this.#check(undefined).success ? ("optional" as const) : undefined;
    return {
      traits: new Set(["$ZodType"]),
      def: { type: "unknown" },
      bag: {},
      optin: presence,
      optout: presence,
      run: (payload: { value: unknown; issues: object[] }) => {
        const outcome = this.#check(payload.value);
        if (outcome.success) payload.value = outcome.data;
        else payload.issues.push(...outcome.error.issues.map((issue) => ofZod(issue, payload)));
        return payload;
      },
      toJSONSchema: () => this["~standard"].jsonSchema.input(),
    };
  }

  get shape(): Members | undefined {
    const part = this.#part();
    const members = part && memberParts(part);
    if (members === undefined) return this.#members;
    const own = [...members].map(([name, one]) => [name, ofPart(one)]);
    return { ...Object.fromEntries(own), ...this.#members };
  }

  get options(): readonly unknown[] | undefined {
    const part = this.#part();
    const arms = part && alternatives(part);
    if (arms === undefined) return undefined;
    const values = arms.flatMap(onlyValue);
    return values.length === arms.length ? values : arms.map((arm) => ofPart(arm));
  }

  get value(): unknown {
    const part = this.#part();
    return part && onlyValue(part)[0];
  }

  parse(value: unknown): Output {
    const outcome = this.#check(value);
    if (!outcome.success) throw outcome.error;
    return outcome.data;
  }

  safeParse(value: unknown): ParseOutcome<Output> {
    return this.#check(value);
  }

  async parseAsync(value: unknown): Promise<Output> {
    return this.parse(value);
  }

  async safeParseAsync(value: unknown): Promise<ParseOutcome<Output>> {
    return this.#check(value);
  }

  optional(): Schema<Output | undefined> {
    return this.#orElse(undefined);
  }

  nullable(): Schema<Output | null> {
    return this.#orElse(null);
  }

  describe(description: string): this {
    const { method } = this as { readonly method?: string };
    const same = new DescribedSchema(this.#check, this.#part, this.#members);
    return Object.assign(same, { description, ...(method !== undefined && { method }) }) as this;
  }

  extend(members: Members): Schema {
    const check: Check<unknown> = (value) => extended(this.#check(value), value, members);
    const all = { ...this.#members, ...members };
    return new DescribedSchema(check, this.#part, all) as unknown as Schema;
  }

  #orElse<Other>(other: Other): Schema<Output | Other> {
    const check: Check<Output | Other> = (value) =>
      value === other ? { success: true, data: other } : this.#check(value);
    return schemaOf(check, this.#part);
  }
}

function ofZod({ path, message }: ValueIssue, { value }: { readonly value: unknown }): object {
  return { code: "custom", path: [...path], message, input: value };
}

export type Members = Readonly<Record<string, StandardSchemaV1>>;

export type Extended<Output, More extends Members> = Omit<Output, keyof More> & {
  -readonly [Name in keyof More]: StandardSchemaV1.InferOutput<More[Name]>;
};

function extended(
  outcome: ParseOutcome<unknown>,
  value: unknown,
  members: Members,
): ParseOutcome<unknown> {
  const own = outcome.success ? [] : outcome.error.issues;
  const issues = own.filter(({ path: [name = ""] }) => !Object.hasOwn(members, name));
  const data: Record<string, unknown> = { ...((outcome.success ? outcome.data : value) as object) };
  for (const [name, member] of Object.entries(members)) {
    const result = member["~standard"].validate(data[name]);
    if ("then" in result) throw new TypeError(`The schema of ${name} is asynchronous`);
    if (result.issues) issues.push(...result.issues.map((issue) => memberIssue(name, issue)));
    else if (result.value !== undefined) data[name] = result.value;
  }
  return issues.length > 0
    ? { success: false, error: new ValueError(issues) }
    : { success: true, data };
}

function memberIssue(name: string, { message, path = [] }: StandardSchemaV1.Issue): ValueIssue {
  const inner = path.map((one) => (typeof one === "object" ? one.key : one) as string | number);
  const text = "another value";
  return { code: "invalid_type", path: [name, ...inner], message, expected: text, received: text };
}

function ofPart(part: Part & { readonly optional?: boolean }): Schema {
  const test = ((value: unknown, trace: Trace = []) =>
    (part.optional === true && value === undefined) ||
    explainPart(part, value, trace)) as Validator;
  return schemaOf(checkOf(test), () => part);
}

/** A part of a value that violates its type. */
export interface ValueIssue {
  readonly code: "invalid_type";
  /** The member names and element indexes that lead to the part. */
  readonly path: (string | number)[];
  readonly message: string;
  /** The type that the part should have. */
  readonly expected: string;
  /** The JSON type of the part, or the part itself if it is short. */
  readonly received: string;
}

/** The error for a value that violates its type. The message lists the parts that do so. */
export class ValueError extends Error {
  override readonly name: string = "ValueError";
  readonly issues: readonly ValueIssue[];

  constructor(issues: readonly ValueIssue[]) {
    super(issues.map(line).join("\n"));
    this.issues = issues;
  }
}

function line({ path, message }: ValueIssue): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

function valueIssues(issues: readonly Issue[], value: unknown): ValueIssue[] {
  return issues.map(({ path, expected, received }) => ({
    code: "invalid_type",
    path: steps(path, value),
    message: `Invalid input: expected ${expected}, received ${received}`,
    expected,
    received,
  }));
}

function steps(pointer: string, value: unknown): (string | number)[] {
  let place = value;
  return pointerNames(pointer).map((name) => {
    const step = Array.isArray(place) ? Number(name) : name;
    place = (place as Record<string, unknown> | undefined)?.[name];
    return step;
  });
}
