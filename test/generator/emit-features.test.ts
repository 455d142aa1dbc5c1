import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { emit } from "../../generator/emit/emit.js";
import { emitFeatures } from "../../generator/emit/features.js";
import { format } from "../../generator/format/format.js";
import { plan } from "../../generator/plan/plan.js";
import { FEATURE_NAMES } from "../../generator/plan/features.js";
import { RUNTIME } from "../../generator/plan/runtime-imports.js";
import * as runtime from "../../runtime/features/index.js";
import { bundled, protocolOf as bundledProtocol } from "./bundled-protocols.js";
import { planOf, protocolOf, schemaWith } from "./schema.js";

const options = { file: "schema.ts", version: "0.1.0", runtime: RUNTIME };

const tools = (tool: string): string =>
  schemaWith({
    declarations: `
      export interface Tool { ${tool} }
      export interface ListToolsRequest extends Request { method: "tools/list" }
      export interface ListToolsResult extends Result { tools: Tool[] }
      /** @deprecated Use your hands. */
      export interface CallToolRequest extends Request { method: "tools/call"; params: { name: string } }
      export interface CallToolResult extends Result { done: boolean }`,
    clientRequests: ["ListToolsRequest", "CallToolRequest"],
    serverResults: ["ListToolsResult", "CallToolResult"],
  });

describe("features.ts", () => {
  it.each(bundled)("binds the features whose messages the revision has: %s", (revision) => {
    const { features } = plan(bundledProtocol(revision), options, new Diagnostics());
    const names = features!.classes.map(({ name }) => name);
    const hasElicitation = revision >= "2025-06-18";
    const expected = FEATURE_NAMES.filter((name) => name !== "Elicitation" || hasElicitation);
    expect(names).toEqual(expected);
  });

  it.each(bundled)("re-exports their companions if they have an effect: %s", (revision) => {
    const { extras } = plan(bundledProtocol(revision), options, new Diagnostics()).features!;
    const always = ["Cursors", "ToolError", "UriTemplate", "UserRejectedError", "resourceNotFound"];
    const withIds = ["UrlElicitationRequiredError", "completeElicitation", "urlElicitationsOf"];
    expect(extras).toEqual(
      [
        ...always,
        ...(revision >= "2025-06-18" ? ["elicitForm"] : []),
        ...(revision >= "2025-11-25" ? ["elicitUrl"] : []),
        ...(revision === "2025-11-25" ? withIds : []),
      ].toSorted(),
    );
  });

  it("binds and re-exports what the runtime exports", () => {
    const { extras } = plan(bundledProtocol("2025-11-25"), options, new Diagnostics()).features!;
    expect(Object.keys(runtime)).toEqual(expect.arrayContaining([...FEATURE_NAMES, ...extras]));
  });

  it("re-exports the types and the context of the revision", async () => {
    const files = emitFeatures(planOf(tools("name: string; inputSchema: { type: 'object' }")));
    const [file] = await format(files);
    expect(file!.text.split("\n").slice(3).join("\n")).toBe(
      `import * as features from "@mcp-codegen/runtime/features";
import type { ServerContext } from "./server.js";
import type * as types from "./types.js";

export { Cursors, ToolError } from "@mcp-codegen/runtime/features";

/** The runtime's \`Tools\` for this revision; for the option \`features\` of \`Server\`. */
export class Tools extends features.Tools<types.Tool, types.CallToolResult, ServerContext> {}
`,
    );
  });

  it.each(["name: string", "name?: string; inputSchema: object", "inputSchema: object"])(
    "omits a feature with types of another shape: { %s }",
    (members) => {
      expect(planOf(tools(members)).features).toBeUndefined();
    },
  );

  it("is omitted without a feature or with another runtime", () => {
    for (const made of [
      planOf(schemaWith({ declarations: "" })),
      plan(
        protocolOf(tools("name: string; inputSchema: object")),
        { ...options, runtime: "my-runtime" },
        new Diagnostics(),
      ),
    ]) {
      const files = emit(made);
      expect(files.map(({ path }) => path)).not.toContain("features.ts");
      const manifest = files.find(({ path }) => path === "package.json")!;
      expect(JSON.parse(manifest.text).exports).not.toHaveProperty("./features");
      expect(files.find(({ path }) => path === "README.md")!.text).not.toContain("/features");
    }
  });
});
