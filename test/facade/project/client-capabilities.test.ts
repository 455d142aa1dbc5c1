import { describe, expect, it } from "vitest";
import type { Revision } from "../../../runtime/wire/revision/revision.js";
import { lowered, older, revisions, rowOf } from "./revisions.js";

const [R2411, R2503, R2506, R2511] = revisions.map(({ id }) => id) as [
  string,
  string,
  string,
  string,
];

function client(capabilities: object): object {
  return {
    protocolVersion: "x",
    capabilities,
    clientInfo: { name: "c", version: "1", title: "C", websiteUrl: "https://example.com" },
  };
}

function sent(
  revision: Revision,
  capabilities: object,
): Record<"capabilities" | "clientInfo", unknown> {
  const params = lowered(revision, "initialize", "params", client(capabilities));
  return params as Record<"capabilities" | "clientInfo", unknown>;
}

function sentCapabilities(capabilities: object): object {
  return Object.fromEntries(
    older.map((revision) => [revision.id, sent(revision, capabilities).capabilities]),
  );
}

function sentInfo(revision: Revision): unknown {
  return sent(revision, {}).clientInfo;
}

describe("client capabilities (T1)", () => {
  it("are declared in the form of the revision, and extensions always (EXT-05)", () => {
    const extensions = { "io.modelcontextprotocol/ui": {} };
    const all = {
      roots: { listChanged: true },
      sampling: { tools: {}, context: {} },
      elicitation: { form: {}, url: {} },
      experimental: { a: {} },
      extensions,
    };
    const first = {
      roots: { listChanged: true },
      sampling: {},
      experimental: { a: {} },
      extensions,
    };
    expect(sentCapabilities(all)).toEqual({
      [R2411]: first,
      [R2503]: first,
      [R2506]: { ...first, elicitation: {} },
      [R2511]: all,
    });
  });

  it("do not include forms for a client that can only open pages", () => {
    expect(sentCapabilities({ elicitation: { url: {} } })).toEqual({
      [R2411]: {},
      [R2503]: {},
      [R2506]: {},
      [R2511]: { elicitation: { url: {} } },
    });
  });

  it.each(older.slice(2))("include forms if $id declares any elicitation", (revision) => {
    const raise = revision.projection!.up(rowOf(revision, "initialize"), "params")!;
    const raised = raise(client({ elicitation: {}, roots: { listChanged: true } }));
    expect(raised).toEqual(client({ elicitation: { form: {} }, roots: { listChanged: true } }));
  });

  it("keep unknown names in the form of the revision", () => {
    const plain = { name: "c", version: "1" };
    const titled = { ...plain, title: "C" };
    expect(older.map(sentInfo)).toEqual([
      plain,
      plain,
      titled,
      { ...titled, websiteUrl: "https://example.com" },
    ]);
  });
});
