import { expect, it } from 'vitest';
import { StringCache } from '../../src/json/stringCache.ts';

it('returns the right string if two strings share a slot', () => {
  const cache = new StringCache();
  const text = 'first/second/first';
  expect(cache.get(text, 0, 5, 7)).toBe('first');
  expect(cache.get(text, 6, 12, 7)).toBe('second');
  expect(cache.get(text, 13, 18, 7)).toBe('first');
});

it('returns strings that are too long to be cached', () => {
  const cache = new StringCache();
  const text = 'x'.repeat(65) + 'y'.repeat(65);
  expect(cache.get(text, 0, 65, 0)).toBe('x'.repeat(65));
  expect(cache.get(text, 65, 130, 0)).toBe('y'.repeat(65));
});
