/** Definitions of the supported inference servers, and detection of servers by metric names. */

export type {
  CountMetric,
  Headline,
  KeyMetricDefinition,
  KeyStat,
  KvCacheConfig,
  LabelFilter,
  LatencyMetric,
  MetricRole,
  ReconciliationMetrics,
  RoleMetric,
  ServerDefinition,
  ServerOptions,
  WorkerRegistration,
} from './serverDefinition.ts';
export {
  KEY_METRIC_NAMES,
  recognizeServers,
  SERVERS,
  SERVERS_FRONTENDS_FIRST,
  stripServerPrefix,
} from './servers.ts';
