import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { type CreateSimulatorOptions, createSimulator, type Simulator } from '@org/simulator';
import { onTestFinished } from 'vitest';

/** Name of the model that simulators serve and raw servers ignore. */
export const MODEL = 'test/model';

/** Starts a simulator in this process, by default 20 times as fast as a real server. It is closed after the test. */
export async function startSimulator(
  options: CreateSimulatorOptions = {},
): Promise<{ simulator: Simulator; url: string }> {
  const simulator = createSimulator({ seed: 1, speed: 20, model: MODEL, ...options });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen();
  return { simulator, url };
}

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
