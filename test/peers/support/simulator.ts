import { join } from 'node:path';
import { type Service, startService } from '../../service.ts';
import { root } from '../../source.ts';

/** Model that `servelens simulate` serves. */
export const MODEL = 'servelens/simulated-8b';

/** Starts `servelens simulate` on a free port. Equal options give a server with the same behavior. */
export function startSimulator(args: readonly string[] = []): Promise<Service> {
  const bin = join(root, 'apps/cli/bin/servelens.js');
  return startService(
    process.execPath,
    port => [bin, 'simulate', '--port', String(port), ...args],
    '/health',
    { timeoutMs: 60_000 },
  );
}

/** Calls `action` with the URL of a simulator, and stops the simulator afterwards. */
export async function withSimulator<T>(
  args: readonly string[],
  action: (url: string) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator(args);
  try {
    return await action(simulator.url);
  } finally {
    await simulator.stop();
  }
}
