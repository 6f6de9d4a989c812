import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, runOrThrow } from './command.ts';

/** Reports whether a process is running. A killed process may remain as a zombie (state Z) for some time. */
function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}

test('kills the children of a command, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  const file = join(folder, 'pid');
  const killing = new AbortController();
  const program = `sleep 600 & echo $! > ${file}.new; mv ${file}.new ${file}; wait`;
  const running = runCommand('sh', ['-c', program], { signal: killing.signal });
  await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
  const child = Number(readFileSync(file, 'utf8'));
  expect(isRunning(child)).toBe(true);
  killing.abort();
  expect((await running).code).toBeNull();
  await expect.poll(() => isRunning(child), { timeout: 60_000 }).toBe(false);
  rmSync(folder, { recursive: true });
});

test('kills a command that exceeds its time limit', async () => {
  await expect(runOrThrow('sh', ['-c', 'sleep 600'], { timeoutMs: 100 })).rejects.toThrow(
    'sh -c sleep 600 was killed',
  );
});

test('reports the command, its exit code and its output', async () => {
  await expect(runOrThrow('sh', ['-c', 'echo out; echo no disk >&2; exit 3'])).rejects.toThrow(
    /^sh -c .* exited with code 3: (out\nno disk|no disk\nout)$/,
  );
  await expect(runOrThrow('/nowhere/program', [])).rejects.toThrow('cannot start /nowhere/program');
});
