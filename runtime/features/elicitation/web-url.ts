import { isWebUrl } from "../../wire/index.js";

/** @throws TypeError for what is not `http:` or `https:` */
export function webUrl(text: string): string {
  if (isWebUrl(text)) return text;
  throw new TypeError("The URL of an elicitation is an http: or https: one");
}
