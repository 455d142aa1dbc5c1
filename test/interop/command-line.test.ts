import { describe, expect, it } from "vitest";
import { commandOf, UsageError } from "./core/command-line.js";

describe("the command line of the interop run", () => {
  it("runs all sections unless some are named", () => {
    expect(commandOf([])?.sections).toEqual(["servers", "contracts", "clients", "gateways"]);
    expect(commandOf(["--gateways", "--servers"])?.sections).toEqual(["servers", "gateways"]);
    expect(commandOf(["--only", "pdf"])).toMatchObject({ only: "pdf" });
    expect(commandOf(["--help"])).toBeUndefined();
  });

  it.each([["--severs"], ["--only"], ["--only", ""], ["extra"]])("rejects %s", (...args) => {
    expect(() => commandOf(args)).toThrow(UsageError);
  });
});
