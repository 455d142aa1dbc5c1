import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { generate } from "../../generator/generate.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { sourceFromBytes } from "../../generator/load/source-from-bytes.js";
import { schemaWith } from "./schema.js";

/** Parts of long texts. A search that scanned them repeatedly would take minutes. */
const PIECES = [
  "{@link Tool ",
  "{@link Tool} ",
  "{@link",
  "{",
  "`",
  "` ",
  "``` ",
  "](",
  "](/",
  " ",
  "\t",
  "\n",
  "\n\n",
  "\n * ",
  "\n * @a ",
  "@",
  ". ",
  "!?",
  "1",
  "1. ",
  "- ",
  "\\",
  "\\u",
  "<!-- ",
  "--",
  "|",
  "{{",
  "x",
  "X ",
  "\u2028",
  "\ud800",
];

const LENGTH = 100_000;
const long = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length));

async function run(text: string): Promise<void> {
  const diagnostics = new Diagnostics();
  const source = sourceFromBytes("schema.ts", Buffer.from(text), diagnostics);
  if (source) await generate({ source, revision: "draft" }, diagnostics);
  expect(diagnostics.items.map(({ code }) => code)).not.toContain("MCG0000");
}

/** Tests texts so long that quadratic time would take minutes, which a test's time limit detects. */
describe.each(PIECES)("%j, repeated many times", (piece) => {
  it("is read in a comment of a request, a member and a tag", async () => {
    const comment = `/** ${long(piece)} end. */`;
    await run(
      schemaWith({
        declarations: `${comment}\nexport interface AddRequest extends Request { method: "add"; ${comment}\nparams: { ${comment}\na: 1 } }
/** Sum. @see ${long(piece)} */
export interface AddResult extends Result {}`,
        clientRequests: ["AddRequest"],
      }),
    );
  }, 20_000);

  it("is read in a method, a member, a literal and a constant", async () => {
    const text = JSON.stringify(long(piece));
    await run(
      schemaWith({
        declarations: `export interface AddRequest extends Request { method: ${text}; params: { ${text}: ${text} } }
export const LONG = ${text};
export interface AddResult extends Result {}`,
        clientRequests: ["AddRequest"],
      }),
    );
  }, 20_000);

  it("is read in facts", () => {
    const facts = {
      revision: "draft",
      errorCodes: { A: { code: 1, reason: long(piece), source: long(piece) } },
      [long(piece)]: { [long(piece)]: [long(piece)] },
    };
    readFacts(JSON.stringify(facts), "facts.json", new Diagnostics());
    readFacts(`${JSON.stringify(facts).slice(0, -1)}, x`, "facts.json", new Diagnostics());
  }, 20_000);
});

const many = <T>(item: (index: number) => T) => Array.from({ length: 20_000 }, (_, i) => item(i));

describe("many facts that match nothing", () => {
  const evidence = { reason: "x", source: "https://example.com" };

  it.each([
    ["members", Object.fromEntries(many((i) => [`gone${i}`, 1]))],
    ["names", { successors: many((i) => ({ from: `X${i}`, to: `Y${i}`, ...evidence })) }],
    ["problems", { accepted: many((i) => ({ code: "MCG3012", about: `X${i}`, ...evidence })) }],
  ])(
    "are refused in time: %s",
    async (_, facts) => {
      const diagnostics = new Diagnostics();
      const text = JSON.stringify({ revision: "draft", ...facts });
      const read = readFacts(text, "facts.json", diagnostics);
      const schema = Buffer.from(schemaWith({ declarations: "" }));
      const source = sourceFromBytes("schema.ts", schema, diagnostics)!;
      await generate({ source, revision: "draft", ...(read && { facts: read }) }, diagnostics);
      expect(diagnostics.items.length).toBeGreaterThan(50);
      expect(diagnostics.items.length).toBeLessThan(200);
    },
    20_000,
  );
});
