import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Case, OursScene } from "./case.js";
import { ourCases, rawClientCases, rawServerCases } from "./cases.js";
import { areMet } from "./needs.js";
import { Stage } from "./stage.js";
import { knowledgeOf } from "./support/knows.js";
import { type Package, packages } from "./support/packages.js";
import type { Connecting, WireTraits } from "./wires/wire.js";

/**
 * Runs the cases over one transport, at every revision, for every side that the transport supports.
 */
export function describeBehaviour(wire: Connecting): void {
  describe.each(packages.map((from) => [from.revision.id, from] as const))("%s", (_id, from) => {
    describe("our client and our server", () => {
      const scene = useScene(wire, from, (stage) => stage.ours());
      play(wire, from, ourCases, scene);
      it("have exactly the declared abilities of the transport", async () => {
        expect(await abilitiesOf(scene())).toEqual(wire.traits);
      });
    });
    describe("a raw client and our server", () => {
      play(
        wire,
        from,
        rawClientCases,
        useScene(wire, from, (stage) => stage.rawClient()),
      );
    });
    if (wire.puppet === undefined) return;
    describe("our client and a raw server", () => {
      play(
        wire,
        from,
        rawServerCases,
        useScene(wire, from, (stage) => stage.rawServer()),
      );
    });
  });
}

function useScene<Scene>(
  wire: Connecting,
  from: Package,
  make: (stage: Stage) => Promise<Scene>,
): () => Scene {
  const stage = new Stage(wire, from);
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await make(stage);
  });
  afterEach(() => stage.check());
  afterAll(() => stage.end());
  return () => scene!;
}

function play<Scene>(
  wire: Connecting,
  from: Package,
  cases: readonly Case<Scene>[],
  scene: () => Scene,
): void {
  for (const { name, needs = [], run } of cases)
    if (areMet(needs, wire.traits, knowledgeOf(from))) it(name, () => run(scene()));
}

/** Measures a transport's abilities, to verify its declared limits. */
async function abilitiesOf({ json, text, call, venue, connect }: OursScene): Promise<WireTraits> {
  const requested = await json("ask", { method: "ping", timeout: 2000 });
  await call("remember", { value: "this" });
  const sessions = (await text("remembered")) === "this";
  await call("note", { label: "abilities" });
  const { client: other } = await connect({}, true);
  const args = { name: "witness", arguments: { label: "abilities" } };
  const shared = JSON.stringify(await other.callTool(args)).includes("noted");
  let tells = false;
  const onprogress = (): void => void (tells = true);
  await other.callTool({ name: "progress", arguments: { steps: 1 } }, { onprogress });
  const raw = await venue.raw();
  raw.ask(1, "ping");
  const isAlive = (await raw.next()).result !== undefined;
  raw.ask(2, "tools/list");
  const early = isAlive && (await raw.next()).error?.code === -32600;
  await raw.close();
  return { asks: requested.error === undefined, sessions, tells, early, shared };
}
