import type { Run } from '@org/analysis';
import { readClientStat } from './clientStats.ts';

/** The load that a run asked for. */
export interface Load {
  /** Requests per second; undefined with a fixed concurrency, or if the rate changes. */
  readonly rate?: number;
  readonly concurrency?: number;
  /** Limits that a request must meet to count as good, by client metric, in the unit of the export. */
  readonly limits: ReadonlyMap<string, number>;
  /** The load in words, such as `12 requests/s, Poisson, 256 tokens in, 64 out`. */
  readonly description: string;
  readonly models: readonly string[];
}

/** Reads the load of a run from its configuration, as Servelens and AIPerf write it. */
export function readLoad(run: Pick<Run, 'inputConfig' | 'families'>): Load {
  const { inputConfig } = run;
  const phases = readList(inputConfig.phases).filter(
    ({ kind, exclude_from_results: isExcluded }) => kind !== 'warmup' && isExcluded !== true,
  );
  const phase = phases[0] ?? {};
  const rate = readNumber(phase.rate);
  const concurrency = readNumber(phase.concurrency);
  const slos = readRecord(inputConfig.slos);
  const limits = new Map(
    Object.entries(slos).flatMap(([name, limit]) =>
      typeof limit === 'number' ? [[name, limit] as const] : [],
    ),
  );
  const models = readList(readRecord(inputConfig.models).items).flatMap(({ name }) =>
    typeof name === 'string' ? [name] : [],
  );
  const prompts = readRecord(readList(inputConfig.datasets)[0]?.prompts);
  const [input, output] = [readMean(prompts.isl), readMean(prompts.osl)];
  const parts = [
    rate === undefined ? undefined : `${rate} requests/s${phase.type === 'poisson' ? ' (Poisson)' : ''}`,
    concurrency === undefined ? undefined : `${concurrency} concurrent requests`,
    input === undefined ? undefined : `${input} tokens in`,
    output === undefined
      ? undefined
      : describeOutput(output, readClientStat(run, 'output_sequence_length', 'avg')),
  ];
  return {
    ...(rate !== undefined && { rate }),
    ...(concurrency !== undefined && { concurrency }),
    limits,
    models,
    description: parts.filter(part => part !== undefined).join(', '),
  };
}

/** Relative difference of the mean output from what was asked for, above which it is described. */
const MAX_DIFFERENCE = 0.05;

/** Describes the length of outputs: what was asked for and, if the mean differs from it, what was delivered. */
function describeOutput(asked: number, mean: number | undefined): string {
  if (mean === undefined || Math.abs(mean - asked) <= MAX_DIFFERENCE * asked) return `${asked} tokens out`;
  const delivered = Math.round(mean);
  return mean < asked
    ? `${delivered} of ${asked} tokens out on average`
    : `${delivered} tokens out on average instead of ${asked}`;
}

type JsonRecord = Readonly<Record<string, unknown>>;

function readRecord(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
}

function readList(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.map(readRecord) : [];
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined;
}

function readMean(value: unknown): number | undefined {
  return readNumber(value) ?? readNumber(readRecord(value).mean);
}
