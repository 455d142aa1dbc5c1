/** Configuration file. Each member means the same as the command-line option of that name. */
export interface Config {
  /** Revisions to generate: bundled ones, or the revision id of `schema`. */
  readonly revisions?: readonly string[];
  /** True to generate every bundled revision, and the package that serves all of them. */
  readonly all?: boolean;
  /** True to also generate one package that serves all of these revisions. */
  readonly universal?: boolean;
  /** Path of a custom schema.ts, relative to the configuration file. */
  readonly schema?: string;
  /** Path of the facts about `schema`, relative to the configuration file. */
  readonly facts?: string;
  /** Extensions of the protocol, with custom schemas. */
  readonly extensions?: readonly ExtensionConfig[];
  /** Folder for the files, relative to the configuration file. */
  readonly out?: string;
  /** Module that the generated code imports instead of `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** True to omit package.json, tsconfig.json and README.md, for a folder inside your project. */
  readonly modulesOnly?: boolean;
}

/** Configuration of the command `extension`; paths are relative to the configuration file. */
export interface ExtensionConfig {
  /** Extension id, with a prefix that you own: `com.example/maps`. */
  readonly id: string;
  /** Path of its schema. */
  readonly schema: string;
  /** Bundled revision that it extends, or path of a schema.ts. Default: the newest. */
  readonly revision?: string;
  readonly facts?: string;
  /** Folder for its files. Default: a folder named after the last part of its id, beside those of the revisions. */
  readonly out?: string;
}

/** Returns a configuration unchanged; checks its type: `export default defineConfig({ all: true })`. */
export function defineConfig(config: Config): Config {
  return config;
}
