import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkListedTimes, checkTimestamp } from './time.ts';
import { isNear } from './tolerance.ts';
import {
  findRepeated,
  getField,
  getNanoseconds,
  getNumber,
  getObject,
  getText,
  listObjects,
  type Values,
} from './values.ts';

/** Properties of the endpoints in the summary that the rules for series need. */
export interface Endpoints {
  /** URLs of the endpoints that returned data; undefined if the summary has no list. */
  readonly successful: ReadonlySet<string> | undefined;
  /** Seconds from the first to the last scrape, by URL. */
  readonly scrapeSeconds: ReadonlyMap<string, number>;
  /** Time of the last response of any endpoint; 0 if unknown. */
  readonly lastFetchNs: bigint;
}

/** Checks that `endpoints_configured`, `endpoints_successful` and `endpoint_info` are consistent. */
export function checkEndpoints(report: Report, path: Path, summary: Values): Endpoints {
  const configured = readUrls(report, summary, path, 'endpoints_configured');
  const successful = readUrls(report, summary, path, 'endpoints_successful');
  if (configured && successful) checkConfigured(report, path, configured, successful);
  const infos = getObject(summary, 'endpoint_info');
  const fallbacks = findFallbacks(infos, configured ?? [], successful ?? []);
  const known = successful && new Set([...successful, ...fallbacks.values()]);
  if (infos && configured && known) {
    reportMissing(report, [...path, 'endpoint_info'], infos, successful, fallbacks);
    checkInfos(report, path, infos, new Set(configured), known);
  }
  const scrapeSeconds = new Map(
    listObjects(infos, path).map(([url, info]) => [url, findScrapeSeconds(info)]),
  );
  return {
    successful: known,
    scrapeSeconds,
    lastFetchNs: findLastFetch(infos),
  };
}

/**
 * Finds successful endpoints that are described under another path of the same host only. AIPerf lists the configured URL
 * of such an endpoint, although it scraped a fallback such as `/prometheus/metrics` (TensorRT-LLM).
 *
 * @returns the described URL of each successful URL
 */
function findFallbacks(
  infos: Values | undefined,
  configured: readonly string[],
  successful: readonly string[],
): ReadonlyMap<string, string> {
  const described = Object.keys(infos ?? {});
  const listed = new Set([...configured, ...successful]);
  return new Map(
    successful
      .filter(url => !described.includes(url))
      .flatMap(url => {
        const fallback = described.find(other => !listed.has(other) && getHost(other) === getHost(url));
        return fallback === undefined ? [] : [[url, fallback] as const];
      }),
  );
}

/** Reports successful endpoints without an entry in `endpoint_info`. */
function reportMissing(
  report: Report,
  path: Path,
  infos: Values,
  successful: readonly string[],
  fallbacks: ReadonlyMap<string, string>,
): void {
  for (const url of successful) {
    if (Object.hasOwn(infos, url)) continue;
    const problem = `has no entry for ${url}, which is in endpoints_successful`;
    const fallback = fallbacks.get(url);
    if (fallback === undefined) report('endpoint-info-missing', path, problem, url);
    else report('endpoint-fallback', path, `${problem}, but one for ${fallback} on the same host`, url);
  }
}

/** Checks that each successful endpoint is configured, at least by its host. */
function checkConfigured(
  report: Report,
  path: Path,
  configured: readonly string[],
  successful: readonly string[],
): void {
  const urls = new Set(configured);
  const hosts = new Set(configured.map(getHost));
  successful.forEach((url, index) => {
    if (urls.has(url) || hosts.has(getHost(url))) return;
    const place = [...path, 'endpoints_successful', index];
    report('endpoint-unlisted', place, `is ${url}, which is not in endpoints_configured`, url);
  });
}

function findLastFetch(infos: Values | undefined): bigint {
  let lastNs = 0n;
  for (const [, info] of listObjects(infos, [])) {
    const ns = getNanoseconds(info, 'last_fetch_ns');
    if (ns !== undefined && ns > lastNs) lastNs = ns;
  }
  return lastNs;
}

/** Returns the URLs in a list of the summary, and reports a duplicate. */
function readUrls(report: Report, summary: Values, path: Path, key: string): string[] | undefined {
  const list = getField(summary, key);
  if (!Array.isArray(list)) return undefined;
  const urls = list.filter(url => typeof url === 'string');
  const repeated = findRepeated(urls);
  if (repeated !== -1)
    report(
      'endpoint-repeated',
      [...path, key, repeated],
      `is ${urls[repeated]}, which is already in the list`,
      urls[repeated],
    );
  return urls;
}

/**
 * Returns the host and port of a URL. Endpoints are compared by host, because a server can be scraped at a
 * fallback path such as `/prometheus/metrics` (TensorRT-LLM). The flat layout identifies endpoints by host
 * only.
 */
function getHost(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).host : url;
}

