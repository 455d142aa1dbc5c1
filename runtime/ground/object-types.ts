/**
 * A type without its index signature. Handlers can return several types of results. If one of them had an index
 * signature, the compiler would match it instead of the type that the author meant, and report errors about the wrong
 * one.
 */
export type MembersOf<Type> = {
  [
    Name in keyof Type as string extends Name ? never : number extends Name ? never : Name
  ]: Type[Name];
};

/**
 * A type with some properties made optional, because the engine adds them. Unlike with `Omit`, the named properties of
 * a type with an index signature are kept.
 */
export type SetOptional<Type, Names> = Type extends unknown
  ? Flat<
      { [Name in keyof Type as Name extends Names ? never : Name]: Type[Name] } & {
        [Name in keyof Type as Name extends Names ? Name : never]?: Type[Name];
      }
    >
  : never;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };
