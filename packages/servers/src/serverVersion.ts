import type { Labels } from './seriesOverlap.ts';
import type { BuildInfo, ServerDefinition, VersionRange } from './serverDefinition.ts';

/** The version that a server states in its metrics. */
export interface ServerVersion {
  /** Display name of the server. */
  readonly server: string;
  /** The version as the server spells it. */
  readonly version: string;
}

/** The maximum length of a version. Longer texts of servers are not versions. */
const MAX_VERSION_LENGTH = 80;

/** Texts that builds without a version state. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['', 'unknown', 'none', 'n/a']);

/**
 * Reads the versions of servers. `listSeries` returns the labels of the series of a metric, for each of its names in order
 * of preference. The first metric with a version is used. Different versions of one server are no version.
 */
export function readServerVersions(
  servers: readonly ServerDefinition[],
  listSeries: (metric: string) => readonly (readonly Labels[])[],
): ServerVersion[] {
  return servers.flatMap(({ name, recognize: { buildInfo = [] } }) => {
    const versions = buildInfo
      .flatMap(info => listSeries(info.metric).map(series => listVersions(series, info)))
      .find(({ size }) => size > 0);
    const [version] = versions ?? [];
    return version === undefined || versions!.size > 1 ? [] : { server: name, version };
  });
}

function listVersions(series: readonly Labels[], { version, labels = [] }: BuildInfo): ReadonlySet<string> {
  const values = series
    .filter(entry => [version, ...labels].every(label => Object.hasOwn(entry, label)))
    .map(entry => entry[version]!);
  return new Set(values.filter(isVersion));
}

function isVersion(text: string): boolean {
  return text.length <= MAX_VERSION_LENGTH && !PLACEHOLDERS.has(text.toLowerCase());
}

/**
 * Describes why a server of this version does not have a metric, such as `since 0.9`; undefined if it may have the metric, or
 * if the text is not a version, such as the name of a branch.
 */
export function describeVersionGap(version: string, { since, until }: VersionRange): string | undefined {
  if (since !== undefined && isOlder(version, since)) return `since ${since}`;
  return until !== undefined && isOlder(until, version) ? `up to ${until}` : undefined;
}

/** Reports whether a version is older than another. Versions are compared as far as both state their parts. */
function isOlder(version: string, other: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(other)];
  if (!a || !b) return false;
  const length = Math.min(a.length, b.length);
  const index = a.slice(0, length).findIndex((part, position) => part !== b[position]);
  return index >= 0 && a[index]! < b[index]!;
}

/** Parses the numbers of a version, such as `v0.9.0-rc1`. */
function parseVersion(text: string): number[] | undefined {
  return /^v?(\d{1,9}(?:\.\d{1,9})+)/.exec(text)?.[1]?.split('.').map(Number);
}
