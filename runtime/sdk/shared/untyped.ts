/** Function that a program brings, whose parameters were checked by an overload. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Callback = (...args: any[]) => any;

/** An object whose methods take any parameters. */
export type Untyped<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: never[]) => unknown ? Callback : T[Name];
};

/** The object below a class with the types of the SDK, which are equal in shape but declared apart from its own. */
export function untyped<T>(below: T): Untyped<T> {
  return below as Untyped<T>;
}
