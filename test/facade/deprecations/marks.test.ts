import { readFileSync } from "node:fs";
import { join } from "node:path";
import { revisions } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { root } from "../../support/pack.js";

/** The members of the public API through which a method of the newest revision is used, by file. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "sampling/createMessage": {
    "facade/client/client-options.ts": ["readonly onSample?:", "readonly sampling?:"],
    "facade/server/context-types.ts": ["readonly sample: ("],
    "facade/server/input-required.ts": ["readonly createMessage:"],
  },
  "roots/list": {
    "facade/client/client-options.ts": ["readonly roots?:", "readonly onRoots?:"],
    "facade/server/context-types.ts": ["readonly listRoots: ("],
    "facade/server/input-required.ts": ["readonly listRoots:"],
  },
  "notifications/message": {
    "facade/client/mcp-client-base.ts": ["async setLogLevel("],
    "facade/server/context-types.ts": ["readonly log: Log;"],
    "facade/server/mcp-server.ts": ["log(level"],
    "facade/server/mcp-server-options.ts": ["readonly logging?:"],
  },
  "tools/call": {
    "facade/server/mcp-server.ts": ["registerTool<"],
  },
  "elicitation/create": {
    "facade/client/client-options.ts": ["readonly onElicit?:"],
    "facade/server/context-types.ts": ["readonly elicit: <"],
  },
};

const { methods } = revisions[0]!;

describe("the public API marks as deprecated what the newest revision deprecates", () => {
  it("knows the members of every deprecated message (DEP-01, DEP-02, DEP-03)", () => {
    const deprecated = [...methods.values()].filter((row) => row.deprecated !== undefined);
    expect(deprecated.length).toBeGreaterThan(0);
    for (const { method } of deprecated) expect(MEMBERS).toHaveProperty([method]);
  });

  it.each(
    Object.entries(MEMBERS).flatMap(([method, files]) =>
      Object.entries(files).flatMap(([file, members]) =>
        members.map((member) => ({ method, file, member })),
      ),
    ),
  )("$member in $file ($method)", ({ method, file, member }) => {
    const text = readFileSync(join(root, "runtime", file), "utf8");
    const at = new RegExp(`^ *${member.replace(/[?()]/g, "\\$&")}`, "m").exec(text)?.index;
    expect(at, `${file} has no ${member}`).toBeDefined();
    const comment = text.slice(text.lastIndexOf("/**", at), at);
    const isMarked = comment.includes("@deprecated");
    expect(isMarked).toBe(methods.get(method)!.deprecated !== undefined);
  });

  it("knows the older name of a view's address in the metadata of tools (DEP-08)", () => {
    const text = readFileSync(join(root, "runtime", "apps/index.ts"), "utf8");
    const at = text.indexOf('readonly "ui/resourceUri"?');
    expect(text.slice(text.lastIndexOf("/**", at), at)).toContain("@deprecated");
  });

  it.each([
    ["http/client/http-client-transport.ts", "export class SseClientTransport"],
    ["http/server/sse/create-sse-handler.ts", "export function createSseHandler"],
  ])("marks HTTP+SSE in %s (DEP-06, SSE-15)", (file, member) => {
    const text = readFileSync(join(root, "runtime", file), "utf8");
    expect(text.slice(0, text.indexOf(member))).toContain("@deprecated");
  });
});
