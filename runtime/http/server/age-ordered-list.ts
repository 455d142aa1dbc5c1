/** Entry that can be marked stale. */
export interface StaleEntry {
  readonly isGone: boolean;
}

/** Members that are gone and may still be listed, however few others there are. */
const FEW = 32;

/** A list, oldest first, for which it costs next to nothing that something in it is forgotten. */
export class AgeOrderedList<Member extends StaleEntry> {
  #members: Member[] = [];
  /** All before this one are gone. */
  #first = 0;
  #gone = 0;

  get oldest(): Member | undefined {
    while (this.#members[this.#first]?.isGone) this.#first += 1;
    return this.#members[this.#first];
  }

  add(member: Member): void {
    this.#members.push(member);
  }

  /** One more is gone. */
  lost(): void {
    this.#gone += 1;
    if (this.#gone > FEW && 2 * this.#gone > this.#members.length) this.#compact();
  }

  /** Hands out all that are left. */
  clear(): readonly Member[] {
    this.#compact();
    const members = this.#members;
    this.#members = [];
    return members;
  }

  #compact(): void {
    this.#members = this.#members.filter(({ isGone }) => !isGone);
    this.#first = 0;
    this.#gone = 0;
  }
}
