import type { ConfigFile } from '@org/discovery/config';
import type { RunSettings } from '@org/run';
import { UsageError } from '@org/terminal';
import type { HelpSection, Io } from '@org/terminal/program';

/** An environment variable of AIPerf, with the default and range that AIPerf uses, in the unit of the variable. */
interface Variable {
  readonly name: string;
  /** The run setting that the variable controls. */
  readonly field: keyof RunSettings;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Factor from the unit of the variable to the unit of the field. */
  readonly scale: number;
  readonly unit: string;
  readonly isInteger?: true;
  readonly description: string;
}

const SECONDS = { scale: 1000, unit: 'seconds' } as const;

/** The environment variables that affect runs. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'AIPERF_SERVER_METRICS_COLLECTION_INTERVAL',
    field: 'intervalMs',
    default: 0.333,
    min: 0.001,
    max: 300,
    ...SECONDS,
    description: 'Scrape interval in seconds',
  },
  {
    name: 'AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD',
    field: 'flushMs',
    default: 2,
    min: 0,
    max: 30,
    ...SECONDS,
    description: 'Time to continue scraping after the end of profiling, in seconds',
  },
  {
    name: 'AIPERF_SERVER_METRICS_REACHABILITY_TIMEOUT',
    field: 'reachabilityMs',
    default: 10,
    min: 1,
    max: 300,
    ...SECONDS,
    description: 'Default timeout of the first probe and of each scrape, in seconds',
  },
  {
    name: 'AIPERF_SERVER_METRICS_EXPORT_BATCH_SIZE',
    field: 'batchSize',
    default: 100,
    min: 1,
    max: 1_000_000,
    scale: 1,
    unit: 'lines',
    isInteger: true,
    description: 'Number of JSONL lines per write',
  },
  {
    name: 'AIPERF_SERVER_METRICS_SHUTDOWN_DELAY',
    field: 'shutdownMs',
    default: 5,
    min: 1,
    max: 300,
    ...SECONDS,
    description: 'Time to wait for in-flight scrapes at the end of a run, in seconds',
  },
];

/**
 * Reads the settings of a run from environment variables. The default interval of a configuration file takes
 * precedence. Throws `UsageError` if a value is not a number or is out of range.
 */
export function readSettings(env: Io['env'], file?: ConfigFile): RunSettings {
  const values = VARIABLES.map(
    variable => [variable.field, readVariable(variable, env[variable.name])] as const,
  );
  const settings = Object.fromEntries(values) as unknown as RunSettings;
  const interval = file?.config.defaults.interval;
  return interval === undefined ? settings : { ...settings, intervalMs: interval * 1000 };
}

function readVariable(variable: Variable, text: string | undefined): number {
  const { name, default: defaultValue, min, max, scale, unit, isInteger } = variable;
  if (text === undefined || text.trim() === '') return defaultValue * scale;
  const value = Number(text);
  if (!(value >= min && value <= max) || (isInteger && !Number.isInteger(value))) {
    const noun = isInteger ? `an integer number of ${unit}` : `a number of ${unit}`;
    throw new UsageError(`invalid ${name} ${JSON.stringify(text)}: expected ${noun} from ${min} to ${max}`);
  }
  return value * scale;
}

/** The section of the help text that describes environment variables. */
export const VARIABLES_SECTION: HelpSection = {
  title: 'Environment variables',
  entries: VARIABLES.map(({ name, default: defaultValue, min, max, description }) => ({
    term: name,
    description: `${description}, from ${min} to ${max} [default: ${defaultValue}]`,
  })),
};