function checkInfos(
  report: Report,
  path: Path,
  infos: Values,
  configured: ReadonlySet<string>,
  successful: ReadonlySet<string>,
): void {
  const place = [...path, 'endpoint_info'];
  for (const [url, info, infoPath] of listObjects(infos, place)) {
    const configuredUrl = getText(info, 'configured_url') ?? url;
    if (!configured.has(configuredUrl) && !successful.has(url))
      report(
        'endpoint-unlisted',
        infoPath,
        'is in neither endpoints_configured nor endpoints_successful',
        url,
      );
    checkData(report, infoPath, info, successful.has(url));
    checkEndpointInfo(report, infoPath, info);
  }
}

/** Checks that an endpoint has scrapes exactly if it is successful. */
function checkData(report: Report, path: Path, info: Values, isSuccessful: boolean): void {
  const fetches = getNumber(info, 'total_fetches');
  const place = [...path, 'total_fetches'];
  if (fetches === 0 && isSuccessful)
    report('endpoint-data', place, 'is 0, but the endpoint is in endpoints_successful', 0);
  if (fetches !== undefined && fetches > 0 && !isSuccessful)
    report('endpoint-data', place, `is ${fetches}, but the endpoint is not in endpoints_successful`, fetches);
}

/** Checks that the times and counts of the scrapes of an endpoint are consistent. */
export function checkEndpointInfo(report: Report, path: Path, info: Values): void {
  checkInfoTimes(report, path, info);
  checkPresence(report, path, info);
  checkUpdates(report, path, info);
}

/** Timestamps of an endpoint, which must not decrease in this order. */
const TIME_FIELDS = ['first_fetch_ns', 'first_update_ns', 'last_update_ns', 'last_fetch_ns'];
/** Further timestamps of an endpoint. */
const OTHER_TIME_FIELDS = [
  'baseline_ns',
  'closing_ns',
  'first_failure_ns',
  'last_failure_ns',
  'added_ns',
  'removed_ns',
];
/** Lists of an endpoint whose entries have times. */
const TIMED_LISTS = ['outages', 'resets', 'address_changes', 'absences'];
/** Pairs of timestamps in order: an endpoint is scraped only while it is listed. */
const PRESENCE_FIELDS = [
  ['added_ns', 'first_fetch_ns'],
  ['last_fetch_ns', 'removed_ns'],
  ['added_ns', 'removed_ns'],
] as const;

function checkInfoTimes(report: Report, path: Path, info: Values): void {
  // The times of an endpoint without data are 0.
  const hasData = getNumber(info, 'total_fetches') !== 0;
  const times = TIME_FIELDS.flatMap(key => {
    const ns = getNanoseconds(info, key);
    return ns === undefined || (ns === 0n && !hasData) ? [] : [{ key, ns }];
  });
  for (const { key, ns } of times) checkTimestamp(report, [...path, key], ns);
  for (const key of OTHER_TIME_FIELDS) {
    const ns = getNanoseconds(info, key);
    if (ns !== undefined) checkTimestamp(report, [...path, key], ns);
  }
  for (const key of TIMED_LISTS) checkListedTimes(report, path, info, key);
  for (let i = 1; i < times.length; i++) {
    const [before, after] = [times[i - 1]!, times[i]!];
    if (after.ns >= before.ns) continue;
    report(
      'endpoint-times',
      [...path, after.key],
      `is ${after.ns}, before ${before.key} (${before.ns})`,
      after.ns,
    );
  }
}

/** Checks that an endpoint was scraped only while its source listed it. */
function checkPresence(report: Report, path: Path, info: Values): void {
  for (const [first, second] of PRESENCE_FIELDS) {
    const [before, after] = [getNanoseconds(info, first), getNanoseconds(info, second)];
    if (before === undefined || after === undefined || after === 0n || after >= before) continue;
    report('endpoint-times', [...path, second], `is ${after}, before ${first} (${before})`, after);
  }
}

function checkUpdates(report: Report, path: Path, info: Values): void {
  const fetches = getNumber(info, 'total_fetches');
  const updates = getNumber(info, 'unique_updates');
  if (fetches !== undefined && updates !== undefined && updates > fetches)
    report(
      'endpoint-updates',
      [...path, 'unique_updates'],
      `is ${updates}, more than total_fetches (${fetches})`,
      updates,
    );
  const firstNs = getNanoseconds(info, 'first_update_ns');
  const lastNs = getNanoseconds(info, 'last_update_ns');
  const duration = getNumber(info, 'duration_seconds');
  if (firstNs === undefined || lastNs === undefined || duration === undefined) return;
  const expected = Number(lastNs - firstNs) / 1e9;
  if (!isNear(duration, expected, Math.abs(expected) * 0.01))
    report(
      'endpoint-duration',
      [...path, 'duration_seconds'],
      `is ${duration}, but last_update_ns − first_update_ns is ${expected} s`,
      duration,
    );
}

/** Returns the time from the first to the last scrape in seconds, or the stated duration, or infinity if unknown. */
function findScrapeSeconds(info: Values): number {
  const firstNs = getNanoseconds(info, 'first_fetch_ns');
  const lastNs = getNanoseconds(info, 'last_fetch_ns');
  if (firstNs !== undefined && lastNs !== undefined) return Number(lastNs - firstNs) / 1e9;
  return getNumber(info, 'duration_seconds') ?? Number.POSITIVE_INFINITY;
}
