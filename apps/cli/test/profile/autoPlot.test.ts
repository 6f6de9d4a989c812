import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plotAutomatically, readAutoPlot } from '../../src/profile/autoPlot.ts';
import { createIo } from '../support/io.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const cwd = makeSuiteFolder();
const folder = join(cwd, 'empty');
mkdirSync(folder);

/** Runs --auto-plot for a folder without exports, after a run with the exit code `code`. */
async function plot(raw: object, code: number) {
  const io = createIo(cwd);
  const result = await plotAutomatically(readAutoPlot({ ...raw }), folder, code, {
    io,
    argv: [],
    version: '1',
  });
  return { code: result, err: io.err.join('') };
}

const AUTO = { 'auto-plot': true };
const REQUIRED = { ...AUTO, 'plot-required': true };

test.each([
  [{}, 0, 0],
  [{ 'plot-required': true }, 0, 0],
  // The run was interrupted.
  [REQUIRED, 130, 130],
])('with %j, a run with the exit code %d draws nothing and ends with %d', async (raw, code, expected) => {
  expect(await plot(raw, code)).toEqual({ code: expected, err: '' });
});

test('a page that cannot be written is a warning', async () => {
  const { code, err } = await plot(AUTO, 0);
  expect(code).toBe(0);
  expect(err).toMatch(/servelens read: .*empty.*\n.*WARNING +the page with the charts was not written/s);
});

test.each([
  [0, 1],
  [1, 1],
])('with --plot-required, the exit code %d is %d if the page cannot be written', async (before, after) => {
  const { code, err } = await plot(REQUIRED, before);
  expect(code).toBe(after);
  expect(err).toContain('the page with the charts was not written, but --plot-required is set');
});
