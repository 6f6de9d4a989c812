import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkTimestamp } from './time.ts';
import { near } from './tolerance.ts';
import {
  field,
  nanosecondsAt,
  numberAt,
  objectAt,
  objectsIn,
  repeatedAt,
  textAt,
  type Values,
} from './values.ts';

/** What the summary says about the endpoints, for the rules of the series. */
export interface Endpoints {
  /** Those that gave data, as the series should name them; undefined when there is no such list. */
  readonly successful: ReadonlySet<string> | undefined;
  /** Seconds from first to last scrape, by endpoint. */
  readonly spans: ReadonlyMap<string, number>;
  /** When the last scrape of all was answered; 0 when nobody says. */
  readonly lastFetchNs: bigint;
}

/** Lists and infos of the endpoints tell one story. Seed 001, "Summary Section"; DESIGN decision 9. */
export function checkEndpoints(report: Report, path: Path, summary: Values): Endpoints {
  const configured = urlsAt(report, summary, path, 'endpoints_configured');
  const successful = urlsAt(report, summary, path, 'endpoints_successful');
  if (configured && successful) checkConfigured(report, path, configured, successful);
  const infos = objectAt(summary, 'endpoint_info');
  if (infos && configured && successful)
    checkInfos(report, path, infos, new Set(configured), new Set(successful));
  const spans = new Map(objectsIn(infos, path).map(([url, info]) => [url, spanOf(info)]));
  return { successful: successful && new Set(successful), spans, lastFetchNs: lastFetchOf(infos) };
}

function checkConfigured(
  report: Report,
  path: Path,
  configured: readonly string[],
  successful: readonly string[],
): void {
  const known = new Set(configured);
  const hosts = new Set(configured.map(hostOf));
  successful.forEach((url, index) => {
    if (known.has(url) || hosts.has(hostOf(url))) return;
    const place = [...path, 'endpoints_successful', index];
    report('endpoint-unlisted', place, `is ${url}, which endpoints_configured does not have`, url);
  });
}

function lastFetchOf(infos: Values | undefined): bigint {
  let last = 0n;
  for (const [, info] of objectsIn(infos, [])) {
    const ns = nanosecondsAt(info, 'last_fetch_ns');
    if (ns !== undefined && ns > last) last = ns;
  }
  return last;
}

function urlsAt(report: Report, summary: Values, path: Path, key: string): string[] | undefined {
  const list = field(summary, key);
  if (!Array.isArray(list)) return undefined;
  const urls = list.filter(url => typeof url === 'string');
  const repeated = repeatedAt(urls);
  if (repeated !== -1)
    report(
      'endpoint-repeated',
      [...path, key, repeated],
      `is ${urls[repeated]} again; an endpoint is listed once`,
      urls[repeated],
    );
  return urls;
}

/** An endpoint may answer on another path than it was asked for (TRT-LLM's fallback): host and port decide. The flat layout has no others. */
function hostOf(url: string): string {
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
  for (const url of successful)
    if (!Object.hasOwn(infos, url))
      report(
        'endpoint-info-missing',
        place,
        `has no entry for ${url}, which endpoints_successful lists`,
        url,
      );
  for (const [url, info, infoPath] of objectsIn(infos, place)) {
    const asked = textAt(info, 'configured_url') ?? url;
    if (!configured.has(asked) && !successful.has(url))
      report(
        'endpoint-unlisted',
        infoPath,
        'is neither in endpoints_configured nor in endpoints_successful',
        url,
      );
    checkInfo(report, infoPath, info, successful.has(url));
  }
}

function checkInfo(report: Report, path: Path, info: Values, isSuccessful: boolean): void {
  const fetches = numberAt(info, 'total_fetches');
  const place = [...path, 'total_fetches'];
  if (fetches === 0 && isSuccessful)
    report('endpoint-data', place, 'is 0 although endpoints_successful lists the endpoint', 0);
  if (fetches !== undefined && fetches > 0 && !isSuccessful)
    report(
      'endpoint-data',
      place,
      `is ${fetches} although endpoints_successful does not list the endpoint`,
      fetches,
    );
  checkInfoTimes(report, path, info);
  checkUpdates(report, path, info);
}

const times = ['first_fetch_ns', 'first_update_ns', 'last_update_ns', 'last_fetch_ns'];

function checkInfoTimes(report: Report, path: Path, info: Values): void {
  const known = times.flatMap(key => {
    const ns = nanosecondsAt(info, key);
    return ns === undefined ? [] : [{ key, ns }];
  });
  for (const { key, ns } of known) checkTimestamp(report, [...path, key], ns);
  for (let i = 1; i < known.length; i++) {
    const [before, after] = [known[i - 1]!, known[i]!];
    if (after.ns >= before.ns) continue;
    report(
      'endpoint-times',
      [...path, after.key],
      `is ${after.ns}, before ${before.key} (${before.ns})`,
      after.ns,
    );
  }
}

function checkUpdates(report: Report, path: Path, info: Values): void {
  const fetches = numberAt(info, 'total_fetches');
  const updates = numberAt(info, 'unique_updates');
  if (fetches !== undefined && updates !== undefined && updates > fetches)
    report(
      'endpoint-updates',
      [...path, 'unique_updates'],
      `is ${updates}, more than total_fetches (${fetches})`,
      updates,
    );
  const first = nanosecondsAt(info, 'first_update_ns');
  const last = nanosecondsAt(info, 'last_update_ns');
  const duration = numberAt(info, 'duration_seconds');
  if (first === undefined || last === undefined || duration === undefined) return;
  const expected = Number(last - first) / 1e9;
  if (!near(duration, expected, Math.abs(expected) * 0.01))
    report(
      'endpoint-duration',
      [...path, 'duration_seconds'],
      `is ${duration}, but from first_update_ns to last_update_ns it is ${expected}`,
      duration,
    );
}

function spanOf(info: Values): number {
  const first = nanosecondsAt(info, 'first_fetch_ns');
  const last = nanosecondsAt(info, 'last_fetch_ns');
  if (first !== undefined && last !== undefined) return Number(last - first) / 1e9;
  return numberAt(info, 'duration_seconds') ?? Number.POSITIVE_INFINITY;
}
