import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import type { CreateSimulatorOptions } from '@org/simulator';
import { onTestFinished } from 'vitest';

/** Starts a simulator in a separate process, so that it does not share the client's thread. Resolves to its URL. */
export async function startSimulatorProcess(options: CreateSimulatorOptions): Promise<string> {
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
    throw new Error(`the simulator exited with status ${status}`);
  });
  const [url] = await Promise.race([line, ended]);
  ended.catch(() => {});
  return url;
}
