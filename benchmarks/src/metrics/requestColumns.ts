import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../measure/random.ts';

/** The size of a simulated run. */
export interface RunSize {
  readonly requests: number;
  /** Number of gaps between the chunks of each response. */
  readonly gaps: number;
}

/** The requests of a run, one entry per request. Times are in ns. */
export interface RequestColumns {
  readonly starts: Float64Array;
  readonly firstTokens: Float64Array;
  readonly ends: Float64Array;
  readonly inputTokens: Float64Array;
  readonly outputTokens: Float64Array;
  /** The gaps of all requests, in order. */
  readonly gaps: Float64Array;
}

const NAMES = ['starts', 'firstTokens', 'ends', 'inputTokens', 'outputTokens', 'gaps'] as const;

/** Creates requests that arrive at random, 1000 per second. Of the gaps, 2% are 0, as of chunks that arrive together. */
export function createRequests({ requests, gaps }: RunSize): RequestColumns {
  const random = createRandom(1);
  const columns = Object.fromEntries(
    NAMES.map(name => [name, new Float64Array(name === 'gaps' ? requests * gaps : requests)]),
  ) as Record<(typeof NAMES)[number], Float64Array>;
  let startNs = 0;
  for (let request = 0; request < requests; request++) {
    startNs += Math.round(-Math.log(1 - random()) * 1e6);
    const firstTokenNs = startNs + Math.round(20e6 + random() * 80e6);
    let decodeNs = gaps === 0 ? Math.round(random() * 300e6) : 0;
    for (let gap = request * gaps; gap < (request + 1) * gaps; gap++) {
      columns.gaps[gap] = random() < 0.02 ? 0 : Math.round(5e6 + random() * 20e6);
      decodeNs += columns.gaps[gap]!;
    }
    columns.starts[request] = startNs;
    columns.firstTokens[request] = firstTokenNs;
    columns.ends[request] = firstTokenNs + decodeNs;
    columns.inputTokens[request] = 1 + Math.floor(random() * 1000);
    columns.outputTokens[request] = 2 + Math.floor(random() * 200);
  }
  return columns;
}

/** Writes each column to a file of doubles. */
export function writeRequests(folder: string, columns: RequestColumns): void {
  for (const name of NAMES) writeFileSync(join(folder, `${name}.f64`), columns[name]);
}

export function readRequests(folder: string): RequestColumns {
  return Object.fromEntries(
    NAMES.map(name => {
      const bytes = readFileSync(join(folder, `${name}.f64`));
      return [name, new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))];
    }),
  ) as unknown as RequestColumns;
}
