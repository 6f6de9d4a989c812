/** Discovery of endpoints: merges command-line options with the configuration file, and resolves targets. */
export { type AccessSettings, describeHeaderProblem, mergeSettings } from './accessSettings.ts';
export { describeTarget } from './describeTarget.ts';
export {
  DISCOVERY_DEFAULTS,
  DISCOVERY_MODES,
  type DiscoveryMode,
  type DiscoverySettings,
  type RequestSettings,
  type SourceSettings,
} from './discoverySettings.ts';
export { divideSources } from './shardedSource.ts';
export { isInCluster } from './sources/kubernetes/environment.ts';
export { redactSource } from './sources/sourceSpec.ts';
export { resolveTargets, type TargetSources } from './targets.ts';
