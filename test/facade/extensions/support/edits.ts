/** Appends a text to the notes schema. */
export const more = (text: string) => ({ edit: (schema: string) => `${schema}\n${text}\n` });

/** Replaces a text in one place of the notes schema. */
export const replacing = (from: string, to: string) => ({
  edit: (schema: string) => schema.replace(from, to),
});

/** Replaces the notes schema with something else. */
export const bare = (text: string) => () => text;

/** The notes as an extension of another revision, without the import from the newest revision that it lacks. */
export const OLDER = {
  revision: "2025-11-25",
  edit: (schema: string) =>
    schema.replace(/^ {2}InputRequiredResult,\n/m, "").replace(" | InputRequiredResult", ""),
};
