import { Program } from "../core/program.js";
import type { Contestant } from "../core/rounds.js";
import type { Seen } from "../core/section.js";

/** By message and kind. Not all contestants have all messages. */
export type Figures = Record<string, Seen | undefined>;

interface Module {
  readonly name: string;
  /** In `programs/validators`, without the extension. */
  readonly file: string;
  readonly inShort: boolean;
}

export const contestants: readonly Module[] = [
  { name: "by hand", file: "handwritten", inShort: true },
  { name: "mcp-codegen", file: "generated", inShort: true },
  { name: "ajv compiled", file: "ajv", inShort: false },
  { name: "ajv standalone", file: "ajv-standalone", inShort: true },
  { name: "typebox", file: "typebox", inShort: false },
  { name: "sdk 1.32", file: "sdk-1", inShort: false },
  { name: "sdk 2.4", file: "sdk-2", inShort: true },
  { name: "JSON.parse", file: "parse", inShort: true },
];

/** @param milliseconds that each message of each kind is measured for */
export function measured({ name, file }: Module, milliseconds: number): Contestant<string> {
  return {
    name,
    async measure() {
      const env = { CONTESTANT: file, MILLISECONDS: String(milliseconds) };
      const program = new Program("programs/validators/run.mjs", env);
      try {
        return await program.said<Record<string, number>>();
      } catch (error) {
        throw new Error(`Validators of ${name} failed`, { cause: error });
      } finally {
        await program.end();
      }
    },
  };
}
