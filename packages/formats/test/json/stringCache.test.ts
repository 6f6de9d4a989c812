import { expect, it } from 'vitest';
import { StringCache } from '../../src/json/stringCache.ts';

it('returns the string, also if another one has the same slot', () => {
  const cache = new StringCache();
  const text = 'first/second/first';
  expect(cache.get(text, 0, 5, 7)).toBe('first');
  expect(cache.get(text, 6, 12, 7)).toBe('second');
  expect(cache.get(text, 13, 18, 7)).toBe('first');
});

it('does not cache long strings', () => {
  const cache = new StringCache();
  const text = 'x'.repeat(65) + 'y'.repeat(65);
  expect(cache.get(text, 0, 65, 0)).toBe('x'.repeat(65));
  expect(cache.get(text, 65, 130, 0)).toBe('y'.repeat(65));
});
