/** Whether a browser could open it without harm: `http:` or `https:`, nothing that is run. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/** @throws TypeError for what is not `http:` or `https:` */
export function webUrl(text: string): string {
  if (isWebUrl(text)) return text;
  throw new TypeError("The URL of an elicitation is an http: or https: one");
}
