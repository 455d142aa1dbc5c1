import { fileURLToPath } from "node:url";

/** The folder of the repository, with a slash at its end, seen from the compiled file. */
export const root: string = fileURLToPath(new URL("../../../", import.meta.url));
