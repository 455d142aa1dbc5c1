import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  explain,
  type Issue,
  type Shapes,
  type Trace,
  type Validator,
  validator,
} from "../../wire/index.js";

/** Outcome of {@link Schema.safeParse}. */
export type ParseOutcome<Output> =
  | { readonly success: true; readonly data: Output; readonly error?: undefined }
  | { readonly success: false; readonly error: ValueError; readonly data?: undefined };

/**
 * Schema of a type that messages of every revision fit, as a constant to validate with. Unknown members
 * are kept, and the value is returned unchanged.
 */
export interface Schema<Output = unknown> extends StandardSchemaV1<Output> {
  readonly "~standard": Omit<StandardSchemaV1.Props<Output>, "validate"> & {
    readonly validate: (value: unknown) => StandardSchemaV1.Result<Output>;
  };
  /** @throws ValueError if the value violates the type */
  parse(value: unknown): Output;
  safeParse(value: unknown): ParseOutcome<Output>;
  /** @throws ValueError if the value violates the type */
  parseAsync(value: unknown): Promise<Output>;
  safeParseAsync(value: unknown): Promise<ParseOutcome<Output>>;
  /** Only a type, absent at run time. `z.infer` of zod 3 reads it. */
  readonly _output: Output;
  /** Only a type, absent at run time. */
  readonly _input: Output;
  /** Only a type, absent at run time. `z.infer` of zod 4 reads it. */
  readonly _zod: { readonly output: Output; readonly input: Output };
}

/** Schema of a request or notification, which names its method. */
export interface MessageSchema<
  Output = unknown,
  Method extends string = string,
> extends Schema<Output> {
  readonly method: Method;
}

/**
 * The schema of a validator.
 * @param prepare - converts a value before it is validated and returned
 */
export function schema<Output>(
  test: Validator<Output>,
  prepare?: (value: unknown) => unknown,
): Schema<Output> {
  return new ValidatorSchema(test, undefined, prepare) as unknown as Schema<Output>;
}

/** The schema of a type that is described, without a generated validator. */
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

/** The schema of a message, from its validator. */
export function messageSchema<Output, Method extends string>(
  test: Validator<Output>,
  method: Method,
): MessageSchema<Output, Method> {
  return new ValidatorSchema(test, method) as unknown as MessageSchema<Output, Method>;
}

class ValidatorSchema<Output> {
  readonly #validator: Validator<Output>;
  readonly #prepare: ((value: unknown) => unknown) | undefined;
  readonly method?: string;

  constructor(test: Validator<Output>, method?: string, prepare?: (value: unknown) => unknown) {
    this.#validator = test;
    this.#prepare = prepare;
    if (method !== undefined) this.method = method;
  }

  get "~standard"(): StandardSchemaV1.Props<Output> {
    return {
      version: 1,
      vendor: "mcp-codegen",
      validate: (value) => {
        const outcome = this.safeParse(value);
        return outcome.success ? { value: outcome.data } : { issues: outcome.error.issues };
      },
    };
  }

  parse(value: unknown): Output {
    const outcome = this.safeParse(value);
    if (!outcome.success) throw outcome.error;
    return outcome.data;
  }

  safeParse(given: unknown): ParseOutcome<Output> {
    const value = this.#prepare ? this.#prepare(given) : given;
    const validate: Validator<Output> = this.#validator;
    if (validate(value)) return { success: true, data: value };
    const trace: Trace = [];
    validate(value, trace);
    return { success: false, error: new ValueError(valueIssues(trace, value)) };
  }

  async parseAsync(value: unknown): Promise<Output> {
    return this.parse(value);
  }

  async safeParseAsync(value: unknown): Promise<ParseOutcome<Output>> {
    return this.safeParse(value);
  }
}

/** A part of a value that violates its type. */
export interface ValueIssue {
  readonly code: "invalid_type";
  /** Names of members and indexes of elements on the way to it. */
  readonly path: (string | number)[];
  readonly message: string;
  /** Type that it must have. */
  readonly expected: string;
  /** JSON type of the value, or the value itself if it is short. */
  readonly received: string;
}

/** A value violates its type. The message lists the parts that do. */
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

/** Issues with their paths as lists; elements of arrays are numbers, as in the schema libraries. */
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
  const names = pointer.split("/").slice(1);
  return names.map((token) => {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const step = Array.isArray(place) ? Number(name) : name;
    place = (place as Record<string, unknown> | undefined)?.[name];
    return step;
  });
}
