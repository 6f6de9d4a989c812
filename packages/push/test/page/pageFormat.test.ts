import { expect, test } from 'vitest';
import { choosePageFormat } from '../../src/page/pageFormat.ts';

test.each([
  [undefined, 'prometheus'],
  ['*/*', 'prometheus'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'prometheus'],
  ['application/openmetrics-text; version=1.0.0', 'openmetrics'],
  [
    'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.3',
    'openmetrics',
  ],
  ['application/openmetrics-text;q=0.2, text/plain', 'prometheus'],
  ['application/openmetrics-text;q=0', 'prometheus'],
  ['application/openmetrics-text;q=x', 'prometheus'],
])('Accept: %s', (accept, expected) => {
  expect(choosePageFormat(accept)).toBe(expected);
});
