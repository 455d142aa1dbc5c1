export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const KNOWN: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];

/** The package manager that started this process, from the variable `npm_config_user_agent` that all of them set. */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return KNOWN.find((known) => known === name) ?? "npm";
}

export const installCommand = (manager: PackageManager): string => `${manager} install`;

/** Command that runs a script: `npm run build`, `pnpm run build`. */
export const runCommand = (manager: PackageManager): string => `${manager} run`;

/** Command that runs the script `test`; `bun test` is a runner of Bun's own. */
export const testCommand = (manager: PackageManager): string =>
  manager === "bun" ? "bun run test" : `${manager} test`;

/** Command that runs the script `start` with additional arguments. */
export const startCommand = (manager: PackageManager): string =>
  manager === "npm" ? "npm start --" : `${manager} run start`;
