import { createRun, type Run } from '@org/analysis';
import { EndpointStore, estimateMomentsPercentiles, Layout } from '@org/core';
import { ProfileMetrics, type RequestMetrics, SliceMetrics } from '@org/loadgen';
import type { RunRecord } from '@org/record';
import { createExportView, createServerMetricsDocument } from '@org/record/view';
import { ExpositionReader } from '@org/scrape/exposition';
import { type CreateSimulatorOptions, createSimulator, type Simulator } from '@org/simulator';

/** A run of a simulated server. */
export interface SimulatedRunOptions extends CreateSimulatorOptions {
  /** Length of the profiling phase, in seconds. */
  readonly seconds?: number;
  /** Length of the warm-up phase, in seconds. */
  readonly warmupSeconds?: number;
  readonly sliceSeconds?: number;
}

const URL = 'http://simulator:8000/metrics';
const SCRAPE_INTERVAL_S = 1 / 3;

/**
 * Runs a simulated server in simulated time and returns the run as if its exports had been read: the server
 * metrics of its pages, and the client metrics of its requests. The same options produce the same run.
 */
export function simulateRun(options: SimulatedRunOptions): Run {
  const { seconds = 60, warmupSeconds = 10, sliceSeconds = 2, ...simulatorOptions } = options;
  const simulator = createSimulator(simulatorOptions);
  const store = new EndpointStore(new Layout());
  const originNs = simulator.timeNs;
  scrape(simulator, store, warmupSeconds + seconds);
  const period = {
    startNs: originNs + BigInt(warmupSeconds * 1e9),
    endNs: originNs + BigInt((warmupSeconds + seconds) * 1e9),
  };
  const document = createServerMetricsDocument(createExportView(createRecord(store, period)), {
    estimator: estimateMomentsPercentiles,
    sliceSeconds,
  });
  return createRun({
    name: `seed ${options.seed}`,
    layout: 'json',
    files: {},
    view: document as Parameters<typeof createRun>[0]['view'],
    ...measureClient(simulator, originNs, period, sliceSeconds),
  });
}

/** Appends all scrapes of a simulation to a store, and advances the simulation to its end. */
function scrape(simulator: Simulator, store: EndpointStore, seconds: number): void {
  const reader = new ExpositionReader(store.layout);
  for (let frame = 0; frame * SCRAPE_INTERVAL_S <= seconds + 1e-9; frame++) {
    if (frame > 0) simulator.advance(SCRAPE_INTERVAL_S);
    const { values } = reader.read(Buffer.from(simulator.scrape()), 'classic');
    store.append({ timestampNs: simulator.timeNs, latencyNs: 1e6, changed: true, values });
  }
}

function createRecord(store: EndpointStore, period: RunRecord['period']): RunRecord {
  return {
    benchmarkId: 'simulated',
    version: '0.0.0',
    startNs: store.timeline().originNs,
    endNs: period.endNs,
    period,
    cancelled: false,
    endpoints: [
      {
        url: URL,
        configuredUrl: URL,
        store,
        health: {
          status: 'active',
          last_error: null,
          scrapes_failed: 0,
          scrapes_late: 0,
          samples_dropped: 0,
          lines_dropped: 0,
          bytes: 0,
          outages: [],
          outages_omitted: 0,
          unsupported: [],
        },
      },
    ],
    inputConfig: {},
  };
}

type ClientData = Pick<Parameters<typeof createRun>[0], 'clientMetrics' | 'clientTimeslices'>;

/** Measures the requests that arrived in the period and ended before the end of the run, as a client would. */
function measureClient(
  simulator: Simulator,
  originNs: bigint,
  { startNs, endNs }: RunRecord['period'],
  sliceSeconds: number,
): ClientData {
  const [from, to] = [Number(startNs - originNs), Number(endNs - originNs)];
  const profile = new ProfileMetrics({ streaming: true });
  const slices = new SliceMetrics(sliceSeconds * 1e9, { streaming: true });
  for (const request of simulator.getTruth().requests) {
    if (request.arrivalNs < from || request.finishReason === 'abort') continue;
    const { arrivalNs, firstTokenNs, lastTokenNs, outputTokens, promptTokens } = request;
    const metrics: RequestMetrics = {
      request_latency: { value: (lastTokenNs - arrivalNs) / 1e6, unit: 'ms' },
      time_to_first_token: { value: (firstTokenNs - arrivalNs) / 1e6, unit: 'ms' },
      ...(outputTokens > 1 && {
        inter_token_latency: {
          value: (lastTokenNs - firstTokenNs) / 1e6 / (outputTokens - 1),
          unit: 'ms',
        },
      }),
      output_sequence_length: { value: outputTokens, unit: 'tokens' },
      input_sequence_length: { value: promptTokens, unit: 'tokens' },
    };
    const ended = {
      failure: undefined,
      cancelled: false,
      startNs: arrivalNs,
      lastTokenNs,
      endNs: lastTokenNs,
    };
    profile.add(ended, metrics);
    slices.add(ended, metrics, from);
  }
  return {
    clientMetrics: new Map(Object.entries(profile.toBlocks())),
    clientTimeslices: {
      timeslices: slices.toSlices(from, to).map(({ index, startNs, endNs, isComplete, blocks }) => ({
        timeslice_index: index,
        start_ns: originNs + BigInt(startNs),
        end_ns: originNs + BigInt(endNs),
        ...(isComplete ? {} : { is_complete: false }),
        ...blocks,
      })),
    } as NonNullable<ClientData['clientTimeslices']>,
  };
}
