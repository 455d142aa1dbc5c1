import { Ajv2020 } from "ajv/dist/2020.js";
import { jsonSchema } from "./json-schema.mjs";

export const check = (revision, type) =>
  new Ajv2020({ strict: false }).compile(jsonSchema(revision, type));
