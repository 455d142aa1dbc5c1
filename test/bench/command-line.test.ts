import { describe, expect, it } from "vitest";
import { commandOf, UsageError } from "./core/command-line.js";

const known = ["stdio", "http", "size"];
const of = (...args: string[]) => commandOf(args, known);

describe("the command line", () => {
  it("runs all sections in full when nothing is said", () => {
    expect(of()).toEqual({
      sections: known,
      depth: "full",
      json: undefined,
      isReport: false,
      prepares: true,
    });
  });

  it("runs what is named, in the order of the report", () => {
    expect(of("size", "stdio", "--short", "--json", "out.json")).toMatchObject({
      sections: ["stdio", "size"],
      depth: "short",
      json: "out.json",
    });
  });

  it("names what there is when a section is unknown", () => {
    expect(() => of("htpt")).toThrow(UsageError);
    expect(() => of("htpt")).toThrow("No such section: htpt. There are stdio, http, size.");
    expect(() => of("a", "http", "b")).toThrow("No such sections: a, b.");
  });

  it.each([["--fast"], ["--json"], ["--json", ""], ["--short=yes"], ["--report", "size"]])(
    "refuses %s %s",
    (...args) => {
      expect(() => of(...args)).toThrow(UsageError);
    },
  );

  it("knows when help is wanted", () => {
    expect(of("--help")).toBeUndefined();
  });
});
