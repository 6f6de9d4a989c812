import type { Path } from '@org/terminal/userFile';
import { type Field, getField, isMapping, type RunFileReader, readSection, type Section } from '../field.ts';
import { noEffect, onlyDefault, ramp, scalar, section } from '../fields.ts';

const ARRIVALS = ['poisson', 'gamma', 'constant'];
const TYPES = ['concurrency', ...ARRIVALS, 'user_centric', 'fixed_schedule'];

/** A key that `readPhase` reads. */
const done: Field = () => {};

const ADAPTIVE = 'find the limit of the server with a sweep, such as --concurrency 1,2,4,8';

/** Keys of all phases that have no counterpart among the options of a phase. */
const COMMON: Section = {
  name: done,
  kind: done,
  type: done,
  excludeFromResults: done,
  seamless: onlyDefault(false),
  timingMode: onlyDefault('request_rate'),
  sla: onlyDefault('', ADAPTIVE),
  adaptiveScale: onlyDefault(false, ADAPTIVE),
  ...Object.fromEntries(
    [
      ...['adaptiveSustainDuration', 'adaptiveAssessmentPeriod', 'adaptiveMinCompletedRequests'],
      ...['adaptiveControlVariable', 'adaptiveControlMin', 'adaptiveControlMax', 'adaptiveScaleStrategyType'],
      ...['adaptiveScaleStepPolicy', 'adaptiveScaleBaseStep', 'adaptiveScaleMaxStepMultiplier'],
      'adaptiveScaleStepPercent',
    ].map(key => [key, noEffect()]),
  ),
};

/** The options of the profiling phase. */
const PROFILING: Section = {
  ...COMMON,
  requests: scalar('request-count'),
  duration: scalar('benchmark-duration'),
  sessions: scalar('num-sessions'),
  concurrency: scalar('concurrency'),
  concurrencyRamp: ramp('concurrency-ramp-duration'),
  prefillConcurrency: scalar('prefill-concurrency'),
  prefillRamp: ramp('prefill-concurrency-ramp-duration'),
  gracePeriod: scalar('benchmark-grace-period'),
  cancellation: section({
    rate: scalar('request-cancellation-rate'),
    delay: scalar('request-cancellation-delay'),
  }),
  failedRequestThreshold: scalar('failed-request-threshold'),
  trajectoryStartMinRatio: scalar('trajectory-start-min-ratio', 0.25),
  trajectoryStartMaxRatio: scalar('trajectory-start-max-ratio', 0.75),
  burstPhaseStarts: scalar('burst-phase-starts', false),
  systemIdleGapCapSeconds: scalar('system-idle-gap-cap-seconds'),
  agenticCacheWarmupDuration: scalar('agentic-cache-warmup-duration'),
  agenticWarmupGracePeriod: scalar('agentic-warmup-grace-period'),
};

const RATE_SERIES: Field = section({
  path: scalar('request-rate-series'),
  points: (_, path, reader) => reader.reportMissing(path, 'put the points into a JSON file, and set path'),
});

/** Options of the profiling phase that only some types of phases have. */
const PROFILING_BY_TYPE: Readonly<Record<string, Section>> = {
  rate: {
    rate: scalar('request-rate'),
    rateRamp: ramp('request-rate-ramp-duration'),
    rateSeries: RATE_SERIES,
  },
  gamma: { smoothness: scalar('arrival-smoothness') },
  user_centric: {
    rate: scalar('user-centric-rate'),
    users: scalar('num-users'),
    rateRamp: ramp('request-rate-ramp-duration'),
  },
  fixed_schedule: {
    autoOffset: scalar('fixed-schedule-auto-offset'),
    startOffset: scalar('fixed-schedule-start-offset'),
    endOffset: scalar('fixed-schedule-end-offset'),
  },
};

/** The options of the warm-up. */
const WARMUP: Section = {
  ...COMMON,
  requests: scalar('warmup-request-count'),
  duration: scalar('warmup-duration'),
  sessions: scalar('num-warmup-sessions'),
  concurrency: scalar('warmup-concurrency'),
  concurrencyRamp: ramp('warmup-concurrency-ramp-duration'),
  prefillConcurrency: scalar('warmup-prefill-concurrency'),
  prefillRamp: ramp('warmup-prefill-concurrency-ramp-duration'),
  gracePeriod: scalar('warmup-grace-period'),
  rate: scalar('warmup-request-rate'),
  rateRamp: ramp('warmup-request-rate-ramp-duration'),
  smoothness: scalar('arrival-smoothness'),
};

/** All keys of phases. */
export const PHASE_KEYS: readonly string[] = [
  ...new Set([PROFILING, WARMUP, ...Object.values(PROFILING_BY_TYPE)].flatMap(each => Object.keys(each))),
];

