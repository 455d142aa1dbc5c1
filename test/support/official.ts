import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const beside = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** A study of the official schemas: `facts/*.json` and the published JSON Schemas in `schema-json/`. */
export const studyFolder = process.env["MCP_SCHEMA_STUDY"] ?? beside("shared/spec");

/** Returns the path of a part of the study, which does not belong to this repository. */
export const studyFile = (name: string): string => join(studyFolder, name);

export const hasStudy = (name: string): boolean => existsSync(studyFile(name));

/**
 * Returns the path of a published schema: `<revision>.ts`, `draft.ts` or, for an extension, `ext-<name>.ts`; undefined
 * if it is missing.
 */
export function officialSchema(name: string): string | undefined {
  const folder = process.env["MCP_OFFICIAL_SCHEMAS"];
  const file = folder && join(folder, `${name}.ts`);
  return file && existsSync(file) ? file : undefined;
}

export const OFFICIAL = "the published files in MCP_OFFICIAL_SCHEMAS";
export const STUDY = "the schema study in MCP_SCHEMA_STUDY";
