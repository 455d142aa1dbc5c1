export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const KNOWN: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];

/**
 * Detects the package manager that started this process, from the `npm_config_user_agent` variable that all of them
 * set. The caller passes its value. Default: npm.
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return KNOWN.find((known) => known === name) ?? "npm";
}

export const installCommand = (manager: PackageManager): string => `${manager} install`;

/** Returns the beginning of a command that runs a script: `npm run`, `pnpm run`. */
export const runCommand = (manager: PackageManager): string => `${manager} run`;

/** Returns the command that runs the `test` script. `bun test` would start Bun's own test runner instead. */
export const testCommand = (manager: PackageManager): string =>
  manager === "bun" ? "bun run test" : `${manager} test`;

/** Returns the start of a command that runs the `start` script with arguments. */
export const startCommand = (manager: PackageManager): string =>
  manager === "npm" ? "npm start --" : `${manager} run start`;
