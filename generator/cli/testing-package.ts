import type { Command, Context, Values } from "./command.js";
import { loadPart } from "./load-part.js";

/** `@mcp-codegen/testing/cli`, which implements the commands about tapes and conversations. */
interface TestingPackage {
  run(command: string, values: Values, context: Context): ReturnType<Command["run"]>;
}

// Not a literal, because the package is built after this one.
const SPECIFIER: string = "@mcp-codegen/testing/cli";

/** Implementation of a command, in `@mcp-codegen/testing`. */
export function runOfTesting(name: string): Command["run"] {
  return async (values, context) => {
    const part = await loadPart(
      () => import(SPECIFIER) as Promise<TestingPackage>,
      context.diagnostics,
    );
    return part?.run(name, values, context);
  };
}
