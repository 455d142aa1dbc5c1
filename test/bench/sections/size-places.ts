import { fileURLToPath } from "node:url";

/** Seen from where the compiled sections lie. */
export const bench = fileURLToPath(new URL("../../", import.meta.url));
export const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const programs = `${bench}programs/size`;
