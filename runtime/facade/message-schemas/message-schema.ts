import type { StandardSchemaV1 } from "@standard-schema/spec";
import { explain, type Shapes, type Trace, type Validator, validator } from "../../wire/index.js";
import { ValueError, valueIssues } from "./value-error.js";

/** Outcome of {@link Schema.safeParse}. */
export type ParseOutcome<Output> =
  | { readonly success: true; readonly data: Output; readonly error?: undefined }
  | { readonly success: false; readonly error: ValueError; readonly data?: undefined };

/**
 * Schema of a type that messages of every revision fit, as a constant to validate with. Members that the type does not
 * name survive, and nothing is changed: what comes out is what went in.
 */
export interface Schema<Output = unknown> extends StandardSchemaV1<Output> {
  readonly "~standard": Omit<StandardSchemaV1.Props<Output>, "validate"> & {
    readonly validate: (value: unknown) => StandardSchemaV1.Result<Output>;
  };
  /** @throws ValueError when the value is not of the type */
  parse(value: unknown): Output;
  safeParse(value: unknown): ParseOutcome<Output>;
  /** @throws ValueError when the value is not of the type */
  parseAsync(value: unknown): Promise<Output>;
  safeParseAsync(value: unknown): Promise<ParseOutcome<Output>>;
  /** Type only: not there at run time. `z.infer` of zod 3 reads it. */
  readonly _output: Output;
  /** Type only: not there at run time. */
  readonly _input: Output;
  /** Type only: not there at run time. `z.infer` of zod 4 reads it. */
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
 * Makes the schema of a validator.
 * @param prepare - makes what is validated, and what comes out, of what goes in
 */
export function schema<Output>(
  test: Validator<Output>,
  prepare?: (value: unknown) => unknown,
): Schema<Output> {
  return new ValidatorSchema(test, undefined, prepare) as unknown as Schema<Output>;
}

/** Makes the schema of a type that is described, and has no generated test. */
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

/** Makes the schema of a message from its validator. */
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
