import { fileURLToPath } from "node:url";

/** The folder `test/bench` and the repository, located from the place of the compiled file. */
export const bench = fileURLToPath(new URL("../../", import.meta.url));
export const root = fileURLToPath(new URL("../../../../", import.meta.url));
