import { spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

const SERVELENS = fileURLToPath(new URL('../../../apps/cli/bin/servelens.js', import.meta.url));

/** Runs `servelens profile`. Throws with its output if it fails. */
export async function runServelensProfile(args: readonly string[]): Promise<void> {
  const child = spawn(execPath, [SERVELENS, 'profile', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000);
  });
  const code = await new Promise(resolve => child.on('close', resolve));
  if (code !== 0) throw new Error(`servelens profile ${args.join(' ')} exited with code ${code}: ${log}`);
}
