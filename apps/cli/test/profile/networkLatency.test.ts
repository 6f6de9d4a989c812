import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan.networkLatency;

test.each([
  ['', undefined],
  ['--network-latency-automatic', { intervalS: 1 }],
  ['--network-latency-automatic --network-latency-ping-interval 500ms', { intervalS: 0.5 }],
  ['--network-latency-mean 0', { meanMs: 0 }],
  ['--network-latency-mean 2.5', { meanMs: 2.5 }],
])('reads the round trip from %j', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each([
  ['--network-latency-automatic --network-latency-mean 1', 'cannot use both --network-latency-automatic'],
  [
    '--network-latency-ping-interval 1',
    '--network-latency-ping-interval requires --network-latency-automatic',
  ],
  ['--network-latency-mean -1', 'invalid --network-latency-mean'],
  [
    '--network-latency-automatic --network-latency-ping-interval 0',
    'invalid --network-latency-ping-interval',
  ],
])('refuses %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});
