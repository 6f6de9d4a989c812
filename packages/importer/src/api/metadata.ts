import type { OptionalReader } from './optionalReader.ts';

/** Type and HELP text of a metric, as its servers exposed them. */
export interface MetricMetadata {
  readonly type: string;
  readonly help: string;
  readonly unit?: string;
}

/** The metadata of metrics by name. Names are the names in TYPE lines, such as `requests_total` or `latency_seconds`. */
export type Metadata = ReadonlyMap<string, MetricMetadata>;

/** Reads the types of metrics that a server currently has, which are not stored with the samples. */
export async function readMetadata(reader: OptionalReader): Promise<Metadata> {
  const data = await reader.read('/api/v1/metadata', 'types of metrics');
  const metadata = new Map<string, MetricMetadata>();
  if (typeof data !== 'object' || data === null) return metadata;
  for (const [name, entries] of Object.entries(data)) {
    const entry = Array.isArray(entries) ? (entries[0] as Partial<MetricMetadata> | undefined) : undefined;
    if (typeof entry?.type !== 'string') continue;
    const { type, help = '', unit = '' } = entry;
    metadata.set(name, { type, help: String(help), ...(unit === '' ? {} : { unit: String(unit) }) });
  }
  return metadata;
}

/** A target that a server currently scrapes. */
export interface ScrapeTarget {
  readonly url: string;
  /** The labels that the server adds to all series of the target, including `job` and `instance`. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Targets by job and instance; see `formatTargetKey`. */
export type ScrapeTargets = ReadonlyMap<string, ScrapeTarget>;

/** Returns the key of a target in `ScrapeTargets`. */
export function formatTargetKey(job: string, instance: string): string {
  return JSON.stringify([job, instance]);
}

interface ActiveTarget {
  readonly labels?: Readonly<Record<string, string>>;
  readonly scrapeUrl?: string;
}

/** Reads the targets that a server currently scrapes. */
export async function readScrapeTargets(reader: OptionalReader): Promise<ScrapeTargets> {
  const data = await reader.read('/api/v1/targets?state=active', 'URLs and labels of targets');
  const active = (data as { readonly activeTargets?: unknown } | undefined)?.activeTargets;
  const targets = new Map<string, ScrapeTarget>();
  for (const { labels = {}, scrapeUrl: url } of Array.isArray(active) ? (active as ActiveTarget[]) : []) {
    const key = formatTargetKey(labels.job ?? '', labels.instance ?? '');
    if (typeof url === 'string') targets.set(key, { url, labels: new Map(Object.entries(labels)) });
  }
  return targets;
}
