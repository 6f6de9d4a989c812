import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import type { CreateSimulatorOptions } from '@org/simulator';
import { onTestFinished } from 'vitest';

/** A simulator in a process of its own, so that neither it nor the client waits for the other's thread. Resolves to its URL. */
export async function simulatorProcess(options: CreateSimulatorOptions): Promise<string> {
  const script = `
    import { createSimulator } from ${JSON.stringify(import.meta.resolve('@org/simulator'))};
    const simulator = createSimulator(${JSON.stringify({ ...options, truthEndpoint: true })});
    console.log((await simulator.listen()).url);`;
  const child = spawn(execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const line = once(createInterface({ input: child.stdout }), 'line');
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`the simulator ended with status ${status}`);
  });
  const [url] = await Promise.race([line, ended]);
  ended.catch(() => {});
  return url;
}
