import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The path of Chromium: `CHROMIUM`, or by default the place where Debian and Ubuntu install it. */
export const CHROMIUM: string = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** The reason why no page can be opened; undefined if one can. */
export const whyNoBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : `there is no Chromium at ${CHROMIUM}: set CHROMIUM to its path`;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
