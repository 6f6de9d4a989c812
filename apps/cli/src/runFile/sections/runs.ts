import type { Path } from '@org/terminal/userFile';
import { type Field, isMapping, type RunFileReader, readSection, type Section } from '../field.ts';
import { missing, noEffect, readScalar, scalar, section, toggle } from '../fields.ts';

/** The section `multiRun`. */
export const MULTI_RUN: Section = {
  numRuns: scalar('num-profile-runs'),
  cooldownSeconds: scalar('profile-run-cooldown-seconds'),
  confidenceLevel: scalar('confidence-level'),
  setConsistentSeed: toggle('set-consistent-seed', 'vary-seed-per-trial'),
  varySeedPerTrial: toggle('vary-seed-per-trial'),
  disableWarmupAfterFirst: toggle(
    'profile-run-disable-warmup-after-first',
    'no-profile-run-disable-warmup-after-first',
  ),
  convergence: section({
    metric: scalar('convergence-metric'),
    stat: scalar('convergence-stat'),
    mode: scalar('convergence-mode'),
    threshold: scalar('convergence-threshold'),
    minRuns: scalar('convergence-min-runs', 2),
  }),
};

/** Settings of all sweeps. */
const SWEEP: Section = {
  type: () => {},
  cooldownSeconds: scalar('parameter-sweep-cooldown-seconds', 0),
  iterationOrder: scalar('parameter-sweep-mode'),
  sameSeed: toggle('parameter-sweep-same-seed'),
  recipeName: noEffect(),
  postProcess: missing('read the exports of the sweep'),
  slaFilters: (value, path, reader) => {
    if (!Array.isArray(value)) return reader.report(path, 'has an unexpected type; expected a list');
    for (const [index, filter] of value.entries())
      reader.add('search-sla', readSlaFilter(filter, [...path, index], reader), [...path, index]);
  },
};

/** Reads a limit of a search, and returns it as in `--search-sla METRIC:STAT:OPERATOR:LIMIT`. */
function readSlaFilter(value: unknown, path: Path, reader: RunFileReader): string {
  const parts = { metricTag: '', stat: 'p95', op: '', threshold: '' };
  const read =
    (name: keyof typeof parts): Field =>
    (part, partPath) => {
      parts[name] = readScalar(part, partPath, reader) ?? '';
    };
  readSection(
    value,
    path,
    { metricTag: read('metricTag'), stat: read('stat'), op: read('op'), threshold: read('threshold') },
    reader,
  );
  return `${parts.metricTag}:${parts.stat}:${parts.op}:${parts.threshold}`;
}

/** Keys of a run of a sweep of the type `scenarios`. Its `benchmark` is read together with the file's. */
const SCENARIO: Section = {
  name: () => {},
  benchmark: (value, path, reader) => {
    if (!isMapping(value)) reader.report(path, 'has an unexpected type; expected a mapping');
  },
  values: noEffect(),
  variables: missing('set the values in benchmark'),
};

/** The runs of a sweep of the type `scenarios`. */
const scenarios: Field = (value, path, reader) => {
  if (!Array.isArray(value)) return reader.report(path, 'has an unexpected type; expected a list');
  for (const [index, run] of value.entries()) readSection(run, [...path, index], SCENARIO, reader);
};

/** Swept paths without `phases.profiling.` or `datasets.NAME.prompts.`, and the options that they set. */
const SWEPT_OPTIONS: Readonly<Record<string, string>> = {
  concurrency: 'concurrency',
  prefillConcurrency: 'prefill-concurrency',
  rate: 'request-rate',
  requests: 'request-count',
  duration: 'benchmark-duration',
  sessions: 'num-sessions',
  users: 'num-users',
  smoothness: 'arrival-smoothness',
  gracePeriod: 'benchmark-grace-period',
  concurrencyRamp: 'concurrency-ramp-duration',
  prefillRamp: 'prefill-concurrency-ramp-duration',
  rateRamp: 'request-rate-ramp-duration',
  isl: 'synthetic-input-tokens-mean',
  osl: 'output-tokens-mean',
  'isl.mean': 'synthetic-input-tokens-mean',
  'osl.mean': 'output-tokens-mean',
};

/** Options that a swept distribution replaces, because its values have no standard deviation. */
const REPLACED: Readonly<Record<string, string>> = {
  isl: 'synthetic-input-tokens-stddev',
  osl: 'output-tokens-stddev',
};

const SWEPT_PREFIX = /^(?:phases\.(?:profiling|default|0)\.|datasets?\.(?:[\w-]+\.)?(?:prompts\.)?)/;

/** Reads the parameters of a grid: lists of values by path. */
const parameters: Field = (value, path, reader) => {
  if (!isMapping(value)) return reader.report(path, 'has an unexpected type; expected lists by path');
  for (const [key, values] of Object.entries(value)) readParameter(key, values, [...path, key], reader);
};

