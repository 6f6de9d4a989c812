import { type Frame, Layout } from '@org/core';
import { ExpositionReader } from '@org/scrape/exposition';
import { type SERVER_KINDS, simulateTrace } from '@org/simulator';
import { INTERVAL_MS } from '../bodies/vllmBodies.ts';

/** The frames of a simulated server, with their layout and total number of samples. */
export interface Recording {
  readonly layout: Layout;
  readonly frames: readonly Frame[];
  readonly samples: number;
}

/** Records the scrapes of a simulated server at 60% of its capacity. */
export function recordTrace(
  kind: (typeof SERVER_KINDS)[number],
  durationS: number,
  engines: number,
): Recording {
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  const trace = simulateTrace({
    kind,
    engines,
    durationS,
    seed: 7,
    load: 'steady',
    intervalMs: INTERVAL_MS,
  });
  const frames = Array.from(trace, ({ timestampNs, body }, index) => {
    const { values, changed } = reader.read(Buffer.from(body), 'classic');
    // Real latencies differ in their lower digits, which affects the size of the journal.
    const latencyNs = 1_800_000 + ((index * 7919) % 400_000);
    return { timestampNs, latencyNs, changed, values: values.slice() };
  });
  return { layout, frames, samples: frames.reduce((sum, { values }) => sum + values.length, 0) };
}
