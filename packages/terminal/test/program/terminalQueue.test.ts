import { readFileSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Terminal, TerminalQueue, type WriteBytes } from '../../src/program/terminalQueue.ts';

/** A terminal that takes output only when told to. */
class SlowTerminal {
  readonly taken: string[] = [];
  #waiting: (() => void) | undefined;

  readonly write: WriteBytes = (fd, bytes, done) => {
    this.#waiting = () => {
      this.taken.push(`${fd}:${Buffer.from(bytes)}`);
      done(null, bytes.length);
    };
  };

  take(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }
}

function createStream(fd: number): Terminal & PassThrough {
  return Object.assign(new PassThrough(), { fd, isTTY: true, columns: 80 });
}

test('writes the texts of two streams in their order, one after the other', () => {
  const terminal = new SlowTerminal();
  const queue = new TerminalQueue(terminal.write);
  const stdout = queue.createStream(createStream(1));
  const stderr = queue.createStream(createStream(2));
  stderr.write('a');
  stderr.write('b');
  stdout.write('c');
  expect(terminal.taken).toEqual([]);
  for (let count = 0; count < 5; count++) terminal.take();
  expect(terminal.taken).toEqual(['2:a', '2:b', '1:c']);
});

test('calls back when the terminal has taken a text, which may add another one', () => {
  const terminal = new SlowTerminal();
  const stream = new TerminalQueue(terminal.write).createStream(createStream(2));
  const done = vi.fn(() => void stream.write('second'));
  stream.write('first', done);
  expect(done).not.toHaveBeenCalled();
  terminal.take();
  expect(done).toHaveBeenCalledWith(null);
  terminal.take();
  expect(terminal.taken).toEqual(['2:first', '2:second']);
});

test('the other properties are those of the stream', () => {
  const stream = createStream(2);
  const converted = new TerminalQueue(new SlowTerminal().write).createStream(stream);
  expect(converted).toMatchObject({ isTTY: true, columns: 80 });
  const onResize = vi.fn();
  converted.on('resize', onResize);
  stream.emit('resize');
  expect(onResize).toHaveBeenCalledOnce();
});

test('a writer of much text waits until the terminal has taken it', () => {
  const terminal = new SlowTerminal();
  const stream = new TerminalQueue(terminal.write).createStream(createStream(1));
  const onDrain = vi.fn();
  stream.on('drain', onDrain);
  expect(stream.write('short')).toBe(true);
  expect(stream.write('x'.repeat(100_000))).toBe(false);
  terminal.take();
  expect(onDrain).not.toHaveBeenCalled();
  terminal.take();
  expect(onDrain).toHaveBeenCalledOnce();
});

test('writes the rest of a text that was taken in parts, and tries again after EAGAIN', async () => {
  const taken: string[] = [];
  let calls = 0;
  const write: WriteBytes = (_, bytes, done) => {
    if (++calls === 2) return done(Object.assign(new Error('not ready'), { code: 'EAGAIN' }), 0);
    const part = bytes.subarray(0, 2);
    taken.push(String(Buffer.from(part)));
    done(null, part.length);
  };
  const stream = new TerminalQueue(write).createStream(createStream(1));
  await new Promise<void>(resolve => stream.write('abcde', () => resolve()));
  expect(taken).toEqual(['ab', 'cd', 'e']);
});

test('a terminal that was closed loses its texts, and no other', () => {
  const taken: string[] = [];
  const write: WriteBytes = (fd, bytes, done) => {
    if (fd === 2) return done(Object.assign(new Error('input/output error'), { code: 'EIO' }), 0);
    taken.push(String(Buffer.from(bytes)));
    done(null, bytes.length);
  };
  const queue = new TerminalQueue(write);
  queue.createStream(createStream(2)).write('lost');
  queue.createStream(createStream(1)).write('kept');
  expect(taken).toEqual(['kept']);
});

test('before the process exits, waiting texts are written, unless the terminal has stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'terminal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = await open(join(folder, 'output'), 'w');
  onTestFinished(() => file.close());
  const read = (): string => readFileSync(join(folder, 'output'), 'utf8');
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const queue = new TerminalQueue(new SlowTerminal().write);
  const stream = queue.createStream(createStream(file.fd));
  for (const text of ['in progress, ', 'waiting, ', 'last']) stream.write(text);
  queue.flush();
  expect(read()).toBe('waiting, last');
  stream.write('never');
  now.mockReturnValue(10_000);
  queue.flush();
  expect(read()).toBe('waiting, last');
});
