/** True for `http:` and `https:` URLs, which a browser opens without running code. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/** @throws TypeError for what is not `http:` or `https:` */
export function webUrl(text: string): string {
  if (isWebUrl(text)) return text;
  throw new TypeError("The URL of an elicitation is an http: or https: one");
}
