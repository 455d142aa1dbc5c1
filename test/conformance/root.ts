import { fileURLToPath } from "node:url";

/** The folder of the repository, with a slash at its end, as seen from where this is compiled to. */
export const root: string = fileURLToPath(new URL("../../../", import.meta.url));
