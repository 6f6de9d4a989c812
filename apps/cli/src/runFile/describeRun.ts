import { formatCount, formatDuration, redactArguments, redactUrl } from '@org/core';
import type { PhaseOptions, ValueDistribution } from '@org/loadgen';
import { formatCommandLine, formatRunName } from '@org/run';
import type { Target, TargetSource } from '@org/scrape';
import { formatWords } from './mergeOptions.ts';
import type { PlannedRunFile } from './planRun.ts';

/** Maximum number of runs that are listed. */
const MAX_LISTED_RUNS = 20;

/** Counts the runs that a run file starts. */
export function countRuns({ runs }: PlannedRunFile): number {
  return runs?.runs.runs.length ?? 1;
}

/** Describes how many runs a run file starts, such as `9 runs (3 variations, 3 times each)`. */
export function describeRunCount({ runs }: PlannedRunFile): string {
  if (!runs) return '1 run';
  const { variations, repetition, isSweep } = runs.runs;
  const parts = [
    ...(isSweep ? [formatCount(variations.length, 'variation')] : []),
    ...(repetition.runs > 1 ? [`${repetition.runs} times${isSweep ? ' each' : ''}`] : []),
  ];
  return `${formatCount(runs.runs.runs.length, 'run')} (${parts.join(', ')})`;
}

/** Formats the command line of a run file, with one option on each line, and without secrets. */
export function formatRunCommand({ file }: PlannedRunFile): string {
  const lines = file.options
    .flatMap(formatWords)
    .map(word => formatCommandLine([word]).slice('servelens '.length));
  return ['servelens profile', ...lines].join(' \\\n  ');
}

/** Lists the words of the command line of a run file, without secrets. */
export function listRunWords({ file }: PlannedRunFile): string[] {
  return ['servelens', 'profile', ...redactArguments(file.options.flatMap(formatWords))];
}

/** Describes the plan of a run file: what is sent where, how often, and where the results are written. */
export function describePlan(planned: PlannedRunFile): string[] {
  const { plan } = planned.first;
  const { request, profiling, warmup, inputs, targets, sources = [], exports } = plan;
  const rows: [string, string][] = [
    ['runs', describeRunCount(planned)],
    ['model', request.models.join(', ')],
    ['url', request.urls.map(redactUrl).join(', ')],
    ['api', `${request.endpoint}${request.streaming ? ', streaming' : ''}`],
    ...(warmup ? [['warm-up', describePhase(warmup)] as [string, string]] : []),
    ['load', describePhase(profiling)],
    ['input', inputs.file ?? describePrompts(planned)],
    ['metrics', describeEndpoints(targets, sources)],
    ['formats', (exports?.formats ?? []).join(', ')],
    ['folder', plan.folder],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [...rows.map(([name, text]) => `${name.padEnd(width)}${text}`), ...listRuns(planned)];
}

function describeEndpoints(targets: readonly Target[], sources: readonly TargetSource[]): string {
  const places = [...targets.map(({ url }) => redactUrl(url)), ...sources.map(({ name }) => name)];
  return places.length === 0 ? 'not scraped' : places.join(', ');
}

function describePhase(phase: PhaseOptions): string {
  const { concurrency, rate, pattern, requestCount, sessionCount, durationS, fixedSchedule } = phase;
  const limits = [
    ...(fixedSchedule ? ['at the timestamps of the input'] : []),
    ...(rate === undefined ? [] : [`${rate} requests per second (${pattern})`]),
    ...(concurrency === undefined ? [] : [`concurrency ${concurrency}`]),
    ...(requestCount === undefined ? [] : [formatCount(requestCount, 'request')]),
    ...(sessionCount === undefined ? [] : [formatCount(sessionCount, 'conversation')]),
    ...(durationS === undefined ? [] : [formatDuration(durationS)]),
  ];
  return limits.join(', ');
}

function describePrompts({ first }: PlannedRunFile): string {
  const { inputTokens, outputTokens, lengths } = first.plan.inputs;
  if (lengths) return `synthetic prompts, ${formatCount(lengths.length, 'pair')} of lengths`;
  const output = outputTokens ? `, responses of ${formatLength(outputTokens)} tokens` : '';
  return `synthetic prompts of ${formatLength(inputTokens)} tokens${output}`;
}

function formatLength({ mean, stddev = 0, median, parts, min, max }: ValueDistribution): string {
  const numbers = [
    `${Number(mean.toFixed(1))}${stddev > 0 ? ` ± ${stddev}` : ''}`,
    ...(median === undefined ? [] : [`median ${median}`]),
    ...(parts ? [formatCount(parts.length, 'part')] : []),
    ...(min === undefined ? [] : [`min ${min}`]),
    ...(max === undefined ? [] : [`max ${max}`]),
  ];
  return numbers.join(', ');
}

function listRuns({ runs }: PlannedRunFile): string[] {
  if (!runs) return [];
  const names = runs.runs.runs.map(run => formatRunName(runs.runs, run));
  const rest = names.length - MAX_LISTED_RUNS;
  const lines = names
    .slice(0, MAX_LISTED_RUNS)
    .map((name, index) => `${String(index + 1).padStart(4)}  ${name}`);
  return ['', ...lines, ...(rest > 0 ? [`      and ${rest} more`] : [])];
}
