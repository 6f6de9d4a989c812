import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatLiveLine, ProgressLine } from '../../src/screens/progressLine.ts';
import { createIo } from '../support/io.ts';

const bold = (text: string): string => `<${text}>`;

test.each([
  [['warm-up 4 s', '2/2 up'], 80, '<warm-up 4 s>  2/2 up'],
  [['warm-up 4 s', '2/2 up'], 20, '<warm-up 4 s>  2/2 up'],
  [['warm-up 4 s', '2/2 up'], 19, '<warm-up 4 s>  2/2…'],
  [['warm-up 4 s', '2/2 up'], 8, '<warm-u…>'],
  [[], 80, '<>'],
])('formats %j in %d columns as one line', (parts, width, line) => {
  expect(formatLiveLine(parts, width, bold)).toBe(line);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('ProgressLine', () => {
  const said: string[] = [];
  const log = { info: (text: string) => void said.push(text), warning: () => {}, error: () => {} };
  let count = 0;
  const parts = (): string[] => ['profiling', String(++count)];
  beforeEach(() => {
    said.length = 0;
    count = 0;
  });

  test('logs a line every ten seconds until it is stopped', () => {
    const line = new ProgressLine();
    line.start(parts, createIo('.'), log, false);
    vi.advanceTimersByTime(25_000);
    line.stop();
    vi.advanceTimersByTime(25_000);
    expect(said).toEqual(['profiling, 1', 'profiling, 2']);
  });

  test('updates a line on a terminal, and clears it for other lines and at the end', () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, rows: 24, columns: 80 });
    const line = new ProgressLine();
    line.start(parts, { ...createIo('.', { NO_COLOR: '1' }), stderr }, log, true);
    vi.advanceTimersByTime(250);
    expect(String(stderr.read())).toContain('profiling  1');
    line.clear();
    expect(String(stderr.read())).toContain('\u001b[2K');
    vi.advanceTimersByTime(250);
    expect(String(stderr.read())).toContain('profiling  2');
    line.stop();
    stderr.read();
    vi.advanceTimersByTime(1000);
    expect(stderr.read()).toBeNull();
    expect(said).toEqual([]);
  });

  test('can be stopped if it was never started', () => {
    const line = new ProgressLine();
    line.clear();
    line.stop();
    expect(said).toEqual([]);
  });
});
