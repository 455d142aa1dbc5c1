import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { link } from "../../generator/link/link.js";
import { model } from "../../generator/model/model.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { validatorsOf } from "./build.js";
import { corpus } from "./corpus.js";

/** A folder with the published files, `<revision>.ts`; they are no part of this repository. */
const folder = process.env["MCP_OFFICIAL_SCHEMAS"];

describe.each(bundled)("validators of %s", (revision) => {
  const file = folder && join(folder, `${revision}.ts`);

  // Without MCP_OFFICIAL_SCHEMAS there is nothing to compare with.
  test.skipIf(!file || !existsSync(file))("equal those of the published file", async () => {
    const ours = protocolOf(revision);
    const diagnostics = new Diagnostics();
    const source = { file: file!, text: readFileSync(file!, "utf8"), sha256: "0".repeat(64) };
    const official = link(model(source, diagnostics), { revision }, diagnostics)!;
    const [a, b] = await Promise.all([validatorsOf(ours), validatorsOf(official)]);
    expect(Object.keys(a).toSorted()).toEqual(Object.keys(b).toSorted());
    const samples = [...corpus(ours), ...corpus(official)];
    expect(samples.filter(({ type, value }) => a[type]!(value) !== b[type]!(value))).toEqual([]);
  });
});
