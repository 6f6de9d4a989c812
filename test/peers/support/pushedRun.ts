import { join } from 'node:path';
import { readJson, readLines } from './exports.ts';
import { servelens } from './servelens.ts';
import { MODEL } from './simulator.ts';

/** Label whose value is a secret. */
export const SECRET_LABEL = 'api_key';
export const SECRET = 'sk-secret-of-the-push-label';
/** What is pushed instead of a secret. */
export const REDACTED = '<redacted>';

/** What was sent to a receiver, as in push.json. */
export interface PushedReceiver {
  readonly protocol: string;
  readonly protocol_version?: string;
  readonly sent_values: number;
  readonly lost_values: Readonly<Record<'queue_full' | 'rejected' | 'undelivered', number>>;
}

/** A run whose values were pushed, as its exports describe it. */
export interface PushedRun {
  readonly folder: string;
  readonly id: string;
  readonly requests: number;
  /** Latencies of the requests of the profiling phase, in seconds. */
  readonly latencies: readonly number[];
  /** Statistics of the request latency, in milliseconds. */
  readonly latencyStatistics: Readonly<Record<string, number>>;
  /** Input and output tokens of the profiling phase. */
  readonly tokens: Readonly<Record<'input' | 'output', number>>;
  readonly receivers: readonly PushedReceiver[];
}

/** Runs a load of several seconds, and pushes its values to receivers such as `otlp=URL`. */
export async function pushRun(
  simulatorUrl: string,
  folder: string,
  receivers: readonly string[],
): Promise<PushedRun> {
  const load = ['--concurrency', '3', '--benchmark-duration', '6', '--isl', '20', '--osl', '10'];
  await servelens(
    ...['profile', '-m', MODEL, '--tokenizer', 'builtin', '--url', simulatorUrl, '--streaming', ...load],
    ...['--warmup-request-count', '3', '--artifact-dir', folder, '--ui', 'none', '--push-timeout', '60'],
    ...['--push-label', 'team=search', '--push-label', `${SECRET_LABEL}=${SECRET}`],
    ...receivers.flatMap(receiver => ['--push', receiver]),
  );
  return readPushedRun(folder);
}

/** Pushes the statistics of a run that has ended. Returns what was sent. */
export async function pushFinishedRun(folder: string, receiver: string): Promise<PushedReceiver> {
  const output = await servelens('push', folder, '--to', receiver, '--push-label', 'sent=again', '--json');
  return JSON.parse(output).receivers[0];
}

interface RunExport {
  readonly benchmark_id: string;
  readonly request_count: { readonly avg: number };
  readonly request_latency: Readonly<Record<string, number>>;
}

interface RequestRecord {
  readonly metadata: { readonly benchmark_phase: string };
  readonly metrics: Readonly<Record<string, { readonly value: number }>>;
  readonly error?: unknown;
}

function readPushedRun(folder: string): PushedRun {
  const run = readJson<RunExport>(folder, 'profile_export_aiperf.json');
  const records = readLines<RequestRecord>(folder, 'profile_export.jsonl').filter(
    ({ metadata, error }) => metadata.benchmark_phase === 'profiling' && !error,
  );
  const readValues = (name: string): number[] => records.map(({ metrics }) => metrics[name]!.value);
  const sum = (name: string): number => readValues(name).reduce((total, value) => total + value, 0);
  return {
    folder,
    id: run.benchmark_id,
    requests: run.request_count.avg,
    latencies: readValues('request_latency').map(ms => ms / 1000),
    latencyStatistics: run.request_latency,
    tokens: { input: sum('input_sequence_length'), output: sum('output_sequence_length') },
    receivers: readJson<{ receivers: PushedReceiver[] }>(join(folder, 'push.json')).receivers,
  };
}
