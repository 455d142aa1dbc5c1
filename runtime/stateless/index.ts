export { clientStateless, isStatelessError } from "./client/stateless-client.js";
export { serverStateless } from "./server-on-demand.js";
export { topicsOf } from "./topics.js";
