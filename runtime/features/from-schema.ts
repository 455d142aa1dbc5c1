/**
 * The type of the values that fit a JSON Schema which the compiler knows literally, by its usual
 * keywords; `unknown` for other schemas.
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

/**
 * Object type that a schema describes; `Any` if the compiler does not know the names of its
 * properties.
 */
export type ObjectFromSchema<Schema, Any = Record<string, unknown>> = Schema extends {
  readonly properties: object;
}
  ? string extends keyof Schema["properties"]
    ? Any
    : keyof Schema["properties"] extends never
      ? Any
      : Named<Schema["properties"], RequiredBy<Schema>>
  : Any;

/**
 * Definition as it can be written as a literal: read-only, and with `undefined` for optional
 * members.
 */
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
 * Matches most schemas. It is tested first, and without `infer`, because all of this is evaluated
 * for each property of each tool.
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

/** Merges an intersection into one object type. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] };
