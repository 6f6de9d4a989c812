import { expect, test } from 'vitest';
import { detectFormat } from '../../src/exposition/contentType.ts';

test.each([
  ['text/plain; version=0.0.4', 'classic'],
  ['application/openmetrics-text; version=1.0.0; charset=utf-8', 'openmetrics'],
  ['APPLICATION/OPENMETRICS-TEXT', 'openmetrics'],
  ['application/json', 'json'],
  [' application/json ; charset=utf-8', 'json'],
  ['text/html', 'classic'],
  ['', 'classic'],
  [undefined, 'classic'],
  [null, 'classic'],
])('detects the format of %j as %s', (contentType, format) => {
  expect(detectFormat(contentType)).toBe(format);
});
