import { describe, expect, it } from "vitest";
import { ourCases, rawClientCases, rawServerCases } from "./cases.js";
import { areMet, type Need } from "./needs.js";
import { knowledgeOf } from "./support/knows.js";
import { packages } from "./support/packages.js";
import { httpEvents, httpJson, httpOneWay, httpSse } from "./wires/http.js";
import { memory } from "./wires/memory.js";
import { Stdio } from "./wires/stdio.js";
import type { Connecting } from "./wires/wire.js";

const wires: readonly Connecting[] = [
  memory,
  new Stdio(),
  httpEvents,
  httpJson,
  httpOneWay,
  httpSse,
];
const cases: readonly { name: string; needs?: readonly Need[] }[] = [
  ...ourCases,
  ...rawClientCases,
  ...rawServerCases,
];

describe("combinations of case, revision and transport", () => {
  it("are as many as this table lists", () => {
    const counts = wires.map(({ name, traits }) => {
      const perRevision = packages.map(
        (from) => cases.filter(({ needs = [] }) => areMet(needs, traits, knowledgeOf(from))).length,
      );
      return [name, ...perRevision].join(" ");
    });
    expect(packages.map(({ revision }) => revision.id).join(" ")).toBe(
      "2024-11-05 2025-03-26 2025-06-18 2025-11-25",
    );
    expect(counts).toEqual([
      "memory 104 110 111 122",
      "stdio 103 109 110 121",
      "Streamable HTTP streaming SSE 102 108 109 120",
      "Streamable HTTP answering JSON 99 105 106 117",
      "one-way HTTP without sessions 66 69 69 70",
      "HTTP+SSE 104 110 111 122",
    ]);
  });

  it("include each case at least once", () => {
    const never = cases.filter(
      ({ needs = [] }) =>
        !wires.some(({ traits }) =>
          packages.some((from) => areMet(needs, traits, knowledgeOf(from))),
        ),
    );
    expect(never.map(({ name }) => name)).toEqual([]);
  });
});
