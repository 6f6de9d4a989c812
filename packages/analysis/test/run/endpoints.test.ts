import { expect, test } from 'vitest';
import { shortenEndpointNames } from '../../src/run/endpoints.ts';

test.each<[readonly string[], readonly string[]]>([
  [['http://localhost:8000/metrics'], ['localhost:8000']],
  [
    ['http://a:1/metrics', 'http://b:1/x/metrics'],
    ['a:1', 'b:1'],
  ],
  [
    ['http://a:1/metrics?i=1', 'http://a:1/metrics?i=2', 'http://b:1/metrics?i=1'],
    ['a:1?i=1', 'a:1?i=2', 'b:1'],
  ],
  [
    ['http://a:1/metrics', 'http://a:1/prometheus/metrics'],
    ['a:1', 'a:1/prometheus'],
  ],
  [
    ['http://u:secret@a:1/metrics', 'http://a:1/'],
    ['http://a:1/metrics', 'http://a:1/'],
  ],
  [
    ['a:1?i=1', 'a:1?i=2'],
    ['a:1?i=1', 'a:1?i=2'],
  ],
])('shortens %j to %j', (urls, names) => {
  expect([...shortenEndpointNames(urls).values()]).toEqual(names);
});
