import type { CompilerError } from "./errors.js";
import type { Survey, Verdict } from "./survey.js";

/** Reason why programs do not compile, with how many it breaks. */
export interface Reason {
  readonly text: string;
  readonly programs: number;
  readonly snippets: number;
  /** Programs that have this as their only reason. */
  readonly alone: number;
  /** Place of one occurrence. */
  readonly example: string;
}

/**
 * Codes of errors that follow from others: a parameter has no type if the function that takes its
 * handler is missing.
 */
const CONSEQUENCES = new Set(["TS7006", "TS7031", "TS18046", "TS2347"]);

/** Errors of a program without those that follow from others. */
const causes = (errors: readonly CompilerError[]) => {
  const first = errors.filter(({ code }) => !CONSEQUENCES.has(code));
  return first.length > 0 ? first : errors;
};

/** Message of the compiler without what differs from one occurrence to the next. */
const reasonOf = ({ code, text }: CompilerError) => {
  const short = text.replace(/ on type '\{ [A-Z_]+: .*/, " on the imported module.");
  return `${code}: ${short.length > 230 ? `${short.slice(0, 230)}…` : short}`;
};

/** Reasons, those first that break most programs. */
export function ranking(survey: Survey): Reason[] {
  const found = new Map<
    string,
    { programs: Set<string>; snippets: Set<string>; alone: number; example: string }
  >();
  const add = ({ name, errors: all }: Verdict, kind: "programs" | "snippets") => {
    const errors = causes(all);
    const reasons = new Set(errors.map(reasonOf));
    for (const error of errors) {
      const text = reasonOf(error);
      const example = `${error.file}:${error.line}`;
      const entry = found.get(text) ?? {
        programs: new Set(),
        snippets: new Set(),
        alone: 0,
        example,
      };
      if (!entry[kind].has(name) && kind === "programs" && reasons.size === 1) entry.alone++;
      entry[kind].add(name);
      found.set(text, entry);
    }
  };
  for (const verdict of survey.programs) add(verdict, "programs");
  for (const verdict of survey.snippets) add(verdict, "snippets");
  return [...found]
    .map(([text, { programs, snippets, alone, example }]) => ({
      text,
      programs: programs.size,
      snippets: snippets.size,
      alone,
      example,
    }))
    .toSorted(
      (a, b) => b.programs - a.programs || b.snippets - a.snippets || (a.text < b.text ? -1 : 1),
    );
}
