export type * from "@mcp-codegen/universal/common/types";
