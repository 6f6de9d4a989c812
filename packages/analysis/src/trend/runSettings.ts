import { type ComparedOption, listComparedOptions } from '../compare/conditions/optionDifferences.ts';
import type { Run } from '../run/run.ts';
import { listSystemSettings, type SystemSetting } from '../servers/systemSettings.ts';

/** The settings of a run, as text by name. */
export type RunSettings = ReadonlyMap<string, string>;

/** The configuration of a run. */
export interface RunConfiguration {
  /** The settings that must be equal for runs to measure the same: the model, the load, the input. */
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
      ...listSystem(run),
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

/** Lists the GPUs, the number of endpoints, and the kinds, versions and settings of the servers. */
function listSystem(run: Run): [string, string][] {
  const system = listSystemSettings(run);
  const select = (name: string, title = name): [string, string][] =>
    system
      .filter(setting => setting.metric === undefined && setting.name === name)
      .map(({ values }) => [title, values.join(', ')]);
  return [
    ...select('GPUs'),
    ...select('endpoints', 'metrics endpoints'),
    ...select('servers'),
    ...listServerSettings(run, system),
  ];
}

/** Lists the versions of servers, and the settings that they export as labels of `*config_info` metrics. */
function listServerSettings({ endpoints }: Run, system: readonly SystemSetting[]): [string, string][] {
  const settings = new Map<string, Set<string>>();
  const add = (name: string, values: readonly string[]): void => {
    settings.set(name, new Set([...(settings.get(name) ?? []), ...values]));
  };
  for (const { versions } of endpoints) for (const { server, version } of versions) add(server, [version]);
  for (const { metric, name, values } of system) if (metric?.endsWith('config_info')) add(name, values);
  return [...settings].map(([name, values]) => [name, [...values].sort().join(', ')]);
}
