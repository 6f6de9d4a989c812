import type { Run, RunFamily } from '@org/analysis';
import type { ReadIssues } from '../readIssues.ts';
import type { RunningData } from './followedTraces.ts';
import { createAxis, createSliceAxis, readInterval } from './runAxes.ts';
import { RunTraces } from './runTraces.ts';
import { findSampleSource, type SampleSource } from './sampleSource.ts';
import { convertSlices } from './sliceTraces.ts';
import { TraceFiller } from './traceFiller.ts';
import { tryRead } from './tryRead.ts';

/** The number of scrapes per bin that are read from a large file. */
const READ_SCRAPES_PER_BIN = 4;

/**
 * Reads metrics over time: from all scrapes, from the samples of the profiling period, or from timeslices. Returns
 * undefined if the run has none of them.
 *
 * @param requests number of requests of the run, which determines the width of slices
 * @param running the samples of a run that has not ended; otherwise, they are read from its exports
 */
export async function readRunTraces(
  run: Run,
  families: readonly RunFamily[],
  requests: number,
  issues: ReadIssues,
  running?: RunningData,
): Promise<RunTraces | undefined> {
  if (running && families.length > 0)
    return running.traces.read(run, families, requests, running.listSamples);
  const source = families.length === 0 ? undefined : await findSampleSource(run, issues);
  const sampled =
    source && (await tryRead(source.file, issues, () => readSamples(run, families, requests, source)));
  return sampled ?? convertSlices(families) ?? createEmptyTraces(run, requests, running);
}

/** Creates an axis without traces, for requests only. Returns undefined if the time range of the run is unknown. */
function createEmptyTraces(run: Run, requests: number, running?: RunningData): RunTraces | undefined {
  const { startNs, seconds } = run.times;
  const hasRequests = run.files.requests !== undefined || running?.requests !== undefined;
  if (!hasRequests || startNs === undefined || !seconds) return undefined;
  return new RunTraces(
    'requests',
    startNs,
    createAxis(seconds, run),
    createSliceAxis(seconds, run, requests),
  );
}

async function readSamples(
  run: Run,
  families: readonly RunFamily[],
  requests: number,
  source: SampleSource,
): Promise<RunTraces> {
  const axis = createAxis(source.seconds, run);
  const sliceAxis = createSliceAxis(source.seconds, run, requests);
  const spacing = { neededSeconds: axis.width / READ_SCRAPES_PER_BIN, scrapeSeconds: readInterval(run) };
  const traces = new RunTraces(source.describe(spacing), source.startNs, axis, sliceAxis);
  const filler = new TraceFiller(run, families, traces, source.areRaw);
  for await (const sample of source.readSamples(filler.names, spacing)) filler.add(sample);
  return traces;
}
