import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { ProcessIdentity } from '@org/record/journal';
import { expect, test } from 'vitest';
import { getCurrentOwner, isAlive } from '../../src/lifecycle/runOwner.ts';

const isLinux = existsSync('/proc/self/stat');

test('reports that the current process is alive', () => {
  const owner = getCurrentOwner();
  expect(owner.pid).toBe(process.pid);
  expect(isAlive(owner)).toBe(true);
  expect(isAlive({ pid: owner.pid, host: owner.host })).toBe(true);
});

test.each<[string, Partial<ProcessIdentity>, boolean]>([
  ['a process on another machine', { host: 'nowhere.invalid' }, true],
  ['a process whose ID was reused', { born: '1' }, isLinux],
])('reports that %s is not alive', (_, other, isDetectable) => {
  expect(isAlive({ ...getCurrentOwner(), ...other })).toBe(!isDetectable);
});

test('reports that a process is not alive after it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { host } = getCurrentOwner();
  const owner = { pid: child.pid!, host };
  expect(isAlive(owner)).toBe(true);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(isAlive(owner)).toBe(false);
});
