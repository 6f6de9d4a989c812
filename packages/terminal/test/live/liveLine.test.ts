import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CountdownLine, createTerminalLine, formatLiveLine, ProgressLine } from '../../src/live/liveLine.ts';
import { createTestIo } from '../program/sampleProgram.ts';

function createTerminal(size: object = { rows: 24, columns: 80 }): PassThrough {
  return Object.assign(new PassThrough(), { isTTY: true, ...size });
}

const markBold = (text: string): string => `<${text}>`;

test.each([
  [['warm-up 4 s', '2/2 up'], 80, '<warm-up 4 s>  2/2 up'],
  [['warm-up 4 s', '2/2 up'], 20, '<warm-up 4 s>  2/2 up'],
  [['warm-up 4 s', '2/2 up'], 19, '<warm-up 4 s>  2/2…'],
  [['warm-up 4 s', '2/2 up'], 8, '<warm-u…>'],
  [['模型 4 s', '2/2 up'], 9, '<模型 4…>'],
  [['run 👍🏽', 'x'.repeat(9)], 11, '<run 👍🏽>  x…'],
  [[], 80, '<>'],
])('formats %j in %d columns as one line', (parts, width, line) => {
  expect(formatLiveLine(parts, width, markBold)).toBe(line);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('ProgressLine', () => {
  const logged: string[] = [];
  const log = { info: (text: string) => void logged.push(text), warning: () => {}, error: () => {} };
  let count = 0;
  const format = (): string[] => ['profiling', String(++count)];
  beforeEach(() => {
    logged.length = 0;
    count = 0;
  });

  test('logs a line every ten seconds until it is stopped', () => {
    const line = new ProgressLine();
    line.start(format, createTestIo(), log, false);
    vi.advanceTimersByTime(25_000);
    line.stop();
    vi.advanceTimersByTime(25_000);
    expect(logged).toEqual(['profiling, 1', 'profiling, 2']);
  });

  test.each([
    [2, 12],
    [30, 0],
    [0, 0],
  ])('logs a line every %d seconds, %d lines in 25 seconds', (seconds, lines) => {
    const line = new ProgressLine();
    line.start(format, createTestIo(), log, false, seconds);
    vi.advanceTimersByTime(25_000);
    line.stop();
    expect(logged).toHaveLength(lines);
  });

  test('updates a line on a terminal, and clears it for other lines and at the end', async () => {
    const stderr = createTerminal();
    const line = new ProgressLine();
    line.start(format, { ...createTestIo(), env: { NO_COLOR: '1' }, stderr }, log, true);
    await vi.advanceTimersByTimeAsync(250);
    expect(String(stderr.read())).toContain('profiling  1');
    line.clear();
    expect(String(stderr.read())).toContain('\u001b[2K');
    await vi.advanceTimersByTimeAsync(250);
    expect(String(stderr.read())).toContain('profiling  2');
    line.stop();
    stderr.read();
    await vi.advanceTimersByTimeAsync(1000);
    expect(stderr.read()).toBeNull();
    expect(logged).toEqual([]);
  });

  test('can be stopped if it was never started', () => {
    const line = new ProgressLine();
    line.clear();
    line.stop();
    expect(logged).toEqual([]);
  });
});

describe('CountdownLine', () => {
  test('shows the remaining seconds immediately, counts down to 0, and clears the line', async () => {
    const stderr = createTerminal();
    const line = new CountdownLine();
    line.start(2.5, remaining => [`${remaining} s left`, 'then run 2'], { ...createTestIo(), stderr });
    expect(String(stderr.read())).toContain('3 s left  then run 2');
    await vi.advanceTimersByTimeAsync(1000);
    expect(String(stderr.read())).toContain('2 s left');
    await vi.advanceTimersByTimeAsync(5000);
    expect(String(stderr.read())).toContain('0 s left');
    line.stop();
    expect(String(stderr.read())).toContain('\u001b[2K');
    await vi.advanceTimersByTimeAsync(1000);
    expect(stderr.read()).toBeNull();
  });

  test('can be stopped if it was never started', () => {
    expect(() => new CountdownLine().stop()).not.toThrow();
  });
});

test.each([
  ['that reports its size', { rows: 30, columns: 100 }],
  ['of 0 rows and columns', { rows: 0, columns: 0 }],
  ['without any size', {}],
])('creates a line on a terminal %s', (_, size) => {
  const stderr = createTerminal(size);
  const line = createTerminalLine({ stderr });
  line('profiling 3 s');
  expect(String(stderr.read())).toContain('profiling 3 s');
  line.clear();
  expect(String(stderr.read())).toContain('\u001b[2K');
});

test('updates are skipped while the terminal does not take one', () => {
  const taken: (() => void)[] = [];
  const texts: string[] = [];
  const write = (text: string, done: () => void): boolean => {
    texts.push(text);
    taken.push(done);
    return true;
  };
  const line = createTerminalLine({ stderr: Object.assign(createTerminal(), { write }) });
  for (const text of ['first', 'second', 'third']) line(text);
  for (const take of taken.splice(0)) take();
  line('fourth');
  expect(texts.join('')).toContain('first');
  expect(texts.join('')).toContain('fourth');
  expect(texts.join('')).not.toMatch(/second|third/);
});
