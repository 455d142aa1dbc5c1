import { fileURLToPath } from "node:url";

/** `test/bench` and the repository, seen from where this file is compiled to. */
export const bench = fileURLToPath(new URL("../../", import.meta.url));
export const root = fileURLToPath(new URL("../../../../", import.meta.url));
