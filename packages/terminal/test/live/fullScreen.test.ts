import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { FullScreen, formatUpdate } from '../../src/live/fullScreen.ts';

/** A terminal that takes output only when told to. */
class SlowTerminal extends Writable {
  readonly chunks: string[] = [];
  readonly #waiting: (() => void)[] = [];

  override _write(chunk: unknown, _: string, done: () => void): void {
    this.chunks.push(String(chunk));
    this.#waiting.push(done);
  }

  take(): void {
    this.#waiting.shift()?.();
  }
}

test('an update contains only the lines that have changed', () => {
  expect(formatUpdate(['a', 'b', 'c'], ['a', 'B', 'c'])).toBe('\u001b[2;1HB\u001b[K');
  expect(formatUpdate(['a'], ['a'])).toBe('');
  expect(formatUpdate(['a', 'b'], ['a'])).toBe('\u001b[2;1H\u001b[K');
});

test('the first update clears the screen', () => {
  expect(formatUpdate([], ['a'])).toBe('\u001b[2J\u001b[H\u001b[1;1Ha\u001b[K');
});

test('updates are skipped while the terminal takes no output', async () => {
  const stderr = new SlowTerminal();
  const screen = new FullScreen({ stderr });
  screen.open();
  stderr.take();
  screen.show(['first']);
  screen.show(['second']);
  screen.show(['third']);
  expect(stderr.chunks.join('')).toContain('first');
  stderr.take();
  await new Promise(resolve => setImmediate(resolve));
  screen.show(['fourth']);
  expect(stderr.chunks.join('')).not.toMatch(/second|third/);
  expect(stderr.chunks.at(-1)).toContain('fourth');
});

test('closing returns to the main screen once', () => {
  const stderr = new SlowTerminal();
  const screen = new FullScreen({ stderr });
  screen.open();
  stderr.take();
  screen.close();
  screen.close();
  screen.show(['late']);
  stderr.take();
  expect(stderr.chunks.join('')).toBe('\u001b[?1049h\u001b[?25l\u001b[?25h\u001b[?1049l');
});
