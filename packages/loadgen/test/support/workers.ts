import { type InputsDescription, type LoadDescription, openWorkers } from '@org/loadgen';
import { onTestFinished } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { PhaseEvent } from '../../src/run/loadOptions.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { startLoad } from '../../src/run/localRun.ts';
import { clock, createInputs } from './load.ts';
import { MODEL } from './simulator.ts';

/** A description of the inputs that `createInputs()` creates by default. */
export const SYNTHETIC: InputsDescription = {
  kind: 'synthetic',
  seed: 1,
  inputTokens: { mean: 12, stddev: 4 },
  outputTokens: { mean: 5 },
};

interface Overrides extends Partial<Omit<LoadDescription, 'target'>> {
  readonly target?: Partial<LoadDescription['target']>;
}

/** Runs a load in worker threads of the built package, or in this thread if `workers` is 0. Returns the results. */
export async function runWorkers(
  workers: number,
  url: string,
  overrides: Overrides = {},
  listener: { onRecord?: (record: RequestRecord) => void; signal?: AbortSignal } = {},
): Promise<{ summary: LoadSummary; records: RequestRecord[]; events: PhaseEvent[] }> {
  const records: RequestRecord[] = [];
  const events: PhaseEvent[] = [];
  const { target, inputs: inputsDescription = SYNTHETIC, ...otherOptions } = overrides;
  const options = {
    profiling: { concurrency: 4, requestCount: 12 },
    timeoutS: 20,
    ...otherOptions,
    target: { urls: [url], model: MODEL, streaming: true, extraInputs: { ignore_eos: true }, ...target },
  };
  const listeners = {
    ...listener,
    onRecord: (record: RequestRecord) => {
      records.push(record);
      listener.onRecord?.(record);
    },
    onPhase: (event: PhaseEvent) => events.push(event),
  };
  if (workers === 0) {
    const run = startLoad({ ...options, clock, inputs: createInputs(), ...listeners });
    return { summary: await run.finished, records, events };
  }
  const threads = await openWorkers({ ...options, inputs: inputsDescription, workers, clock });
  onTestFinished(() => threads.close());
  return { summary: await threads.start(listeners).finished, records, events };
}
