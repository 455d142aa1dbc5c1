/** The maximum number of notes per label, because an endless handler must not fill the memory. */
const KEPT = 100;

/** Notes about events on the server, for tests that can only send requests. */
export class Witness {
  readonly #notes = new Map<string, string[]>();

  note(label: string, what: string): void {
    const notes = this.#notes.get(label) ?? [];
    if (notes.length < KEPT) notes.push(what);
    this.#notes.set(label, notes);
  }

  notesOn(label: string): readonly string[] {
    return this.#notes.get(label) ?? [];
  }
}
