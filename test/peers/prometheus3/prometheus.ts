import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { queryPrometheus } from '../../debian/prometheus.ts';
import { type Service, startService } from '../../service.ts';

/** Starts Prometheus 3, which receives remote write and OTLP, and scrapes nothing. `config` is its configuration. */
export function startPrometheus3(
  peer: string,
  folder: string,
  args: readonly string[] = [],
  config: object = {},
): Promise<Service> {
  const file = `${folder}.yml`;
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(config));
  return startService(
    join(peer, 'prometheus'),
    port => [
      `--config.file=${file}`,
      `--storage.tsdb.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
      '--web.enable-otlp-receiver',
      ...args,
    ],
    '/-/ready',
    { timeoutMs: 120_000 },
  );
}

/** The samples of a series, as [Unix time in seconds, value as text]. Stale markers are not among them. */
export type Samples = readonly (readonly [number, string])[];

/**
 * Reads all samples of the last hour, by series such as `name{a="1"}`, with the labels sorted, and without the labels in
 * `ignored`.
 */
export async function readSeries(
  url: string,
  selector: string,
  ignored: readonly string[] = [],
): Promise<ReadonlyMap<string, Samples>> {
  const results = await queryPrometheus(url, `${selector}[1h]`, Date.now() / 1000);
  return new Map(results.map(({ metric, samples }) => [formatSeries(metric, ignored), samples]));
}

/** Lists the series that have a value at a time in seconds. A value counts for five minutes, if its series has not ended. */
export async function listPresentSeries(url: string, selector: string, time: number): Promise<string[]> {
  return (await queryPrometheus(url, selector, time)).map(({ metric }) => formatSeries(metric));
}

function formatSeries(
  { __name__: name = '', ...labels }: Readonly<Record<string, string>>,
  ignored: readonly string[] = [],
): string {
  const pairs = Object.entries(labels)
    .filter(([label]) => !ignored.includes(label))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}
