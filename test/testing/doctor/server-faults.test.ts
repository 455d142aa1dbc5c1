import { join } from "node:path";
import { revisions } from "@mcp-codegen/universal/revisions";
import { examineServer } from "@mcp-codegen/testing/doctor";
import { describe, expect, it } from "vitest";

const file = join(import.meta.dirname, "servers/faulty.mjs");
const [newest] = revisions.filter(({ traits }) => traits.lifecycle === "initialize");

/** Findings at one revision: severity, id and place of each. */
async function findingsOf(fault: string): Promise<readonly string[]> {
  const { findings } = await examineServer(
    { command: [process.execPath, file, fault] },
    {
      revisions: [newest!],
      calls: [{ tool: "echo", arguments: { text: "hello" } }],
      timeout: 5_000,
    },
  );
  return findings.map(({ id, pointer }) => `${id} ${pointer}`.trim());
}

/** Findings by the name of a fault. */
const faults: Readonly<Record<string, string>> = {
  "hint-text": "result-shape /result/tools/0/annotations/readOnlyHint",
  "no-input-schema": "result-shape /result/tools/0/inputSchema",
  "schema-of-array": "result-shape /result/tools/0/inputSchema/type",
  "icon-number": "result-shape /result/tools/0/icons/0/src",
  "two-of-a-name": "name-repeated /result/tools/1/name",
  "schema-nomber": "schema-invalid /result/tools/0/inputSchema/properties/n/type",
  "ref-to-nowhere": "schema-invalid /result/tools/0/inputSchema/properties/n/$ref",
  "no-content": "result-shape /result/content",
  "unknown-content": "result-shape /result/content/0/type",
  "image-not-base64": "content-format /result/content/0/data",
  "no-structured-content": "structured-missing /result/structuredContent",
  "wrong-structured-content": "structured-invalid /result/structuredContent/n",
  "progress-without-token": "params-shape /params/progressToken",
  "progress-foreign-token": "progress-unknown /params/progressToken",
  "progress-down": "progress-order /params/progress",
  "params-number": "params-shape /params",
  "answered-twice": "response-repeated /id",
  "id-as-text": "response-id-type /id",
  "stdout-line": "output-text",
  "undeclared-tools": "capability-unlisted",
  "version-2099": "version-unknown /result/protocolVersion",
  "info-without-version": "result-shape /result/serverInfo/version",
  "tools-object": "result-shape /result/tools",
  "cursor-for-ever": "cursor-repeated /result/nextCursor",
  "error-code-text": "error-shape /error/code",
};

describe.concurrent("doctor of servers", () => {
  it("finds nothing in a server without a fault", async () => {
    expect(await findingsOf("none")).toEqual([]);
  });

  it.each(Object.entries(faults))("finds %s, and nothing else", async (fault, finding) => {
    expect(await findingsOf(fault)).toEqual([finding]);
  });
});
