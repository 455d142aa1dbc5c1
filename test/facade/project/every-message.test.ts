import { describe, expect, it } from "vitest";
import { CapabilityError } from "../../../runtime/wire/errors.js";
import { hasSchemaJson } from "../../validators/schema-json.js";
import { StrictSchemaJson } from "./strict-schema-json.js";
import {
  evolution,
  lowered,
  neutral,
  older,
  protocols,
  raisedFrom,
  rowOf,
  shapesOf,
} from "./revisions.js";
import { Samples } from "./samples.js";
import { strictIssues } from "./strict.js";
import { itWhere } from "../../support/conditional.js";

/**
 * Messages that cannot be expressed and cause errors instead: URL mode, and tools and several kinds of content in
 * sampling.
 */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "2024-11-05": ["sampling/createMessage params", "sampling/createMessage result"],
  "2025-03-26": ["sampling/createMessage params", "sampling/createMessage result"],
  "2025-06-18": [
    "sampling/createMessage params",
    "sampling/createMessage result",
    "elicitation/create params",
  ],
  "2025-11-25": [],
};

const samples = new Samples(neutral);

/** Messages of the newest definitions, with everything that they can have. */
const messages = evolution.methods.flatMap(({ method: { method, params, result } }) =>
  (
    [
      ["params", params?.type],
      ["result", result?.type],
    ] as const
  ).flatMap(([part, type]) =>
    type === undefined ? [] : [{ method, part, type, values: samples.named(type) }],
  ),
);

describe.each(older.map((revision) => ({ id: revision.id, revision })))(
  "$id",
  ({ id, revision }) => {
    const protocol = protocols.find((one) => one.revision === id)!;
    const shapes = shapesOf(id);
    const own = messages.filter(({ method }) => revision.methods.has(method));

    it.each(own)(
      "sends only members of the revision in $method $part (MATRIX-06)",
      ({ method, part, values }) => {
        const linked = protocol.methods.find((one) => one.method === method)!;
        const type = part === "params" ? linked.params!.type : linked.result!.type;
        expect(values.length).toBeGreaterThan(0);
        let sent = 0;
        for (const value of values) {
          const before = JSON.stringify(value);
          try {
            const message = lowered(revision, method, part, value);
            expect(strictIssues(shapes, type, message), JSON.stringify(message)).toEqual([]);
            expect(rowOf(revision, method)[part]?.(message)).toBe(true);
            sent += 1;
          } catch (error) {
            if (!(error instanceof CapabilityError)) throw error;
            expect(REFUSED[id]).toContain(`${method} ${part}`);
          }
          expect(JSON.stringify(value)).toBe(before);
        }
        if (method !== "sampling/createMessage") expect(sent).toBeGreaterThan(0);
      },
    );

    itWhere(hasSchemaJson(id)).each(own)(
      "sends $method $part so that it is valid by the official JSON Schema, made strict (MATRIX-06)",
      ({ method, part, values }) => {
        const schema = new StrictSchemaJson(id);
        const linked = protocol.methods.find((one) => one.method === method)!;
        for (const value of values) {
          let message: unknown;
          try {
            message = lowered(revision, method, part, value);
          } catch {
            continue;
          }
          const issues =
            part === "params"
              ? schema.paramsIssues(linked.type, message)
              : schema.issues(linked.result!.type, message);
          expect(issues, JSON.stringify(message)).toEqual([]);
        }
      },
    );

    it("reads its own messages as valid ones of the newest revision", () => {
      const mine = new Samples(shapes);
      let number = 0;
      for (const { method, result } of protocol.methods) {
        const newest = evolution.methods.find((one) => one.method.method === method)!.method;
        if (!result || !newest.result || newest.role === "initialize") continue;
        for (const value of mine.named(result.type)) {
          const message = raisedFrom(revision, method, "result", value);
          const missing = strictIssues(neutral, newest.result.type, message).filter((issue) =>
            issue.endsWith("missing"),
          );
          expect(missing, `${method} ${JSON.stringify(message)}`).toEqual([]);
          number += 1;
        }
      }
      expect(number).toBeGreaterThan(10);
    });
  },
);
