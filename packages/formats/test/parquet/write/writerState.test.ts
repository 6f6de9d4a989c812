import { expect, it } from 'vitest';
import { WriterState } from '../../../src/parquet/write/writerState.ts';

it('rejects calls during another call', async () => {
  const state = new WriterState('x.parquet');
  let finish = (): void => {};
  const call = state.runExclusively(() => new Promise(resolve => (finish = resolve)));
  expect(() => state.assertOpen()).toThrow(
    'cannot write to x.parquet: the writer is busy; await the previous call',
  );
  finish();
  await call;
  state.assertOpen();
});

it('fails after an error, and can only be aborted', async () => {
  const state = new WriterState('x');
  await expect(state.runExclusively(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(() => state.assertOpen()).toThrow('the writer is failed');
  expect([state.abort(), state.abort()]).toEqual([true, false]);
  expect(() => state.assertOpen()).toThrow('the writer is aborted');
});

it('does not abort after close', async () => {
  const state = new WriterState('x');
  await state.runExclusively(async () => {}, 'closed');
  expect(state.abort()).toBe(false);
  expect(() => state.assertOpen()).toThrow('the writer is closed');
});

it('stays aborted when the call in flight ends', async () => {
  const state = new WriterState('x');
  await state.runExclusively(async () => void state.abort());
  expect(() => state.assertOpen()).toThrow('the writer is aborted');
});
