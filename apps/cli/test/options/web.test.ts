import { expect, test } from 'vitest';
import { readWebPort } from '../../src/options/web.ts';

test.each([
  [{}, undefined],
  [{ ui: 'line' }, undefined],
  [{ web: '8090' }, 8090],
  [{ ui: 'web' }, 0],
  [{ ui: 'web', web: '8090' }, 8090],
])('the port of the page with the options %j is %s', (raw, port) => {
  expect(readWebPort(raw)).toBe(port);
});

test.each(['-1', '65536', 'x', '1.5'])('rejects --web %s', web => {
  expect(() => readWebPort({ web })).toThrow(`invalid --web "${web}": expected an integer from 0 to 65535`);
});
