import { expect, test } from 'vitest';
import { markOffset } from '../../src/check/report.ts';

test('puts the mark below its character', () => {
  expect(markOffset('a.avg << 5', 7, 80)).toBe('a.avg << 5\n       ^');
});

test('shows the part of a long rule around the mark', () => {
  const [line, mark] = markOffset(`${'x'.repeat(200)}<`, 200, 60).split('\n');
  expect(line!.length).toBeLessThanOrEqual(60);
  expect(line![mark!.indexOf('^')]).toBe('<');
});
