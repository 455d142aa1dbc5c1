import { expect } from "vitest";
import { RpcError } from "../../../runtime/wire/errors.js";
import { jsonSchemas } from "../../../runtime/json-schema/index.js";
import type { Package } from "./revisions.js";

export const schemas = jsonSchemas();

/** A schema that accepts any arguments. */
export const any = { type: "object" };

export const twoNumbers = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
  additionalProperties: false,
};

export const sum = {
  type: "object",
  properties: { sum: { type: "number" } },
  required: ["sum"],
};

/** Creates a result that consists only of a text. */
export function text(content: string): { content: object[] } {
  return { content: [{ type: "text", text: content }] };
}

/** Returns true if tools have structured output. */
export function isStructured({ revision }: Package): boolean {
  return revision.id >= "2025-06-18";
}

/** Returns the error with which a request was answered. */
export async function failure(work: Promise<unknown>): Promise<RpcError> {
  const error = await work.then(
    (result) => result,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RpcError);
  return error as RpcError;
}
