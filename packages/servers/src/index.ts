/** Definitions of inference servers, and detection of servers by metric names. */

export { builtInServers } from './builtInServers.ts';
export { type DefinitionFile, toDefinition } from './definitionFile.ts';
export { ServerCatalog, stripPrefix } from './serverCatalog.ts';
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
  SeriesOverlap,
  ServerDefinition,
  ServerOptions,
  StageMetrics,
  WorkerRegistration,
} from './serverDefinition.ts';
