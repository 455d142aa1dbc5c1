/** A schema that cannot be used: the message says where and why. */
export class SchemaError extends TypeError {
  override readonly name: string = "SchemaError";
  /** JSON Pointer into the schema; empty for the schema as a whole. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path === "" ? "The schema" : `The schema at ${path}`}: ${problem}`);
    this.path = path;
  }
}
