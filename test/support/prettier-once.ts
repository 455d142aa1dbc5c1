import type { format as Format } from "prettier/standalone";

const { format: prettier } = (await import("prettier/standalone.mjs" as string)) as {
  format: typeof Format;
};

const formatted = new Map<string, Promise<string>>();

/** Prettier as generated code is formatted, with the same options each time: each text once. */
export const format: typeof Format = (text, options) => {
  const known = formatted.get(text) ?? prettier(text, options);
  formatted.set(text, known);
  return known;
};
