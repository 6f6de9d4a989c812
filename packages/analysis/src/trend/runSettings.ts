import type { ProfileExport } from '@org/formats';
import { type ComparedOption, listComparedOptions } from '../compare/conditions/optionDifferences.ts';
import type { Run } from '../run/run.ts';
import { listMetricSeries, recognizeServers } from '../servers/metricSeries.ts';

/** The settings of a run, as text by name. */
export type RunSettings = ReadonlyMap<string, string>;

/** The configuration of a run. */
export interface RunConfiguration {
  /** The settings without which runs measure different things: the model, the load, the input. */
  readonly workload: RunSettings;
  /** Settings whose effect a trend shows: versions, hardware and settings of the server. */
  readonly environment: RunSettings;
}

/** Topics of options that change figures only in part, so that runs remain comparable. */
const ENVIRONMENT_TOPICS: ReadonlySet<ComparedOption['topic']> = new Set(['goodput limits', 'command']);

/** Reads the configuration of a run. Settings that start with one of the ignored names are left out. */
export function readConfiguration(run: Run, ignored: readonly string[]): RunConfiguration {
  const options = listComparedOptions(run).map(option => ({ ...option, name: formatOption(option) }));
  const isWorkload = ({ topic }: ComparedOption): boolean => !ENVIRONMENT_TOPICS.has(topic);
  const select = (entries: readonly (readonly [string, string])[]): RunSettings =>
    new Map(entries.filter(([name]) => !ignored.some(start => name.startsWith(start))));
  const toEntry = ({ name, value, unit }: ComparedOption & { readonly name: string }): [string, string] => [
    name,
    unit === null ? value : `${value} ${unit}`,
  ];
  return {
    workload: select(options.filter(isWorkload).map(toEntry)),
    environment: select([
      ...listVersions(run),
      ...listHardware(run),
      ...listServerSettings(run),
      ...options.filter(option => !isWorkload(option)).map(toEntry),
    ]),
  };
}

/** Returns the name of an option without the part of its path that all runs have. */
function formatOption({ option }: ComparedOption): string {
  return option === 'models' ? 'model' : option.replace(/^(?:phases\.profiling|datasets\.main)\./, '');
}

function listVersions({ view, profile }: Run): [string, string][] {
  const own = view.servelens_version ?? profile?.servelens_version;
  const aiperf = view.aiperf_version ?? profile?.aiperf_version;
  if (typeof own === 'string') return [['Servelens', own]];
  return typeof aiperf === 'string' ? [['AIPerf', aiperf]] : [];
}

function listHardware({ profile, endpoints }: Run): [string, string][] {
  const gpus = listGpuNames(profile);
  const counts = new Map<string, number>();
  for (const name of gpus) counts.set(name, (counts.get(name) ?? 0) + 1);
  const texts = [...counts].sort().map(([name, count]) => `${count} × ${name}`);
  return [
    ...(texts.length > 0 ? [['GPUs', texts.join(', ')] as [string, string]] : []),
    ...(endpoints.length > 0 ? [['metrics endpoints', String(endpoints.length)] as [string, string]] : []),
  ];
}

function listGpuNames(profile: ProfileExport | undefined): string[] {
  return Object.values(profile?.telemetry_data?.endpoints ?? {}).flatMap(({ gpus = {} }) =>
    Object.values(gpus).map(({ gpu_name }) => gpu_name),
  );
}

/** Matches metrics whose labels are the settings of a server. */
const CONFIG_METRIC = /config_info$/;
/** Matches labels that are different in each process, and not settings. */
const IDENTITY_LABEL = /^(?:engine|engine_index|instance|pid|host|hostname|pod|uid|uuid|id|rank|.*_rank)$/;

/** Lists the kinds of servers, their versions, and the settings that they export as labels. */
function listServerSettings(run: Run): [string, string][] {
  const names = recognizeServers(run).map(({ name }) => name);
  const settings = new ValueSets();
  for (const { versions } of run.endpoints)
    for (const { server, version } of versions) settings.add(server, version);
  for (const name of run.families.keys()) {
    if (!CONFIG_METRIC.test(name)) continue;
    for (const { labels } of listMetricSeries(run, name))
      for (const [label, value] of Object.entries(labels))
        if (!IDENTITY_LABEL.test(label)) settings.add(label, value);
  }
  return [
    ...(names.length > 0 ? [['servers', names.join(', ')] as [string, string]] : []),
    ...settings.list(),
  ];
}

/** The distinct values of settings, which several servers may have. */
class ValueSets {
  readonly #values = new Map<string, Set<string>>();

  add(setting: string, value: string): void {
    this.#values.set(setting, (this.#values.get(setting) ?? new Set()).add(value));
  }

  list(): [string, string][] {
    return [...this.#values].map(([setting, values]) => [setting, [...values].sort().join(', ')]);
  }
}
