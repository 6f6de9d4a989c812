import type { PercentileMethod } from '@org/core';
import type { CancellationOptions, EndpointName, GoodputRule, PhaseOptions } from '@org/loadgen';
import type { ExportFormat, Layouts } from '@org/record';
import type { Target } from '@org/scrape';
import type { Settings } from '../lifecycle/scrapeSettings.ts';
import type { InputOptions } from './loadInputs.ts';

/** Whom requests believe in TLS, and who we are to them; all as PEM. The scrapes are told the same. */
export interface AskTls {
  /** False to believe any server. */
  readonly verifyTls: boolean;
  /** All issuers to trust: the usual ones, and those that were given. */
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

/** Whom requests go to and what they all have in common. */
export interface AskOptions {
  readonly model: string;
  readonly urls: readonly string[];
  readonly endpoint: EndpointName;
  /** Instead of the API's own. */
  readonly path?: string;
  readonly streaming: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey?: string;
  readonly extraInputs: Readonly<Record<string, unknown>>;
  readonly legacyMaxTokens: boolean;
  readonly timeoutSeconds?: number;
  readonly connectionReuse: 'pooled' | 'never';
  readonly tls: AskTls;
}

/** What is scraped beside the load, and exported. */
export interface ServerOptions {
  readonly enabled: boolean;
  readonly targets: readonly Target[];
  readonly required: boolean;
  readonly formats: readonly ExportFormat[];
  readonly layouts: Layouts;
  readonly parquetPartition: boolean;
  readonly percentileMethod: PercentileMethod;
  readonly settleSeconds?: number;
  readonly keepJournal: boolean;
  /** Bytes that what was scraped may take in memory. */
  readonly memoryLimit: number;
  readonly settings: Settings;
}

/** What `servelens profile` was asked to do, checked: one run. */
export interface ProfileOptions {
  readonly ask: AskOptions;
  readonly profiling: PhaseOptions;
  readonly warmup?: PhaseOptions;
  readonly cancellation?: CancellationOptions;
  readonly inputs: InputOptions;
  readonly seed: number;
  /** Threads of their own that send the requests; undefined for the thread of everything else. */
  readonly workers?: number;
  readonly tokenizer: string;
  readonly useServerTokenCount: boolean;
  readonly goodput?: readonly GoodputRule[];
  readonly sliceSeconds?: number;
  readonly server: ServerOptions;
  readonly folder: string;
  /** Whether the folder has a name that we gave it; then no other run may have it. */
  readonly folderIsOwn: boolean;
  readonly prefix?: string;
  readonly showTrace: boolean;
  readonly quiet: boolean;
  readonly live: boolean;
}
