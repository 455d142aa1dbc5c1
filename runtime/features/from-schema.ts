/**
 * The type of the values that fit a JSON Schema which the compiler knows literally, as far as the usual keywords say;
 * `unknown` for all else.
 */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends
        | { readonly enum: readonly (infer Value)[] }
        | { readonly oneOf: readonly { readonly const: infer Value }[] }
        | { readonly anyOf: readonly { readonly const: infer Value }[] }
    ? Value
    : Schema extends { readonly type: readonly (infer Type)[] }
      ? OfType<Schema, Type>
      : Schema extends { readonly type: infer Type }
        ? OfType<Schema, Type>
        : unknown;

/** What is known of an object; any, when the compiler does not know the names of its properties. */
export type ObjectFromSchema<Schema, Any = Record<string, unknown>> = Schema extends {
  readonly properties: infer Properties;
}
  ? string extends keyof Properties
    ? Any
    : keyof Properties extends never
      ? Any
      : Named<Properties, RequiredBy<Schema>>
  : Any;

/** A definition as it can be written down: read-only, and `undefined` where it may be absent. */
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

type OfType<Schema, Type> = string extends Type
  ? unknown
  : Type extends "string"
    ? string
    : Type extends "number" | "integer"
      ? number
      : Type extends "boolean"
        ? boolean
        : Type extends "null"
          ? null
          : Type extends "array"
            ? Items<Schema>
            : Type extends "object"
              ? ObjectFromSchema<Schema>
              : unknown;

type Items<Schema> = Schema extends { readonly items: infer Item } ? FromSchema<Item>[] : unknown[];

type RequiredBy<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never;

type Named<Properties, Required> = Flat<
  {
    -readonly [Name in keyof Properties as Name extends Required ? Name : never]: FromSchema<
      Properties[Name]
    >;
  } & {
    -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: FromSchema<
      Properties[Name]
    >;
  }
>;

/** One object type in place of several. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] };
