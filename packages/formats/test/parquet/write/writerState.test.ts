import { expect, it } from 'vitest';
import { WriterState } from '../../../src/parquet/write/writerState.ts';

it('keeps other calls out while one is under way', async () => {
  const state = new WriterState('x.parquet');
  let finish = (): void => {};
  const call = state.exclusively(() => new Promise(resolve => (finish = resolve)));
  expect(() => state.mustBeOpen()).toThrow(
    'cannot write to x.parquet: the writer is busy; await the previous call',
  );
  finish();
  await call;
  state.mustBeOpen();
});

it('is failed after an error, and can only be aborted', async () => {
  const state = new WriterState('x');
  await expect(state.exclusively(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(() => state.mustBeOpen()).toThrow('the writer is failed');
  expect([state.abort(), state.abort()]).toEqual([true, false]);
  expect(() => state.mustBeOpen()).toThrow('the writer is aborted');
});

it('has nothing to abort once it is closed', async () => {
  const state = new WriterState('x');
  await state.exclusively(async () => {}, 'closed');
  expect(state.abort()).toBe(false);
  expect(() => state.mustBeOpen()).toThrow('the writer is closed');
});

it('stays aborted when the call under way comes to its end', async () => {
  const state = new WriterState('x');
  await state.exclusively(async () => void state.abort());
  expect(() => state.mustBeOpen()).toThrow('the writer is aborted');
});
