import { expect, it } from "vitest";
import type { LifecycleStrategy } from "../../runtime/engine/index.js";
import { ServerBase } from "../../runtime/engine/index.js";
import { serverOfAnyKind } from "../../runtime/negotiation/index.js";
import { tinyRevision } from "../engine/support/tiny-revision.js";

const both = [tinyRevision("new", { lifecycle: "discover" }), tinyRevision("one")];

it("a server of revisions of both kinds has to bring what these need together", () => {
  const server = (...more: [] | [LifecycleStrategy]) =>
    new ServerBase(both, { name: "s" }, {}, {}, ...more);
  expect(() => server()).toThrow(/open conversations in two ways/);
  expect(server(serverOfAnyKind).revisions).toEqual(both);
});
