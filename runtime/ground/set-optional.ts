/**
 * A type some of whose members may be left out, because the engine fills them in. Unlike with `Omit`, a type with
 * members of any name keeps those that it names.
 */
export type SetOptional<Type, Names> = Type extends unknown
  ? Flat<
      { [Name in keyof Type as Name extends Names ? never : Name]: Type[Name] } & {
        [Name in keyof Type as Name extends Names ? Name : never]?: Type[Name];
      }
    >
  : never;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };
