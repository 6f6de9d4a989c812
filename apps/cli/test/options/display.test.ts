import { expect, test } from 'vitest';
import { readDisplay } from '../../src/options/display.ts';
import { createIo } from '../support/io.ts';

test.each([
  ['on a terminal', {}, true, false, { quiet: false, live: true }],
  ['on a terminal with a command', {}, true, true, { quiet: false, live: false }],
  ['without a terminal', {}, false, false, { quiet: false, live: false }],
  ['with --live', { live: true }, false, true, { quiet: false, live: true }],
  ['with --live=false', { live: false }, true, false, { quiet: false, live: false }],
  ['with --quiet', { quiet: true, live: true }, true, false, { quiet: true, live: false }],
])('reads the display options %s', (_, raw, isTTY, hasCommand, expected) => {
  const { stderr } = createIo('.');
  expect(readDisplay(raw, { stderr: Object.assign(stderr, { isTTY }) }, hasCommand)).toEqual(expected);
});
