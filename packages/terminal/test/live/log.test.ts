import { expect, test } from 'vitest';
import { createLog } from '../../src/live.ts';
import { createTestIo } from '../program/sampleProgram.ts';

test('writes a line with its level to stderr, and replaces control characters', () => {
  const io = createTestIo();
  const log = createLog(io, false);
  log.info('started');
  log.warning('slow\u001b[2J');
  log.error('failed\nagain');
  expect(io.err()).toBe('INFO     started\nWARNING  slow␛[2J\nERROR    failed␊again\n');
  expect(io.out()).toBe('');
});

test('omits info lines if the log is quiet', () => {
  const io = createTestIo();
  const log = createLog(io, true);
  log.info('started');
  log.warning('slow');
  expect(io.err()).toBe('WARNING  slow\n');
});

test('colors the level if FORCE_COLOR is set', () => {
  const io = createTestIo();
  createLog({ ...io, env: { FORCE_COLOR: '1' } }, false).error('failed');
  expect(io.err()).toBe('\u001b[31mERROR  \u001b[39m  failed\n');
});

test('calls `beforeLine` before each line that it writes', () => {
  const io = createTestIo();
  const lengths: number[] = [];
  const log = createLog(io, true, () => void lengths.push(io.err().length));
  log.info('omitted');
  log.warning('a');
  log.error('b');
  expect(lengths).toEqual([0, 'WARNING  a\n'.length]);
});
