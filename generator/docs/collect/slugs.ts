const LONGEST = 80;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** File names for names of any characters, unique where case is ignored, in the order of the calls. */
export class Slugs {
  readonly #used = new Set<string>();

  next(name: string): string {
    const plain = name
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, LONGEST);
    const safe = plain === "" || DEVICE.test(plain.split(".")[0]!) ? `name-${plain}` : plain;
    let slug = safe;
    for (let count = 2; this.#used.has(slug.toLowerCase()); count++) slug = `${safe}-${count}`;
    this.#used.add(slug.toLowerCase());
    return slug;
  }
}
