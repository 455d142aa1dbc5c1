import { expect, it } from "vitest";
import { keep } from "../../../runtime/wire/messages/kept.js";
import { projection } from "../../../runtime/facade/project/projection.js";
import type {
  Rule,
  ShapeDifference as AnyShape,
  Step,
} from "../../../runtime/facade/project/step.js";
import type { Loss, MessagePart, OnLoss } from "../../../runtime/wire/revision/revision.js";
import type { Method } from "../../../runtime/wire/revision/revision.js";
import { older } from "./revisions.js";

const row: Method = { ...older[0]!.methods.get("ping")!, method: "m" };
const pinned = { ...older[0]!, id: "old", methods: new Map([["m", row]]) };

type Shape = AnyShape<Rule>;

function projectionOf(shapes: Record<string, Shape>, more: Partial<Step<Rule>> = {}) {
  const methods = { m: { params: "M", result: "M" } };
  const { down: lower, up: raise } = projection(pinned, [{ methods, shapes, ...more }]);
  return {
    down: (of: Method, part: MessagePart, value: unknown, onloss?: OnLoss): unknown => {
      const convert = lower(of, part, onloss);
      return convert ? convert(value) : value;
    },
    up: (of: Method, part: MessagePart, value: unknown): unknown => {
      const convert = raise(of, part);
      return convert ? convert(value) : value;
    },
  };
}

/** Projects a value and lists the places that lost something. */
function down(shapes: Record<string, Shape>, value: unknown): [unknown, string[]] {
  const losses: Loss[] = [];
  const sent = projectionOf(shapes).down(row, "params", value, (loss) => void losses.push(loss));
  return [sent, losses.map(({ path, reason }) => `${path} ${reason}`)];
}

it("content outside of the table is unchanged", () => {
  const value = { a: 1 };
  const { down: lower, up } = projectionOf({}, { methods: {} });
  expect(lower(row, "params", value, undefined)).toBe(value);
  expect(up(row, "result", value)).toBe(value);
});

it("members are left out at any depth, with and without a loss", () => {
  const shapes: Record<string, Shape> = {
    M: { drop: ["a"], strip: ["b"], members: { list: "L", named: "N" }, each: "E" },
    N: { strip: ["q"] },
    L: { items: "I" },
    I: { drop: ["x/y~"] },
    E: { drop: ["z"] },
  };
  const value = {
    a: 1,
    b: 2,
    c: 3,
    list: [{ "x/y~": 1 }, { z: 1 }],
    other: { z: 1 },
    named: { z: 1, q: 1 },
  };
  expect(down(shapes, value)).toEqual([
    { c: 3, list: [{}, { z: 1 }], other: {}, named: { z: 1 } },
    ["/a does not exist", "/list/0/x~1y~0 does not exist", "/other/z does not exist"],
  ]);
});

it("unchanged parts are shared", () => {
  const same = { deep: [1] };
  const { down: lower } = projectionOf({
    M: { strip: ["a"], members: { list: "L" } },
    L: { items: "I" },
    I: { strip: ["b"] },
  });
  const list = [{ same }, { b: 1, same }];
  const sent = lower(row, "params", { a: 1, list, same }, undefined) as {
    list: object[];
    same: unknown;
  };
  expect(sent.same).toBe(same);
  expect(sent.list[0]).toBe(list[0]);
  expect(sent.list[1]).toEqual({ same });
  expect(list).toEqual([{ same }, { b: 1, same }]);
});

it("a list or optional member loses what the revision cannot express, and a required one is dropped with its owner", () => {
  const shapes: Record<string, Shape> = {
    M: { members: { list: "L", level: "V" } },
    L: { items: "I" },
    I: { members: { level: "V" }, requires: ["level"] },
    V: { lacks: ["trace"] },
  };
  expect(down(shapes, { level: "trace", list: [{ level: "trace" }, { level: "debug" }] })).toEqual([
    { list: [{ level: "debug" }] },
    ["/list/0/level cannot be expressed", "/level cannot be expressed"],
  ]);
});

it("a message of which nothing remains throws", () => {
  const shapes: Record<string, Shape> = {
    M: { members: { level: "V" }, requires: ["level"] },
    V: { lacks: ["trace"] },
  };
  expect(() => down(shapes, { level: "trace" })).toThrow("m was not sent: old cannot express it");
  expect(down(shapes, { level: "info" })[0]).toEqual({ level: "info" });
});

it("member names are never confused with others", () => {
  const value = JSON.parse('{ "__proto__": { "a": 1 }, "constructor": { "a": 2 } }') as object;
  const [sent] = down({ M: { each: "A" }, A: { drop: ["a"] } }, value);
  expect(JSON.stringify(sent)).toBe('{"__proto__":{},"constructor":{}}');
  expect(Object.getPrototypeOf(sent)).toBe(Object.prototype);
  expect(down({ M: { tag: "type", arms: { a: null } } }, { type: "toString" })[0]).toEqual({
    type: "toString",
  });
});

it("required members of the newest revision are added unless present", () => {
  const { up } = projectionOf({
    M: { supply: { type: "complete" }, members: { list: "L" } },
    L: { items: "I" },
    I: { supply: { age: 0 } },
  });
  expect(up(row, "result", { list: [{}, { age: 1 }] })).toEqual({
    type: "complete",
    list: [{ age: 0 }, { age: 1 }],
  });
  const whole = { type: "other", list: [{ age: 1 }] };
  expect(up(row, "result", whole)).toBe(whole);
});

it("a list that is returned repeatedly is translated and serialised once", () => {
  const { down: lower } = projectionOf({ M: { drop: ["a"] } });
  const kept = keep({ a: 1, b: [] });
  const losses: unknown[] = [];
  const [one, other] = [1, 2].map(() =>
    lower(row, "result", kept, (loss) => void losses.push(loss)),
  );
  expect(one).toEqual({ b: [] });
  expect(other).toBe(one);
  expect(losses).toHaveLength(1);
  const fresh = { a: 1, b: [] };
  expect(lower(row, "result", fresh, undefined)).not.toBe(lower(row, "result", fresh, undefined));
});
