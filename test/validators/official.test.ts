import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { link } from "../../generator/link/link.js";
import { model } from "../../generator/model/model.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { validatorsOf } from "./build.js";
import { corpus } from "./corpus.js";
import { describeWith } from "../support/conditional.js";
import { OFFICIAL, officialSchema } from "../support/official.js";

describeWith(officialSchema("2024-11-05") !== undefined, OFFICIAL, "validators", () => {
  test.each(bundled)("of %s equal those of the published file", async (revision) => {
    const file = officialSchema(revision)!;
    const ours = protocolOf(revision);
    const diagnostics = new Diagnostics();
    const source = { file, text: readFileSync(file, "utf8"), sha256: "0".repeat(64) };
    const official = link(model(source, diagnostics), { revision }, diagnostics)!;
    const [a, b] = await Promise.all([validatorsOf(ours), validatorsOf(official)]);
    expect(Object.keys(a).toSorted()).toEqual(Object.keys(b).toSorted());
    const samples = [...corpus(ours), ...corpus(official)];
    expect(samples.filter(({ type, value }) => a[type]!(value) !== b[type]!(value))).toEqual([]);
  });
});
