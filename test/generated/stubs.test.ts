import { describe, expect, it, vi } from "vitest";
import { plan } from "../../generator/plan/plan.js";
import type { SidePlan } from "../../generator/plan/revision-plan.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";

const info = { name: "x", version: "1" };
const options = { file: "schema.ts", version: "0.1.0", runtime: "x" };

describe.each(bundled)("%s", async (revision) => {
  const { client, server } = plan(protocolOf(revision), options, new Diagnostics());
  const generated = await import(`@mcp-codegen/${revision}`);

  describe.each<SidePlan>([client, server])("$className", ({ className, stubs, handlers }) => {
    const Side = generated[className];

    it("sends what the schema states with each of its methods, and has no others", () => {
      const own = Object.getOwnPropertyNames(Side.prototype).filter((name) => name !== "constructor");
      const named = stubs.flatMap(({ name, pager }) => (pager ? [name, pager.name] : [name]));
      expect(own).toEqual(named);
      for (const { name, method } of stubs) {
        const side = Object.create(Side.prototype);
        side.request = vi.fn(() => "answer");
        side.notify = vi.fn(() => "told");
        const isRequest = method.kind === "request";
        expect(side[name]({ a: 1 }, { timeout: 1 }), name).toBe(isRequest ? "answer" : "told");
        const calls = [...side.request.mock.calls, ...side.notify.mock.calls];
        expect(calls).toEqual([[method.method, { a: 1 }, ...(isRequest ? [{ timeout: 1 }] : [])]]);
      }
    });

    it("returns all items of each paged list (PAGE-01)", () => {
      const paged = stubs.filter(({ method }) => method.paginated);
      expect(paged.map(({ pager }) => pager !== undefined)).toEqual(paged.map(() => true));
      for (const { pager, method } of paged) {
        const side = Object.create(Side.prototype);
        side.pages = vi.fn(() => "items");
        expect(side[pager!.name]({ a: 1 }, { maxPages: 1 })).toBe("items");
        expect(side.pages).toHaveBeenCalledWith(
          method.method,
          pager!.member,
          { a: 1 },
          { maxPages: 1 },
        );
      }
    });

    it("accepts a handler for each message of its type", () => {
      const all = Object.fromEntries(handlers.map(({ method }) => [method, () => ({})]));
      expect(() => new Side(info, all)).not.toThrow();
      expect(() => new Side(info, { ...all, "no/such": () => ({}) })).toThrow(TypeError);
    });
  });
});
