/** Definitions of inference servers, and detection of servers by metric names. */

export { builtInServers, extendBuiltInServers } from './builtInServers.ts';
export { type DefinitionFile, toDefinition } from './definitionFile.ts';
export {
  type Formula,
  type FormulaNode,
  isReplicaFunction,
  type LabelMatch,
  listNodes,
} from './formula/formula.ts';
export { parseFormula } from './formula/parseFormula.ts';
export { isQuotientUnit } from './formula/units.ts';
export { roles } from './generated/roles.ts';
export { getStatType, listUsedTypes, type UsedType } from './metricTypes.ts';
export { PROCESS_CPU_METRIC } from './processMetrics.ts';
export { type RecordedDefinitions, readRecordedDefinitions } from './recordedDefinitions.ts';
export type { Constant, MetricRole } from './role.ts';
export { selectRoleServers } from './roleScope.ts';
export { isForwarder, ServerCatalog, servesRequests, stripPrefix } from './serverCatalog.ts';
export type {
  BuildInfo,
  CountMetric,
  Headline,
  KeyMetricDefinition,
  KeyStat,
  KvCacheConfig,
  LabelFilter,
  LatencyMetric,
  MetricOverlap,
  ReconciliationMetrics,
  RoleMetric,
  SeriesOverlap,
  ServerDefinition,
  ServerKind,
  ServerOptions,
  StageMetrics,
  TransferMetric,
  WorkerRegistration,
} from './serverDefinition.ts';
export { describeVersionGap, type ServerVersion } from './serverVersion.ts';
