/** A skill, or what a server sent of it, is not what it should be. Its message says what and where. */
export class SkillError extends Error {
  override readonly name: string = "SkillError";
  /** URI or path of what is wrong. */
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.place = place;
  }
}
