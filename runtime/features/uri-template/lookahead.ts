import type { Instruction } from "./program.js";
import { END, TOKENS } from "./tokens.js";

/**
 * Tokens that can follow at the targets of a `fork`, by instruction, the end of the text included.
 * They save the matcher from following the many ways that end with the next token.
 */
export function lookahead(
  instructions: readonly Instruction[],
): readonly (Uint8Array | undefined)[] {
  const known = Array.from<Uint8Array | undefined>({ length: instructions.length });
  const following = (place: number): Uint8Array => {
    const before = known[place];
    if (before) return before;
    const set = new Uint8Array(TOKENS + 1);
    const instruction = instructions[place]!;
    switch (instruction.op) {
      case "token":
        set[instruction.token] = 1;
        break;
      case "set":
        set.set(instruction.set);
        break;
      case "done":
        set[END] = 1;
        break;
      case "fork":
        set.set(following(instruction.first));
        following(instruction.second).forEach((bit, token) => (set[token]! |= bit));
        break;
      case "jump":
        set.set(following(instruction.to));
        break;
      case "mark":
        set.set(following(place + 1));
    }
    known[place] = set;
    return set;
  };
  for (const instruction of instructions)
    if (instruction.op === "fork") {
      following(instruction.first);
      following(instruction.second);
    }
  return known;
}
