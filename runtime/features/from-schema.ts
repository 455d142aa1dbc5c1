/**
 * The type of the values that match a JSON Schema whose literal type is known, derived from the most common keywords.
 * It is `unknown` for other schemas.
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
 * The type of the objects that match a schema, or `Any` if the compiler does not know the names of their properties.
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

/** The type of a definition written as a literal: it is read-only, and optional properties may be `undefined`. */
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
 * The shape of most schemas. It is tested first and without `infer`, because these types are evaluated for every
 * property of every tool.
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

/** Merges the properties of an intersection into one object type. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] };
