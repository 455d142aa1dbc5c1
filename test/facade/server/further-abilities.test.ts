import { expect, test } from "vitest";
import { abilitiesOf, furtherFamilies } from "../../../runtime/facade/server/abilities.js";

const picking = { method: "notes/pick", kind: "request", from: "server" };
const families = furtherFamilies(["notes", "roots"]);

/** Returns the abilities of a client with these capabilities, at a revision with this request. */
function abilities(row: object, capabilities: object) {
  const revision = { methods: new Map([["notes/pick", row]]) };
  return abilitiesOf({ revision, peer: { capabilities } } as never, families);
}

test("a further family needs its capability, and its request", () => {
  const row = { ...picking, capability: "client.notes" };
  expect(abilities(row, { notes: {} })).toMatchObject({ notes: true, roots: false });
  for (const capabilities of [{}, { notes: false }, { notes: null }, { roots: {} }])
    expect(abilities(row, capabilities)["notes"]).toBe(false);
  expect(abilities({ ...row, from: "client" }, { notes: {} })["notes"]).toBe(false);
  expect(abilities({ ...row, method: "films/pick" }, { notes: {} })["notes"]).toBe(false);
  expect(abilities(picking, {})["notes"]).toBe(true);
});

test("a part of a capability is needed, too", () => {
  const row = { ...picking, capability: "client.notes.pick" };
  expect(abilities(row, { notes: { pick: {} } })["notes"]).toBe(true);
  expect(abilities(row, { notes: {} })["notes"]).toBe(false);
});
