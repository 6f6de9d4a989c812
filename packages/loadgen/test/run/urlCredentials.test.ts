import { expect, test } from 'vitest';
import { readUrlCredentials } from '../../src/run/urlCredentials.ts';

test.each([
  ['http://a:1', undefined],
  ['http://me:pass@a:1', ['me', 'pass']],
  ['http://me@a:1', ['me', '']],
  ['http://me:p%40s%C3%A9@a:1', ['me', 'p@sé']],
  // Invalid escapes are kept as they are.
  ['http://me:100%@a:1', ['me', '100%']],
  ['http://me:%zz%40@a:1', ['me', '%zz@']],
  ['http://me:%ff@a:1', ['me', '%ff']],
])('reads the credentials of %s', (url, expected) => {
  const found = readUrlCredentials(new URL(url));
  expect(found && [found.user, found.password]).toEqual(expected);
  if (found) expect(Buffer.from(found.basic, 'base64').toString()).toBe(`${found.user}:${found.password}`);
});
