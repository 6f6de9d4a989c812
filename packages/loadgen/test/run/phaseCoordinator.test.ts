import { expect, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { LocalCoordinator } from '../../src/run/phaseCoordinator.ts';

/** Creates a coordinator with a clock that advances by 1 ms per reading. */
function createCoordinator(
  options: ConstructorParameters<typeof LocalCoordinator>[0] = {},
): LocalCoordinator {
  let readings = 0;
  return new LocalCoordinator(options, new RunClock({ nowNs: () => 0n, monotonicMs: () => readings++ }));
}

test('adds up the conversations used by earlier phases', async () => {
  const coordinator = createCoordinator();
  const { ledger } = coordinator.share;
  expect(await coordinator.prepare()).toBe(0);
  await coordinator.begin('warmup');
  for (let session = 0; session < 3; session++) ledger.takeSession(0, 9);
  expect(await coordinator.prepare()).toBe(3);
  await coordinator.begin('profiling');
  ledger.takeSession(0, 9);
  expect(await coordinator.prepare()).toBe(4);
});

test('starts a phase with reset counters after beforePhase has resolved', async () => {
  const calls: string[] = [];
  const coordinator = createCoordinator({
    beforePhase: async phase => {
      await Promise.resolve();
      calls.push(phase);
      coordinator.share.ledger.add(0, 'sent');
    },
  });
  expect(await coordinator.begin('warmup')).toBe(1e6);
  expect([calls, coordinator.share.ledger.count(0, 'sent')]).toEqual([['warmup'], 0]);
});

test('does not prepare a phase of an aborted run', async () => {
  expect(await createCoordinator({ signal: AbortSignal.abort() }).prepare()).toBeUndefined();
});
