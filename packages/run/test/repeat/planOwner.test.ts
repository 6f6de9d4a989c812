import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { getCurrentOwner, isAlive, type PlanOwner } from '../../src/repeat/planOwner.ts';

const isLinux = existsSync('/proc/self/stat');

test('this process is alive', () => {
  const owner = getCurrentOwner();
  expect(owner.pid).toBe(process.pid);
  expect(isAlive(owner)).toBe(true);
  expect(isAlive({ pid: owner.pid, host: owner.host })).toBe(true);
});

test.each<[string, Partial<PlanOwner>, boolean]>([
  ['on another machine', { host: 'nowhere.invalid' }, true],
  ['whose number another one has by now', { born: '1' }, isLinux],
])('one %s is not', (_, other, applies) => {
  expect(isAlive({ ...getCurrentOwner(), ...other })).toBe(!applies);
});

test('one that has ended is not', async () => {
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
