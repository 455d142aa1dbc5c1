import { describe, expect, it } from "vitest";
import { checkEntries } from "./core/manifest.js";
import clients from "./clients.json" with { type: "json" };
import gateways from "./gateways.json" with { type: "json" };
import servers from "./servers.json" with { type: "json" };
import { expectedOf, runsOf } from "./sections/clients.js";
import { setUpsOf } from "./sections/servers.js";

describe("the manifest of the interop run", () => {
  it.each([
    ["servers", servers],
    ["clients", clients],
    ["gateways", gateways],
  ])("pins each entry of %s once", (_, entries) => {
    expect(() => checkEntries(entries as never)).not.toThrow();
  });

  it("names at least 40 servers and 10 versions of official clients", () => {
    expect(new Set(servers.map((entry) => entry.package)).size).toBeGreaterThanOrEqual(40);
    expect(clients.length).toBeGreaterThanOrEqual(10);
  });

  it.each(["^1.0.0", "latest", "1", ""])("rejects the version %j", (version) => {
    expect(() => checkEntries([{ package: "a", version }])).toThrow(/no exact version/);
  });

  it("rejects a loose version of a dependency of a server, and a duplicate entry", () => {
    const entry = { package: "a", version: "1.0.0" };
    expect(() => checkEntries([{ ...entry, with: ["@b/c@~2.0.0"] }])).toThrow(/no exact version/);
    expect(() => checkEntries([entry, entry])).toThrow(/twice/);
  });

  it("creates a set-up of each transport, and of stdio if none is named", () => {
    const entry = { package: "a", version: "1.0.0" };
    expect(setUpsOf(entry).map(({ over }) => over)).toEqual(["stdio"]);
    const both = { ...entry, http: {}, sse: { path: "/events" } };
    expect(setUpsOf(both).map(({ over }) => over)).toEqual(["http", "sse"]);
  });

  it("creates a run of each mode, except over HTTP+SSE, which has one", () => {
    const overs = ["stdio", "sse"] as const;
    const runs = runsOf({ package: "a", version: "2.0.0", overs, modes: ["legacy", "auto"] });
    expect(runs.map(({ over, mode }) => `${over} ${mode}`)).toEqual([
      "stdio legacy",
      "stdio auto",
      "sse legacy",
    ]);
  });

  it("expects failures of one transport or mode only there", () => {
    const expected = { ping: "a", "roots (http)": "b", "logging (http, auto)": "c" };
    expect(expectedOf(expected, "stdio", undefined)).toEqual({ ping: "a" });
    expect(expectedOf(expected, "http", "auto")).toEqual({ ping: "a", roots: "b", logging: "c" });
    expect(expectedOf(undefined, "http", "auto")).toEqual({});
  });
});
