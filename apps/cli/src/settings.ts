import type { RunSettings } from '@org/run';
import { UsageError } from '@org/terminal';
import type { Io } from './io.ts';

interface Variable {
  readonly name: string;
  readonly field: keyof RunSettings;
  readonly standard: number;
  readonly least: number;
  readonly most: number;
  readonly scale: number;
  readonly unit: string;
  readonly whole?: true;
  readonly meaning: string;
}

/** Ranges: reference A2. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'AIPERF_SERVER_METRICS_COLLECTION_INTERVAL',
    field: 'intervalMs',
    standard: 0.333,
    least: 0.001,
    most: 300,
    scale: 1000,
    unit: 's',
    meaning: 'between two scrapes of an endpoint',
  },
  {
    name: 'AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD',
    field: 'flushMs',
    standard: 2,
    least: 0,
    most: 30,
    scale: 1000,
    unit: 's',
    meaning: 'of further scraping after the benchmark',
  },
  {
    name: 'AIPERF_SERVER_METRICS_REACHABILITY_TIMEOUT',
    field: 'reachabilityMs',
    standard: 10,
    least: 1,
    most: 300,
    scale: 1000,
    unit: 's',
    meaning: 'for an answer, the first time and every time',
  },
  {
    name: 'AIPERF_SERVER_METRICS_EXPORT_BATCH_SIZE',
    field: 'batchSize',
    standard: 100,
    least: 1,
    most: 1_000_000,
    scale: 1,
    unit: 'lines',
    whole: true,
    meaning: 'of JSONL written at a time',
  },
  {
    name: 'AIPERF_SERVER_METRICS_SHUTDOWN_DELAY',
    field: 'shutdownMs',
    standard: 5,
    least: 1,
    most: 300,
    scale: 1000,
    unit: 's',
    meaning: 'for scrapes under way when everything ends',
  },
];

/** Reads the settings from the environment. Throws `UsageError` for a value out of range. */
export function readSettings(env: Io['env']): RunSettings {
  const values = VARIABLES.map(
    variable => [variable.field, settingOf(variable, env[variable.name])] as const,
  );
  return Object.fromEntries(values) as unknown as RunSettings;
}

function settingOf(variable: Variable, text: string | undefined): number {
  const { name, standard, least, most, scale, unit, whole } = variable;
  if (text === undefined || text.trim() === '') return standard * scale;
  const value = Number(text);
  if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) {
    const kind = whole ? 'a whole number' : 'a number';
    throw new UsageError(
      `${name} is ${JSON.stringify(text)}; expected ${kind} from ${least} to ${most} (${unit})`,
    );
  }
  return value * scale;
}
