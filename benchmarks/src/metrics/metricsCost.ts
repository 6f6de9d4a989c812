import { resourceUsage } from 'node:process';
import { PhaseMetrics } from '@org/loadgen';
import { CpuClock } from '../measure/cpuClock.ts';
import type { RequestColumns } from './requestColumns.ts';

/** The time to compute the metrics of a run over time, and their averages. */
export interface MetricsCost {
  readonly cpuS: number;
  readonly wallS: number;
  readonly peakRssMb: number;
  readonly averages: Readonly<Record<string, number>>;
}

/** Measures the end of a run: all metrics of the load over time, from requests that were added one by one. */
export function measureMetrics(columns: RequestColumns): MetricsCost & { readonly addCpuS: number } {
  const phase = new PhaseMetrics({ streaming: true });
  const adding = new CpuClock();
  adding.measure(() => addRequests(phase, columns));
  const clock = new CpuClock();
  const blocks = clock.measure(() => phase.toBlocks(0));
  return {
    addCpuS: adding.cpuS,
    cpuS: clock.cpuS,
    wallS: clock.wallS,
    peakRssMb: (resourceUsage().maxRSS * 1024) / 1e6,
    averages: Object.fromEntries(Object.entries(blocks).map(([tag, { avg }]) => [tag, avg!])),
  };
}

function addRequests(phase: PhaseMetrics, columns: RequestColumns): void {
  const { starts, firstTokens, ends, inputTokens, outputTokens, gaps } = columns;
  const gapCount = gaps.length / starts.length;
  for (let request = 0; request < starts.length; request++) {
    const chunks = gaps.subarray(request * gapCount, (request + 1) * gapCount);
    phase.add(
      {
        startNs: starts[request]!,
        endNs: ends[request]!,
        intendedNs: undefined,
        speculation: undefined,
      },
      {
        time_to_first_token: { value: (firstTokens[request]! - starts[request]!) / 1e6, unit: 'ms' },
        input_sequence_length: { value: inputTokens[request]!, unit: 'tokens' },
        output_sequence_length: { value: outputTokens[request]!, unit: 'tokens' },
        inter_chunk_latency: { value: Array.from(chunks, gapNs => gapNs / 1e6), unit: 'ms' },
      },
    );
  }
}
