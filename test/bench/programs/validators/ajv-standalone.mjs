import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { jsonSchema } from "./json-schema.mjs";

export async function check(revision, type) {
  const ajv = new Ajv2020({ strict: false, code: { source: true, esm: true } });
  const text = standalone.default(ajv, ajv.compile(jsonSchema(revision, type)));
  const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return module.default;
}
