import { revisions } from "@mcp-codegen/universal/revisions";
import { describe, expect, it } from "vitest";
import { cli } from "../cli/cli.js";
import { c, findingsOf, opened, s, type Sent, SESSION } from "./support/conversation.js";

interface Diff {
  readonly methods: readonly {
    readonly method: string;
    readonly change: "added" | "removed" | "changed";
    readonly aspects?: readonly { readonly aspect: string }[];
  }[];
  readonly types: Readonly<Record<"added" | "removed" | "kept", readonly string[]>>;
}

/** Returns the difference between two revisions, as found by `mcp-codegen diff`. */
async function diff(from: string, to: string): Promise<Diff> {
  const { stdout } = await cli(["diff", from, to, "--json"], { cwd: import.meta.dirname });
  return (JSON.parse(stdout) as { readonly diff: Diff }).diff;
}

const own = revisions.find(({ id }) => id === SESSION)!;
const others = revisions.filter(({ id }) => id !== SESSION).map(({ id }) => id);

/** One message for each method of the revision, from a side that may send it. */
const messages: readonly Sent[] = [...own.methods.values()]
  .filter(({ role }) => role !== "initialize" && role !== "initialized")
  .map(({ method, kind, from }, index) => {
    const message = { ...(kind === "request" && { id: 100 + index }), method };
    return from === "server" ? s(message) : c(message);
  });

describe.each(others)("a tape of 2025-11-25, judged by %s,", (id) => {
  it("has unknown methods where diff has removed or added ones", async () => {
    const isOlder = id < SESSION;
    const { methods } = await (isOlder ? diff(id, SESSION) : diff(SESSION, id));
    const change = isOlder ? "added" : "removed";
    const missing = methods.filter((one) => one.change === change).map(({ method }) => method);
    const moved = methods.filter(({ aspects = [] }) =>
      aspects.some(({ aspect }) => aspect === "direction"),
    );
    const found = await findingsOf([...opened(), ...messages], { revision: id });
    const named = (check: string) =>
      found
        .filter((finding) => finding.id === check && (finding.n ?? 0) > 3)
        .map(({ received }) => JSON.parse(received) as string)
        .toSorted();
    const opening = ["initialize", "notifications/initialized"];
    const expected = missing.filter((one) => !opening.includes(one)).toSorted();
    expect(named("method-unknown")).toEqual(expected);
    expect(named("message-direction")).toEqual(moved.map(({ method }) => method).toSorted());
  });

  it.each([
    ["AudioContent", { type: "audio", data: "AAAA", mimeType: "audio/wav" }],
    ["ResourceLink", { type: "resource_link", uri: "a://b", name: "b" }],
    ["TextContent", { type: "text", text: "a" }],
  ])("has a finding about %s where diff has added it", async (type, block) => {
    const { types } = id < SESSION ? await diff(id, SESSION) : { types: { added: [] as string[] } };
    const call = c({ id: 2, method: "tools/call", params: { name: "a", arguments: {} } });
    const result = s({ id: 2, result: { content: [block] } });
    const found = await findingsOf([...opened(), call, result], { revision: id });
    const isFound = found.some(({ pointer }) => pointer.startsWith("/result/content/0"));
    expect(isFound).toBe(types.added.includes(type));
  });
});
