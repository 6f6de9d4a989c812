import { memoryUsage, resourceUsage } from 'node:process';

const MB = 1e6;

/** Memory of this process; MB are 10^6 bytes. */
export interface Memory {
  /** Size of the reachable JavaScript objects and buffers, in bytes. */
  readonly heldBytes: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
}

/** Collects garbage, then measures the memory of this process. Throws if node was started without --expose-gc. */
export function measureMemory(): Memory {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error('cannot measure memory: node was started without --expose-gc');
  // The first collection collects objects; the second one frees their buffers.
  gc();
  gc();
  return {
    heldBytes: readHeldBytes(),
    rssMb: memoryUsage().rss / MB,
    peakRssMb: (resourceUsage().maxRSS * 1024) / MB,
  };
}

/** Returns the size of JavaScript objects and buffers in bytes, without collecting garbage first. */
export function readHeldBytes(): number {
  const { heapUsed, external } = memoryUsage();
  return heapUsed + external;
}
