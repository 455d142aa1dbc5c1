import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../../../support/pack.js";

const ENTRY = "virtual:entry";

/** Bundles a client and this transport for the web, and fails if they use anything that the web lacks. */
export async function bundle(source: string, format: "iife" | "esm"): Promise<string> {
  const warnings: string[] = [];
  const built = await rolldown({
    input: ENTRY,
    platform: "browser",
    resolve: {
      alias: {
        ...Object.fromEntries(
          ["session-client", "session-server", "stateless-client", "stateless-server"].map(
            (name) => [
              `@mcp-codegen/runtime/codegen/${name}`,
              join(root, `runtime/codegen/${name}.ts`),
            ],
          ),
        ),
        "@mcp-codegen/runtime/codegen": join(root, "runtime/codegen.ts"),
      },
      extensionAlias: { ".js": [".ts", ".js"] },
    },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? join(root, "entry.js") : null),
        load: (id) => (id === join(root, "entry.js") ? source : null),
      },
    ],
    onLog: (_, { message }) => void warnings.push(message),
  });
  const { output } = await built.generate({ format, codeSplitting: false, name: "bundled" });
  await built.close();
  if (warnings.length > 0) throw new Error(warnings.join("\n"));
  return output[0].code;
}
