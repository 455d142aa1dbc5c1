import { describe, expect, it } from "vitest";
import { commandOf, UsageError } from "./core/command-line.js";

const known = ["stdio", "http", "size"];
const of = (...args: string[]) => commandOf(args, known);

describe("the command line of the benchmark", () => {
  it("runs all sections in full by default", () => {
    expect(of()).toMatchObject({ sections: known, json: undefined, isReport: false });
    expect(of()!.effort).toMatchObject({ rounds: 5, isSmoke: false });
  });

  it("runs the named sections in the order of the report", () => {
    const command = of("size", "stdio", "--rounds", "2", "--json", "out.json");
    expect(command).toMatchObject({ sections: ["stdio", "size"], json: "out.json" });
    expect(command!.effort.rounds).toBe(2);
  });

  it("runs one round without a warm-up as a smoke run", () => {
    expect(of("--smoke")!.effort).toMatchObject({ rounds: 1, warmUp: 0, isSmoke: true });
  });

  it("names the known sections if one is unknown", () => {
    expect(() => of("htpt")).toThrow("Unknown section: htpt. Known: stdio, http, size.");
  });

  it.each([
    ["--fast"],
    ["--json"],
    ["--json", ""],
    ["--smoke=yes"],
    ["--rounds", "0"],
    ["--report", "--smoke"],
  ])("rejects %s %s", (...args) => {
    expect(() => of(...args)).toThrow(UsageError);
  });

  it("returns nothing for --help", () => {
    expect(of("--help")).toBeUndefined();
  });
});
