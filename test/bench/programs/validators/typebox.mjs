import { Compile } from "typebox/schema";
import { jsonSchema } from "./json-schema.mjs";

export function check(revision, type) {
  const validator = Compile(jsonSchema(revision, type));
  if (!validator.IsAccelerated()) throw new Error(`TypeBox has not compiled ${type}`);
  return (value) => validator.Check(value);
}
