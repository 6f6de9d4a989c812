import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll } from 'vitest';

/** Starts a simulated inference server that is closed after all tests of the calling file. */
export async function startSimulator(
  options: Parameters<typeof createSimulator>[0],
): Promise<{ readonly simulator: Simulator; readonly url: string }> {
  const simulator = createSimulator(options);
  afterAll(() => simulator.close());
  const { url } = await simulator.listen(0);
  return { simulator, url };
}
