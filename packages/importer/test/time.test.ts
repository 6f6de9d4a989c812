import { expect, it } from 'vitest';
import { formatTime, parseDurationMs, parseTimeMs } from '../src/time.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

it.each([
  ['now', '2026-11-21T12:00:00Z'],
  ['90m', '2026-11-21T10:30:00Z'],
  ['1h30m', '2026-11-21T10:30:00Z'],
  ['1.5d', '2026-11-20T00:00:00Z'],
  ['2026-11-21T08:15:30Z', '2026-11-21T08:15:30Z'],
  ['2026-11-21 08:15:30+02:00', '2026-11-21T06:15:30Z'],
  ['1795248000.25', '2026-11-21T08:00:00.250Z'],
])('parses the time %s', (text, expected) => {
  expect(formatTime(parseTimeMs(text, '--from', NOW))).toBe(expected);
});

it.each(['yesterday', '2026-11-21', '5', '10x', '2026-13-21T08:15:30Z', '2026-11-21T08:15:30'])(
  'rejects the time %s',
  text => {
    expect(() => parseTimeMs(text, '--from', NOW)).toThrow(
      `invalid --from "${text}": expected a duration before now`,
    );
  },
);

it.each([
  ['15s', 15_000],
  ['250ms', 250],
  ['1h1m1s', 3_661_000],
  ['15', undefined],
  ['-1s', undefined],
])('parses the duration %s', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected);
});
