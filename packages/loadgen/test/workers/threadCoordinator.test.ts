import { expect, test } from 'vitest';
import { Ledger } from '../../src/run/ledger.ts';
import type { FromThread } from '../../src/workers/messages.ts';
import { ThreadCoordinator } from '../../src/workers/threadCoordinator.ts';

function createCoordinator() {
  const posted: FromThread[] = [];
  const share = { worker: 0, ledger: new Ledger(1), wakeOthers: () => {}, isPaused: () => false };
  return { coordinator: new ThreadCoordinator(share, message => posted.push(message)), posted };
}

test('prepares and starts a phase when the main thread sends the messages', async () => {
  const { coordinator, posted } = createCoordinator();
  const prepared = coordinator.prepare();
  coordinator.receive({ type: 'prepare', usedConversations: 3 });
  expect(await prepared).toBe(3);
  const started = coordinator.begin('profiling');
  expect(posted).toEqual([{ type: 'prepared', phase: 'profiling' }]);
  coordinator.receive({ type: 'begin', startNs: 5e9 });
  expect(await started).toBe(5e9);
});

test('ends the run after the message "finish"', async () => {
  const { coordinator } = createCoordinator();
  const prepared = coordinator.prepare();
  coordinator.receive({ type: 'finish' });
  expect(await prepared).toBeUndefined();
});

test('rejects an unexpected message', () => {
  const { coordinator } = createCoordinator();
  expect(() => coordinator.receive({ type: 'finish' })).toThrow('BUG: unexpected message "finish"');
});
