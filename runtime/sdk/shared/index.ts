export type * from "@mcp-codegen/universal/types";
