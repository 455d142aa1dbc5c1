/** A handler that runs again does not ask what it has asked before. */
export class DivergenceError extends Error {
  constructor(problem: string) {
    const advice =
      "ask the same each time, name questions (option key), wrap what can change in once()";
    super(`${problem}: ${advice}`);
  }
}
