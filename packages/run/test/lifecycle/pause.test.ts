import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pause, waitUnlessAborted } from '../../src/lifecycle/pause.ts';

const NEVER_ABORTED = new AbortController().signal;

/** Returns an object that records whether a wait has ended. */
function watch(wait: Promise<void>): { hasEnded: boolean } {
  const state = { hasEnded: false };
  void wait.then(() => {
    state.hasEnded = true;
  });
  return state;
}

describe('pause', () => {
  test('ends after the given time', async () => {
    const start = performance.now();
    await pause(0.03, NEVER_ABORTED);
    expect(performance.now() - start).toBeGreaterThan(25);
  });

  test.each([[0], [-1]])('of %d s ends at once', async seconds => {
    await pause(seconds, NEVER_ABORTED);
  });

  test.each([[60], [undefined], [Number.POSITIVE_INFINITY]])(
    'of %j s ends when the signal is aborted',
    async seconds => {
      const controller = new AbortController();
      const state = watch(pause(seconds, controller.signal));
      await sleep(10);
      expect(state.hasEnded).toBe(false);
      controller.abort();
      await vi.waitFor(() => expect(state.hasEnded).toBe(true));
    },
  );

  test('ends at once if the signal is already aborted', async () => {
    await pause(60, AbortSignal.abort());
  });
});

describe('waitUnlessAborted', () => {
  let controller: AbortController;
  beforeEach(() => {
    controller = new AbortController();
  });
  afterEach(() => controller.abort());

  test('waits for the work', async () => {
    let isDone = false;
    const work = sleep(20).then(() => {
      isDone = true;
    });
    await waitUnlessAborted(work, controller.signal);
    expect(isDone).toBe(true);
  });

  test('does not wait for work after the signal is aborted', async () => {
    const state = watch(waitUnlessAborted(new Promise(() => {}), controller.signal));
    await sleep(10);
    expect(state.hasEnded).toBe(false);
    controller.abort();
    await vi.waitFor(() => expect(state.hasEnded).toBe(true));
    await waitUnlessAborted(new Promise(() => {}), controller.signal);
  });

  test('rejects with the error of the work', async () => {
    await expect(waitUnlessAborted(Promise.reject(new Error('refused')), controller.signal)).rejects.toThrow(
      'refused',
    );
  });
});
