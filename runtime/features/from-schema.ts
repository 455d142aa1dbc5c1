/**
 * Type of the values that fit a JSON Schema whose literal type is known, derived from the most common keywords;
 * `unknown` for other schemas.
 */
export type FromSchema<Schema> = Schema extends OnlyTyped
  ? OfType<Schema, Schema["type"]>
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends
          | { readonly enum: readonly (infer Value)[] }
          | { readonly oneOf: readonly { readonly const: infer Value }[] }
          | { readonly anyOf: readonly { readonly const: infer Value }[] }
      ? Value
      : Schema extends { readonly type: infer Type }
        ? OfType<Schema, Type>
        : unknown;

/** Type of the objects that fit a schema; `Any` if the compiler does not know the names of their properties. */
export type ObjectFromSchema<Schema, Any = Record<string, unknown>> = Schema extends {
  readonly properties: object;
}
  ? string extends keyof Schema["properties"]
    ? Any
    : keyof Schema["properties"] extends never
      ? Any
      : Named<Schema["properties"], RequiredBy<Schema>>
  : Any;

/** Type of a definition that is written as a literal: read-only, and optional members may be `undefined`. */
export type Literal<Type> = Type extends readonly (infer Item)[]
  ? readonly Literal<Item>[]
  : Type extends object
    ? object extends Type
      ? Type
      : {
          readonly [Name in keyof Type]: Literal<Type[Name]> | Absent<Type, Name>;
        }
    : Type;

type Absent<Type, Name extends keyof Type> = object extends Pick<Type, Name> ? undefined : never;

/**
 * Shape of most schemas. It is tested first, and without `infer`, because these types are evaluated for each property
 * of each tool.
 */
interface OnlyTyped {
  readonly type: unknown;
  readonly const?: never;
  readonly enum?: never;
  readonly oneOf?: never;
  readonly anyOf?: never;
}

type OfType<Schema, Type> = string extends Type
  ? unknown
  : Type extends keyof Simple
    ? Simple[Type]
    : Type extends "array"
      ? Items<Schema>
      : Type extends "object"
        ? ObjectFromSchema<Schema>
        : Type extends readonly (infer One)[]
          ? OfType<Schema, One>
          : unknown;

interface Simple {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type Items<Schema> = Schema extends { readonly items: unknown }
  ? FromSchema<Schema["items"]>[]
  : unknown[];

type RequiredBy<Schema> = Schema extends { readonly required: readonly string[] }
  ? string extends Schema["required"][number]
    ? never
    : Schema["required"][number]
  : never;

type Named<Properties, Required> = Flat<
  {
    -readonly [Name in keyof Properties & Required]: FromSchema<Properties[Name]>;
  } & {
    -readonly [Name in Exclude<keyof Properties, Required>]?: FromSchema<Properties[Name]>;
  }
>;

/** Type with the members of an intersection as one object type. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] };
