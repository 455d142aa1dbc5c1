import type { Program } from "./program.js";
import { tokenAt, widthOf } from "./tokens.js";

/** Start or end of a value, linked to all earlier marks. */
interface Mark {
  readonly capture: number;
  readonly isEnd: boolean;
  readonly position: number;
  readonly previous: Mark | undefined;
}

/** A value: characters `start` to `end` of the text. */
export interface CapturedValue {
  readonly capture: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Matches a whole text, reading it once: all ways to read it are followed side by side, the preferred ones
 * first, so that the time is at most the length of the text times that of the program.
 */
export function run(program: Program, text: string): CapturedValue[] | undefined {
  const front = new Front(program);
  front.start(tokenAt(text, 0));
  let position = 0;
  while (position < text.length) {
    position = front.skip(text, position);
    const token = tokenAt(text, position);
    position += widthOf(token);
    if (!front.step(token, position, tokenAt(text, position))) return undefined;
  }
  return front.result();
}

/** All places in the program that the text can have led to so far. */
class Front {
  readonly #program: Program;
  /** Position at which each instruction was reached last, plus 1. */
  readonly #reached: Uint32Array;
  #position = 0;
  /** The token at that position. */
  #next = 0;
  #places: number[] = [];
  #marks: (Mark | undefined)[] = [];
  #nextPlaces: number[] = [];
  #nextMarks: (Mark | undefined)[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.#reached = new Uint32Array(program.instructions.length);
  }

  start(next: number): void {
    this.#next = next;
    this.#add(0, undefined);
  }

  /**
   * Passes over tokens that can be nothing but part of the same value, and gives the position of the next one.
   * Most of a long text is like that.
   */
  skip(text: string, position: number): number {
    const [place] = this.#places;
    const { instructions, following } = this.#program;
    const instruction = instructions[place!];
    if (this.#places.length !== 1 || instruction?.op !== "set") return position;
    const { set, exit } = instruction;
    if (exit === undefined) return position;
    const ends = following[exit]!;
    let current = position;
    let token = tokenAt(text, current);
    while (set[token] === 1) {
      const end = current + widthOf(token);
      token = tokenAt(text, end);
      if (set[token] !== 1 || ends[token] === 1) break;
      current = end;
    }
    return current;
  }

  /** Consumes a token, which ends at a position. False when nothing can follow any more. */
  step(token: number, position: number, next: number): boolean {
    const places = this.#places;
    const marks = this.#marks;
    this.#places = this.#nextPlaces;
    this.#marks = this.#nextMarks;
    this.#position = position;
    this.#next = next;
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!;
      const instruction = this.#program.instructions[place]!;
      const fits =
        (instruction.op === "token" && instruction.token === token) ||
        (instruction.op === "set" && instruction.set[token] === 1);
      if (fits) this.#add(place + 1, marks[index]);
    }
    places.length = 0;
    marks.length = 0;
    this.#nextPlaces = places;
    this.#nextMarks = marks;
    return this.#places.length > 0;
  }

  /** CapturedValue values, if the text may end here. */
  result(): CapturedValue[] | undefined {
    const { instructions } = this.#program;
    const index = this.#places.findIndex((place) => instructions[place]!.op === "done");
    if (index < 0) return undefined;
    const captured: CapturedValue[] = [];
    for (let mark = this.#marks[index]; mark !== undefined; mark = mark.previous!.previous) {
      captured.push({ capture: mark.capture, start: mark.previous!.position, end: mark.position });
    }
    return captured.toReversed();
  }

  /** Continues from an instruction to all that consume a token. */
  #add(place: number, marks: Mark | undefined): void {
    const position = this.#position;
    if (this.#reached[place] === position + 1) return;
    this.#reached[place] = position + 1;
    const instruction = this.#program.instructions[place]!;
    switch (instruction.op) {
      case "fork":
        this.#addIfPossible(instruction.first, marks);
        return this.#addIfPossible(instruction.second, marks);
      case "jump":
        return this.#add(instruction.to, marks);
      case "mark": {
        const { capture, isEnd } = instruction;
        return this.#add(place + 1, { capture, isEnd, position, previous: marks });
      }
      default:
        this.#places.push(place);
        this.#marks.push(marks);
    }
  }

  #addIfPossible(place: number, marks: Mark | undefined): void {
    if (this.#program.following[place]![this.#next] === 1) this.#add(place, marks);
  }
}
