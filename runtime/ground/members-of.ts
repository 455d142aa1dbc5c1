/**
 * A type with its own members only, without those of any name. Among the results that a handler can give, the compiler
 * would take one with such members for the one that was meant, and blame it for what is wrong with another.
 */
export type MembersOf<Type> = {
  [
    Name in keyof Type as string extends Name ? never : number extends Name ? never : Name
  ]: Type[Name];
};
