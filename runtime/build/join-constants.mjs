/** Constants without documentation that follow each other, as one declaration. */
export function joinConstants(text) {
  return text.replace(FOLLOWED, ",\n");
}

const FOLLOWED = /(?<=(?<!\*\/)\nexport declare const [^;{}\n]+);\nexport declare const /g;
