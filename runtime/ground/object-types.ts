/**
 * A type without its index signature. Among the results that a handler can return, the compiler would otherwise match one
 * with an index signature instead of the one that the author meant, and report errors about the wrong one.
 */
export type MembersOf<Type> = {
  [
    Name in keyof Type as string extends Name ? never : number extends Name ? never : Name
  ]: Type[Name];
};

/**
 * A type with some members made optional, because the engine adds them. Unlike with `Omit`, a type with an index
 * signature keeps the members that it names.
 */
export type SetOptional<Type, Names> = Type extends unknown
  ? Flat<
      { [Name in keyof Type as Name extends Names ? never : Name]: Type[Name] } & {
        [Name in keyof Type as Name extends Names ? Name : never]?: Type[Name];
      }
    >
  : never;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };
