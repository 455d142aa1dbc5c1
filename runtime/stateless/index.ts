export { clientStateless, isStateless } from "./client.js";
export {
  type SubscribeOptions,
  type SubscribingClient,
  type Subscription,
  subscribe,
} from "./client-subscriptions.js";
export { serverStateless } from "./server.js";
export { topicsOf } from "./topics.js";
