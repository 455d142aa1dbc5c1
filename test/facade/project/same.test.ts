import { describe, expect, it } from "vitest";
import { step as to2411 } from "../../../generated/universal/steps/2025-03-26--2024-11-05.js";
import { step as to2503 } from "../../../generated/universal/steps/2025-06-18--2025-03-26.js";
import { step as to2506 } from "../../../generated/universal/steps/2025-11-25--2025-06-18.js";
import { step as to2511 } from "../../../generated/universal/steps/2026-07-28--2025-11-25.js";
import { translationOf } from "../../../runtime/facade/project/composition.js";
import { LOST } from "../../../runtime/facade/project/step.js";
import { isSame, Lowering } from "../../../runtime/facade/project/translate.js";
import { older } from "./revisions.js";

/** The steps, starting from the newest revision. */
const steps = [to2511, to2506, to2503, to2411];

const NAMES = ["_meta", "structuredContent", "inputResponses", "resultType", "ttlMs", "task", "x"];

/** Yields objects that contain a member in every possible way, and some values that are not objects. */
function* values(): Generator<unknown> {
  yield* [null, 1, "text", [], [{ resultType: "complete" }], {}, Object.create(null)];
  for (const name of NAMES) {
    yield* [1, undefined, {}, [{}]].map((member) => ({ [name]: member, content: [] }));
    yield Object.create({ [name]: "inherited" });
    yield Object.defineProperty({}, name, { value: "hidden" });
    yield Object.defineProperty({}, name, { get: () => ({}), enumerable: true });
    yield Object.assign(Object.create(null), { [name]: "bare" });
    yield new Proxy({}, { getOwnPropertyDescriptor: own, ownKeys: () => [name], has: () => true });
  }
}

function own(): PropertyDescriptor {
  return { value: 1, enumerable: true, configurable: true };
}

describe.each(older.toReversed())("messages that pass unchanged to $id", (revision) => {
  const way = steps.slice(0, older.length - older.indexOf(revision));
  const translation = translationOf(revision, way);
  const { shapes } = translation;
  const methods = [...translation.methods];
  const places = methods.flatMap(([method, { params, result }]) => [
    ...(params === undefined ? [] : [{ method, part: "params" as const, name: params }]),
    ...(result === undefined ? [] : [{ method, part: "result" as const, name: result }]),
  ]);

  it("are those that the projection leaves unchanged", () => {
    let count = 0;
    for (const { method, part, name } of places) {
      for (const value of values()) {
        if (!isSame(shapes.get(name)!, value)) continue;
        count += 1;
        const lowering = new Lowering(translation, { revision: "old", method, part, onloss: lost });
        const looked = lowering.walk(name, value);
        expect(looked === LOST ? "lost" : looked, `${method} ${part}`).toBe(value);
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it("include a tool call", () => {
    const call = { name: "add", arguments: { resultType: "sum" } };
    expect(isSame(shapes.get(translation.methods.get("tools/call")!.params!)!, call)).toBe(true);
  });

  it("include no message with metadata", () => {
    for (const { name } of places) expect(isSame(shapes.get(name)!, { _meta: {} })).toBe(false);
  });
});

function lost(): never {
  throw new Error("Something is lost");
}
