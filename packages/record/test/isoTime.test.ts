import { expect, test } from 'vitest';
import { formatUtc, formatUtcMilliseconds, parseTimeNs } from '../src/isoTime.ts';

test.each([
  ['2026-11-21T08:15:30Z', 1_795_248_930_000_000_000n],
  ['2026-11-21 08:15:30.123456789', 1_795_248_930_123_456_789n],
  ['2026-11-21T09:15:30.5+01:00', 1_795_248_930_500_000_000n],
  ['2026-11-21T09:15:30+0100', 1_795_248_930_000_000_000n],
  ['1970-01-01t00:00:00.000000001z', 1n],
])('parses %s', (text, expected) => {
  expect(parseTimeNs(text)).toBe(expected);
});

test.each([
  '',
  '2026-11-21',
  '12:00',
  '2026-13-45T08:15:30Z',
  '2026-11-21T08:15:30.1234567890Z',
  '1795248930',
])('rejects %j', text => {
  expect(parseTimeNs(text)).toBeUndefined();
});

test('formats times in UTC with microseconds or milliseconds', () => {
  expect(formatUtc(1_765_382_833_596_361_999n)).toBe('2025-12-10T16:07:13.596361Z');
  expect(formatUtc(1_765_382_833_000_001_000n)).toBe('2025-12-10T16:07:13.000001Z');
  expect(formatUtcMilliseconds(1_765_382_833_596_361_999n)).toBe('2025-12-10T16:07:13.596Z');
});