function readParameter(key: string, values: unknown, path: Path, reader: RunFileReader): void {
  const name = key
    .replace(SWEPT_PREFIX, '')
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const isUserRate = name === 'rate' && reader.options.has('user-centric-rate');
  const option = isUserRate
    ? 'user-centric-rate'
    : Object.hasOwn(SWEPT_OPTIONS, name)
      ? SWEPT_OPTIONS[name]!
      : undefined;
  if (option === undefined) {
    reader.reportMissing(path, 'start one run for each value');
    return;
  }
  if (!Array.isArray(values) || values.length === 0) {
    reader.report(path, 'has an unexpected type; expected a list of values');
    return;
  }
  if (values.some(isMapping)) {
    reader.reportMissing(path, 'sweep numbers');
    return;
  }
  if (Object.hasOwn(REPLACED, name)) reader.options.delete(REPLACED[name]!);
  reader.set(option, [values.map(String).join(',')], path);
}

/** The dimensions of a search. */
const searchSpace: Field = (value, path, reader) => {
  if (!Array.isArray(value)) return reader.report(path, 'has an unexpected type; expected a list');
  for (const [index, item] of value.entries()) {
    const itemPath = [...path, index];
    const parts: Record<string, string> = { kind: 'real' };
    const read =
      (name: string): Field =>
      (part, partPath) => {
        parts[name] = readScalar(part, partPath, reader) ?? '';
      };
    readSection(
      item,
      itemPath,
      { path: read('path'), lo: read('lo'), hi: read('hi'), kind: read('kind'), prior: noEffect() },
      reader,
    );
    reader.add('search-space', `${parts.path}:${parts.lo},${parts.hi}:${parts.kind}`, itemPath);
  }
};

/** The objective of a search; the first one is used. */
const objectives: Field = (value, path, reader) => {
  const [first, ...others] = Array.isArray(value) ? value : [value];
  readSection(
    first,
    Array.isArray(value) ? [...path, 0] : path,
    {
      metric: scalar('search-metric'),
      stat: scalar('search-stat'),
      direction: scalar('search-direction'),
      threshold: missing('use slaFilters'),
    },
    reader,
  );
  if (others.length > 0) reader.reportMissing([...path, 1], 'use one objective');
};

/** Groups of limits, each with a name. */
const slaTiers: Field = (value, path, reader) => {
  if (!Array.isArray(value)) return reader.report(path, 'has an unexpected type; expected a list');
  for (const [index, tier] of value.entries()) {
    const limits: string[] = [];
    let label = `tier_${index + 1}`;
    const fields: Section = {
      label: (name, namePath) => {
        label = readScalar(name, namePath, reader) ?? label;
      },
      filters: (filters, filtersPath) => {
        if (!Array.isArray(filters))
          return reader.report(filtersPath, 'has an unexpected type; expected a list');
        for (const [place, filter] of filters.entries())
          limits.push(readSlaFilter(filter, [...filtersPath, place], reader));
      },
    };
    readSection(tier, [...path, index], fields, reader);
    reader.add('search-sla-tier', `${label}:${limits.join(',')}`, [...path, index]);
  }
};

const ADAPTIVE_SEARCH: Section = {
  ...SWEEP,
  planner: scalar('search-planner'),
  searchSpace,
  objectives,
  outcomeConstraints: missing('use slaFilters'),
  maxIterations: scalar('search-max-iterations'),
  nInitialPoints: scalar('search-initial-points', 5),
  randomSeed: scalar('search-random-seed'),
  optunaSampler: scalar('optuna-sampler', 'botorch'),
  optunaAcquisition: scalar('optuna-acquisition'),
  optunaTerminator: scalar('optuna-terminator', 'none'),
  objectivePooling: scalar('search-percentile-pooling', 'mean'),
  constraintMode: scalar('bo-constraint-mode', 'penalty'),
  slaTiers,
  ...Object.fromEntries(
    [
      ...['plateauWindow', 'plateauThreshold', 'improvementPatience', 'monotonicStabilityTrials'],
      ...['slaReplicates', 'slaPrecision', 'slaWarmupSeconds'],
    ].map(key => [key, noEffect()]),
  ),
};

const SAMPLES = 'sweep a list of values with a sweep of type grid';

/** The sections of sweeps, by type. */
export const SWEEP_TYPES: Readonly<Record<string, Section>> = {
  grid: { ...SWEEP, parameters },
  zip: { ...SWEEP, parameters },
  scenarios: { ...SWEEP, runs: scenarios },
  adaptive_search: ADAPTIVE_SEARCH,
  ...Object.fromEntries(
    ['sobol', 'latin_hypercube'].map(type => [
      type,
      {
        ...SWEEP,
        samples: missing(SAMPLES),
        dimensions: noEffect(),
        seed: noEffect(),
        labelFormat: noEffect(),
        optimization: noEffect(),
        scramble: noEffect(),
      },
    ]),
  ),
};

/** The section `sweep`. */
export const sweep: Field = (value, path, reader) => {
  const type = isMapping(value) ? String(value.type ?? 'grid') : 'grid';
  if (!Object.hasOwn(SWEEP_TYPES, type))
    return reader.report(
      [...path, 'type'],
      `is ${JSON.stringify(type)}; expected ${Object.keys(SWEEP_TYPES).join(', ')}`,
    );
  if (type === 'zip') reader.set('sweep-type', ['zip'], [...path, 'type']);
  readSection(value, path, SWEEP_TYPES[type]!, reader);
};
