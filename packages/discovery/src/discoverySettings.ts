import type { AccessSettings } from './accessSettings.ts';

/** The search for pods: only in a cluster (`auto`), always, or never. The names are AIPerf's. */
export type DiscoveryMode = 'auto' | 'kubernetes' | 'disabled';

export const DISCOVERY_MODES: readonly DiscoveryMode[] = ['auto', 'kubernetes', 'disabled'];

/** The default mode, as in AIPerf. */
export const DEFAULT_MODE: DiscoveryMode = 'auto';

/** Settings of service discovery: `discovery` of the configuration file, or options. Fields have the names of the file. */
export interface DiscoverySettings {
  readonly mode?: DiscoveryMode;
  readonly label_selector?: string;
  /** The namespace of the pods; `*` for all namespaces. */
  readonly namespace?: string;
  /** Timeout of a request to a source, in seconds. */
  readonly timeout_seconds?: number;
  /** Time between two reads of a source that cannot be watched, in seconds. */
  readonly refresh?: number;
  /** Time to wait for the first endpoint of each source, in seconds. */
  readonly wait?: number;
  /** True to start without the endpoints of a source that has none. */
  readonly optional?: boolean;
  /** True to scrape pods that only have the annotation `prometheus.io/scrape: "true"`. */
  readonly annotations?: boolean;
  /** True to scrape the pods that PodMonitors and ServiceMonitors select. */
  readonly monitors?: boolean;
  /** True to reach pods through the proxy of the API server. */
  readonly proxy?: boolean;
  /** Absolute path of a kubeconfig file. */
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Headers and credentials of requests to the server of a source. Scrapes do not send them. */
export type RequestSettings = Pick<
  AccessSettings,
  'headers' | 'bearer_token' | 'bearer_token_file' | 'basic_auth' | 'basic_auth_file'
>;

/** A source of the configuration file or of the command line, with the settings of its endpoints. */
export interface SourceSettings extends AccessSettings {
  /** Headers and credentials of requests to the server of the source. */
  readonly request?: RequestSettings;
  /** The source as users write it, such as `file_sd:targets.json`. */
  readonly source: string;
}

/** Defaults of the settings that have one. */
export const DISCOVERY_DEFAULTS = { timeout_seconds: 30, refresh: 30, wait: 0 } as const;
