export type {
  CountMetric,
  Headline,
  LatencyMetric,
  MetricRole,
  ReconciliationMetrics,
  RoleMetric,
  ServerDefinition,
  WatchedMetric,
  WatchedStat,
} from './serverDefinition.ts';
export {
  recognizeServers,
  SERVERS,
  SERVERS_FROM_CLIENT,
  stripServerPrefix,
  WATCHED_METRICS,
} from './servers.ts';
