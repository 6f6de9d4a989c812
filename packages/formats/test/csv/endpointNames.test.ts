import { expect, it } from 'vitest';
import { nameEndpoints } from '../../src/csv/endpointNames.ts';

it.each([
  ['http://localhost:8000/metrics', 'localhost:8000'],
  ['https://h/custom/metrics', 'h/custom'],
  ['http://h:8000/prometheus/metrics/', 'h:8000/prometheus'],
  ['http://user:secret@h:1/metrics', 'h:1'],
  ['http://[::1]:8000/metrics', '[::1]:8000'],
  ['http://h:1/stats?x=1', 'h:1/stats?x=1'],
  ['localhost:8000', 'localhost:8000'],
  ['what', 'what'],
])('the short name of %s is %s', (url, name) => {
  expect(nameEndpoints([url]).get(url)).toBe(name);
});

it('uses URLs without credentials if short names are equal', () => {
  const urls = ['http://h:1/metrics', 'https://u:p@h:1/metrics'];
  expect([...nameEndpoints(urls).values()]).toEqual(['http://h:1/metrics', 'https://h:1/metrics']);
});
