const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Words that cannot be declared as a function or variable in a module. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval " +
    "export extends false finally for function if implements import in instanceof interface let new " +
    "null package private protected public return static super switch this throw true try typeof " +
    "undefined var void while with yield"
  ).split(" "),
);

/** True if a module can declare the name, both as a type and as a value. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && !RESERVED.has(name);
}
