export { clientStateless, serverStateless } from "./stateless.js";
export { isStateless } from "./stateless-client.js";
export {
  type SubscribeOptions,
  type SubscribingClient,
  type Subscription,
  subscribe,
} from "./subscribe.js";
export { topicsOf } from "./topics.js";
