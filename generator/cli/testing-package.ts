import type { Command, Context, Values } from "./command.js";
import { loadPart } from "./load-part.js";

/** The module `@mcp-codegen/testing/cli`, which implements the commands for tapes and conversations. */
interface TestingPackage {
  run(command: string, values: Values, context: Context): ReturnType<Command["run"]>;
}

// Declared as `string`, because the package is built after this one and its types do not exist yet.
const SPECIFIER: string = "@mcp-codegen/testing/cli";

export function runOfTesting(name: string): Command["run"] {
  return async (values, context) => {
    const part = await loadPart(
      () => import(SPECIFIER) as Promise<TestingPackage>,
      context.diagnostics,
    );
    return part?.run(name, values, context);
  };
}
