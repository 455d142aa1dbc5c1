import { descriptionOf, type Validator } from "../../runtime/wire/validation/validator.js";
import { type Shape, shapeOf } from "../../runtime/wire/validation/shape.js";
import type { Shapes } from "../../runtime/wire/validation/validator.js";
import type { Method, Revision } from "../../runtime/wire/revision/revision.js";

/** A value with one error that its structure does not show. */
export interface WrongValue {
  /** A JSON Pointer to the error. */
  readonly path: string;
  readonly format: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly value: any;
}

export interface Samples {
  readonly right: unknown;
  readonly wrong: readonly WrongValue[];
}

/** A part of the messages of a method that a revision defines, with values for it. */
export interface Part extends Samples {
  readonly row: Method;
  readonly part: "params" | "result" | "taskResult" | "inputResult";
  readonly validator: Validator;
}

const PARTS = ["params", "result", "taskResult", "inputResult"] as const;

/** Returns all parts of a revision's messages whose content can be wrong, as found in its generated tables. */
export function partsOf({ methods }: Revision): Part[] {
  return [...methods.values()].flatMap((row) =>
    PARTS.flatMap((part): Part[] => {
      const validator = row[part];
      const samples = validator && samplesOf(validator);
      return samples && samples.wrong.length > 0 ? [{ row, part, validator, ...samples }] : [];
    }),
  );
}

/** Returns a valid value of a type with only its required members, and all ways to make one invalid. */
export function samplesOf(validator: Validator): Samples | undefined {
  const description = descriptionOf(validator);
  return description && new Sampler(description.shapes).declared(description.name, []);
}

/** Each format with a valid and an invalid value. */
const FORMATS: Readonly<Record<string, readonly [right: unknown, wrong: unknown]>> = {
  byte: ["aGk=", "not base64!!"],
  uri: ["test:///a", "not a uri"],
  "uri-template": ["test:///{a}", "test:///{"],
  "file-uri": ["file:///a", "file:///a/../b"],
  icon: ["https://example.com/a.png", "javascript:alert(1)"],
  "web-url": ["https://example.com/", "javascript:alert(1)"],
  "media-type": ["image/png", "nonsense"],
};

class Sampler {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** Returns the samples of a declared type, or undefined if it leads back to itself. */
  declared(name: string, open: readonly string[]): Samples | undefined {
    if (open.includes(name)) return undefined;
    const shape = shapeOf(this.#shapes, name);
    return typeof shape === "function" ? samplesOf(shape) : this.#of(shape, [...open, name]);
  }

  #of(shape: Shape, open: readonly string[]): Samples | undefined {
    let samples = this.#plain(shape, open);
    for (const format of shape.formats ?? []) samples = samples && formatted(samples, format);
    return samples;
  }

  #plain(shape: Shape, open: readonly string[]): Samples | undefined {
    switch (shape.kind) {
      case "unknown":
        return only({});
      case "scalar":
        return only(valueOf(shape.expected));
      case "array": {
        const item = this.#of(shape.element, open);
        const wrong = (item?.wrong ?? []).map((one) => ({
          ...one,
          path: `/0${one.path}`,
          value: [one.value],
        }));
        return { right: [], wrong };
      }
      case "object":
        return this.#object(shape, open);
      case "union":
        return this.#union(shape, open);
      case "intersection":
        throw new Error("no sample of an intersection");
      case "reference":
        return this.declared(shape.name, open);
    }
  }

  #object(shape: Shape & { kind: "object" }, open: readonly string[]): Samples | undefined {
    const members = shape.members.map((member) => ({
      ...member,
      samples: this.#of(member.shape, open),
    }));
    if (members.some(({ optional, samples }) => !optional && !samples)) return undefined;
    const required = members.filter(({ optional }) => !optional);
    const right = Object.fromEntries(required.map(({ name, samples }) => [name, samples!.right]));
    const index = shape.index && this.#of(shape.index, open);
    const all = index ? [...members, { name: "any", samples: index }] : members;
    const wrong = all.flatMap(({ name, samples }) =>
      (samples?.wrong ?? []).map((one) => ({
        ...one,
        path: `/${name.replaceAll("/", "~1")}${one.path}`,
        value: { ...right, [name]: one.value },
      })),
    );
    return { right, wrong };
  }

  #union(shape: Shape & { kind: "union" }, open: readonly string[]): Samples | undefined {
    const arms = (shape.cases ?? shape.arms.map((arm) => ({ shape: arm }))).flatMap(
      (one) => this.#of(one.shape, open) ?? [],
    );
    return arms[0] && { right: arms[0].right, wrong: arms.flatMap(({ wrong }) => wrong) };
  }
}

function formatted({ right, wrong }: Samples, format: string): Samples {
  const [name, members = ""] = format.split(":");
  const spoilt = (path: string, value: unknown): WrongValue => ({ path, format, value });
  const own = right as Record<string, unknown>;
  switch (name) {
    case "meta":
      return { right, wrong: [...wrong, spoilt("/bad key!", { ...own, "bad key!": 1 })] };
    case "trace":
      return { right, wrong: [...wrong, spoilt("/traceparent", { ...own, traceparent: "no" })] };
    case "tool-turns": {
      const used = { type: "tool_use", id: "1", name: "t", input: {} };
      const value = [{ role: "assistant", content: used }];
      return { right, wrong: [...wrong, { path: "/0", format, value }] };
    }
    case "exactly-one": {
      const both = Object.fromEntries(members.split(",").map((member) => [member, "aGk="]));
      return { right, wrong: [...wrong, spoilt("", { ...own, ...both })] };
    }
    default: {
      const [good, bad] = FORMATS[name!]!;
      return { right: good, wrong: [...wrong, spoilt("", bad)] };
    }
  }
}

function only(right: unknown): Samples {
  return { right, wrong: [] };
}

function valueOf(expected: string): unknown {
  if (/^["\d-]|^(?:true|false|null)$/.test(expected)) return JSON.parse(expected);
  if (expected.startsWith("string")) return "text";
  return expected === "boolean" ? true : 1;
}
