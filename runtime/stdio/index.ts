export {
  type ServeStdioOptions,
  type Servable,
  serveStdio,
  type StdioServerOptions,
  StdioServerTransport,
} from "./serve-stdio.js";
