export { redis, type RedisOptions, type RedisStores } from "./redis.js";
export type { RedisBus } from "./bus.js";
export type { RedisTasks, RedisTasksOptions } from "./tasks.js";
export type {
  IoRedis,
  IoRedisSubscriber,
  NodeRedis,
  NodeRedisCluster,
  NodeRedisSubscriber,
  RedisClient,
} from "./connection.js";
export { RedisError, type RedisErrorCode } from "./engine.js";
