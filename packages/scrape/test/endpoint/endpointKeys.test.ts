import { expect, test } from 'vitest';
import { EndpointKeys } from '../../src/endpoint/endpointKeys.ts';

const URL = 'http://h:1/metrics';

test('numbers the endpoints with the same URL', () => {
  const keys = new EndpointKeys();
  expect([keys.add(URL), keys.add(URL), keys.add('http://h:2/metrics'), keys.add(URL)]).toEqual([
    URL,
    `${URL}#2`,
    'http://h:2/metrics',
    `${URL}#3`,
  ]);
});

test('a URL can be claimed unless it is scraped', () => {
  const keys = new EndpointKeys();
  const first = keys.add(URL);
  expect(keys.claim(URL)).toBeUndefined();
  keys.release(first);
  const second = keys.claim(URL)!;
  expect(second).toBe(`${URL}#2`);
  keys.release(second);
  keys.reuse(first);
  expect(keys.claim(URL)).toBeUndefined();
});
