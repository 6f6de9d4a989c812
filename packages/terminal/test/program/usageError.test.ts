import { expect, test } from 'vitest';
import { findSimilarWord } from '../../src/program/usageError.ts';

const KEYS = ['timeout', 'interval', 'headers', 'bearer_token', 'bearer_token_file', 'tls', 'url'];

test.each([
  ['timout', 'timeout'],
  ['time_out', 'timeout'],
  ['Timeout', 'timeout'],
  ['header', 'headers'],
  ['bearerToken', 'bearer_token'],
  ['bearer-token-fil', 'bearer_token_file'],
  ['ulr', undefined],
  ['uri', 'url'],
  ['password', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
])('for %s, suggests %s', (word, suggestion) => {
  expect(findSimilarWord(word as string, KEYS)).toBe(suggestion);
});
