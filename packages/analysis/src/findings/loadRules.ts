import { FULL_KV_CACHE, PREEMPTIONS } from './cacheRules.ts';
import {
  FULL_BATCH,
  GROWING_QUEUE,
  PREFILL_BOTTLENECK,
  SERVER_BOTTLENECK,
  TAIL_LATENCY,
} from './queueRules.ts';
import { REPLICA_IMBALANCE } from './replicaImbalance.ts';
import type { LoadRule } from './rule.ts';
import { CLIENT_BOTTLENECK, IDLE_SERVER, SPARE_CAPACITY } from './utilizationRules.ts';

/**
 * The verdict on the load of a run, as rules in order of precedence: the first rule that applies excludes all others.
 * Their advice could contradict it, such as to increase and to reduce the load.
 */
export const LOAD_RULES: readonly LoadRule[] = [
  IDLE_SERVER,
  REPLICA_IMBALANCE,
  FULL_KV_CACHE,
  PREEMPTIONS,
  FULL_BATCH,
  GROWING_QUEUE,
  SERVER_BOTTLENECK,
  PREFILL_BOTTLENECK,
  TAIL_LATENCY,
  CLIENT_BOTTLENECK,
  SPARE_CAPACITY,
];
