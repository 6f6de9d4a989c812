import { type Field, isMapping, type RunFileReader, readSection, type Section } from './field.ts';
import { noEffect, onlyDefault, scalar, section, toggle } from './fields.ts';
import { dataset, datasets } from './sections/dataset.ts';
import { ENDPOINT, models, slos, TOKENIZER } from './sections/endpoint.ts';
import { ACCURACY, artifacts, EXTERNAL, gpuTelemetry, RUNTIME, serverMetrics } from './sections/output.ts';
import { readPhases } from './sections/phases.ts';
import { MULTI_RUN, sweep } from './sections/runs.ts';

/** A key that `readPhases` reads. */
const phase: Field = () => {};

/** The section `benchmark`. */
export const BENCHMARK: Section = {
  model: models,
  models,
  endpoint: section(ENDPOINT),
  dataset,
  datasets,
  phases: phase,
  warmup: phase,
  profiling: phase,
  artifacts,
  slos,
  tokenizer: section(TOKENIZER),
  gpuTelemetry,
  serverMetrics,
  ...EXTERNAL,
  runtime: section(RUNTIME),
  logging: section({ level: scalar('log-level') }),
  metrics: noEffect(),
  accuracy: section(ACCURACY),
  scenario: scalar('scenario'),
  unsafeOverride: toggle('unsafe-override'),
};

/** The sections of a run file. */
export const RUN_FILE: Section = {
  schemaVersion: onlyDefault('2.0', 'use schemaVersion "2.0"'),
  variables: () => {},
  randomSeed: scalar('random-seed'),
  benchmark: readBenchmark,
  multiRun: section(MULTI_RUN),
  sweep,
  plot: noEffect(),
  noSweepTable: toggle('no-sweep-table'),
};

function readBenchmark(value: unknown, path: Parameters<Field>[1], reader: RunFileReader): void {
  readSection(value, path, BENCHMARK, reader);
  if (isMapping(value)) readPhases(value, path, reader);
}

/**
 * Reads the options that a document in AIPerf's schema sets. The keys of `benchmark` may also be at the top level, as in
 * older files of AIPerf.
 */
export function readRunSections(value: Readonly<Record<string, unknown>>, reader: RunFileReader): void {
  // The sweep replaces values of the benchmark, wherever it is in the file.
  const entries = Object.entries(value).sort(([a], [b]) => Number(a === 'sweep') - Number(b === 'sweep'));
  readSection(Object.fromEntries(entries), [], { ...BENCHMARK, ...RUN_FILE }, reader);
  readPhases(value, [], reader);
}
