import type { CompilerError } from "./errors.js";
import type { Survey, Verdict } from "./survey.js";

/** A reason why programs do not compile, with the number of programs and snippets that it breaks. */
export interface Reason {
  readonly text: string;
  readonly programs: number;
  readonly snippets: number;
  /** The number of programs for which this is the only reason. */
  readonly alone: number;
  /** The place of one occurrence. */
  readonly example: string;
}

/**
 * The codes of errors that follow from others. For example, a parameter has no type if the function that takes its
 * handler is missing.
 */
const CONSEQUENCES = new Set(["TS7006", "TS7031", "TS18046", "TS2347"]);

/** Returns a program's errors without those that follow from others, unless all of them do. */
const causes = (errors: readonly CompilerError[]) => {
  const first = errors.filter(({ code }) => !CONSEQUENCES.has(code));
  return first.length > 0 ? first : errors;
};

/** Returns the compiler's message without the parts that differ between occurrences. */
const reasonOf = ({ code, text }: CompilerError) => {
  const short = text.replace(/ on type '\{ [A-Z_]+: .*/, " on the imported module.");
  return `${code}: ${short.length > 230 ? `${short.slice(0, 230)}…` : short}`;
};

/** Returns the reasons, starting with those that break the most programs. */
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
