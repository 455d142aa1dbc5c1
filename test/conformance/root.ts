import { fileURLToPath } from "node:url";

/** The repository's folder, with a trailing slash, located from the compiled file. */
export const root: string = fileURLToPath(new URL("../../../", import.meta.url));
