import type { AccessSettings, TargetSettings } from '../accessSettings.ts';
import type { DiscoverySettings, SourceSettings } from '../discoverySettings.ts';

/** The contents of a configuration file. */
export interface Config {
  readonly defaults: AccessSettings;
  readonly targets: readonly TargetSettings[];
  readonly sources?: readonly SourceSettings[];
  readonly discovery?: DiscoverySettings;
}