/** A phase of the file. */
interface Phase {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: Path;
  readonly isWarmup: boolean;
}

/** Reads the phases of a run: `phases`, or `warmup` and `profiling`. */
export function readPhases(body: Readonly<Record<string, unknown>>, path: Path, reader: RunFileReader): void {
  const phases = listPhases(body, path, reader);
  const profiling = takeOne(phases, false, reader);
  const warmup = takeOne(phases, true, reader);
  if (profiling) readProfiling(profiling, reader);
  if (warmup) readWarmup(warmup, profiling, reader);
}

function listPhases(
  body: Readonly<Record<string, unknown>>,
  path: Path,
  reader: RunFileReader,
): readonly Phase[] {
  const list = getField(body, 'phases');
  const named = ['warmup', 'profiling'].flatMap(name => getField(body, name) ?? []);
  if (list && named.length > 0)
    reader.report([...path, list.key], `cannot be combined with ${named[0]!.key}; use one of both`);
  const items = list === undefined ? [] : Array.isArray(list.value) ? list.value : [list.value];
  const entries = [
    ...items.map((value, index) => {
      const itemPath = Array.isArray(list!.value) ? [...path, list!.key, index] : [...path, list!.key];
      return { value, path: itemPath, isWarmup: isWarmup(value) };
    }),
    ...named.map(({ key, value }) => ({ value, path: [...path, key], isWarmup: key === 'warmup' })),
  ];
  return entries.flatMap(entry => {
    if (isMapping(entry.value)) return [{ ...entry, value: entry.value }];
    reader.report(entry.path, 'has an unexpected type; expected a mapping with type');
    return [];
  });
}

function isWarmup(value: unknown): boolean {
  if (!isMapping(value)) return false;
  const kind = getField(value, 'kind')?.value ?? getField(value, 'name')?.value;
  return kind === 'warmup' || String(getField(value, 'excludeFromResults')?.value) === 'true';
}

function takeOne(phases: readonly Phase[], warmup: boolean, reader: RunFileReader): Phase | undefined {
  const [first, ...others] = phases.filter(phase => phase.isWarmup === warmup);
  for (const { path } of others)
    reader.reportMissing(path, `use one ${warmup ? 'warm-up' : 'profiling phase'}, and several runs`);
  return first;
}

function readType({ value, path }: Phase, reader: RunFileReader): string | undefined {
  const type = getField(value, 'type');
  if (type && TYPES.includes(String(type.value))) return String(type.value);
  const shown = type ? JSON.stringify(type.value) : 'missing';
  reader.report([...path, type?.key ?? 'type'], `is ${shown}; expected ${TYPES.join(', ')}`);
  return undefined;
}

function readProfiling(phase: Phase, reader: RunFileReader): void {
  const type = readType(phase, reader);
  if (type === undefined) return;
  const { value, path } = phase;
  const hasArrivals = ARRIVALS.includes(type);
  const fields = {
    ...PROFILING,
    ...(hasArrivals ? PROFILING_BY_TYPE.rate : {}),
    ...(PROFILING_BY_TYPE[type] ?? {}),
  };
  readSection(value, path, fields, reader);
  const typePath = [...path, 'type'];
  if (hasArrivals) reader.set('arrival-pattern', [type], typePath);
  if (hasArrivals && !reader.options.has('request-rate') && !reader.options.has('request-rate-series'))
    reader.report(path, 'is incomplete; expected rate');
  if (type === 'fixed_schedule') reader.set('fixed-schedule', ['true'], typePath);
  // A file with timestamps would be replayed at its timestamps.
  if (type === 'concurrency') reader.set('fixed-schedule', ['false'], typePath);
}

function readWarmup(phase: Phase, profiling: Phase | undefined, reader: RunFileReader): void {
  const type = readType(phase, reader);
  if (type === undefined) return;
  const { value, path } = phase;
  const typePath = [...path, 'type'];
  if (type !== 'concurrency' && !ARRIVALS.includes(type)) {
    reader.reportMissing(typePath, 'use a warm-up of type concurrency or poisson');
    return;
  }
  readSection(value, path, WARMUP, reader);
  if (type === 'concurrency') {
    if (!reader.options.has('warmup-concurrency')) reader.set('warmup-concurrency', ['1'], typePath);
    const profilingType = profiling && getField(profiling.value, 'type')?.value;
    if (ARRIVALS.includes(String(profilingType))) reader.set('warmup-request-rate', ['inf'], typePath);
    return;
  }
  reader.set('warmup-arrival-pattern', [type], typePath);
  if (!reader.options.has('warmup-request-rate')) reader.report(path, 'is incomplete; expected rate');
  if (reader.options.has('concurrency') && !reader.options.has('warmup-concurrency'))
    reader.report(path, 'has no concurrency, and the profiling phase has one; set the same for both');
}
