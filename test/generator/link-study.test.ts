import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { describeWith } from "../support/conditional.js";
import { hasStudy, STUDY, studyFile } from "../support/official.js";

describeWith(hasStudy("facts"), STUDY, "the tables of the schema study", () => {
  interface Study {
    protocol: {
      requests: { method: string; envelope: string; result: string[]; rule: string }[];
      unions: Record<string, string[] | null>;
    };
  }

  it.each(bundled)("%s: unions, pairing rules and envelopes", (revision) => {
    const study = JSON.parse(readFileSync(studyFile(`facts/${revision}.json`), "utf8")) as Study;
    const { aggregates, methods, traits } = protocolOf(revision);
    const { JSONRPCMessage: _, ...expected } = study.protocol.unions;
    const declared = Object.entries(expected).filter(([, names]) => names !== null);
    expect(aggregates).toEqual(Object.fromEntries(declared));
    const rules = { R1: "response", R2: "name", R3: "empty" } as const;
    for (const { method: name, rule, envelope } of study.protocol.requests) {
      const one = methods.find((candidate) => candidate.method === name);
      expect(one?.result?.rule, name).toBe(rules[rule.slice(0, 2) as keyof typeof rules]);
      if (one?.channel === "wire") {
        expect(traits.envelope, name).toBe(envelope === "none" ? "outside" : "inside");
      }
    }
  });
});
