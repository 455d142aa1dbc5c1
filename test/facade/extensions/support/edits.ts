/** The notes with something put behind them. */
export const more = (text: string) => ({ edit: (schema: string) => `${schema}\n${text}\n` });

/** The notes with other text in one place. */
export const replacing = (from: string, to: string) => ({
  edit: (schema: string) => schema.replace(from, to),
});

/** Something else in place of the notes. */
export const bare = (text: string) => () => text;

/** The notes as an extension of another revision, which lacks what they import of the newest. */
export const OLDER = {
  revision: "2025-11-25",
  edit: (schema: string) =>
    schema.replace(/^ {2}InputRequiredResult,\n/m, "").replace(" | InputRequiredResult", ""),
};
