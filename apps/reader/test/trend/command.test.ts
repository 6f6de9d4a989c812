import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { validateFiles } from '@org/formats';
import stringWidth from 'string-width';
import { afterAll, describe, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import {
  listNights,
  type NightlyRun,
  writeNightlyRuns,
} from '../../../../packages/analysis/test/trend/nightlyRuns.ts';
import { createNormal } from '../../../../packages/analysis/test/trend/series.ts';
import { expectUserError, runReader, writeTestFile } from '../support/runReader.ts';

const { path: root, remove } = createTempFolder('trend');
afterAll(remove);

/** Writes nights whose time between tokens is multiplied by `factor` from the night at `at`. Returns their folder. */
function writeNights(
  name: string,
  count: number,
  { at = count, factor = 1, run = {} }: { at?: number; factor?: number; run?: Partial<NightlyRun> } = {},
): string {
  const normal = createNormal(3);
  const folder = join(root, name);
  writeNightlyRuns(
    folder,
    listNights(count, i => ({
      itl: normal(i < at ? 10 : 10 * factor, 0.1),
      version: i < at ? '0.1.0' : '0.2.0',
      ...run,
    })),
  );
  return folder;
}

const stable = writeNights('stable', 12);
const slower = writeNights('slower', 14, { at: 8, factor: 1.2 });
const faster = writeNights('faster', 14, { at: 8, factor: 0.8 });
const few = writeNights('few', 7, { at: 4, factor: 2 });

describe('the screen', () => {
  test('starts with the changes, between which runs, with their evidence', async () => {
    const out = stripVTControlCharacters((await runReader(['trend', slower], 100)).out);
    const [headline, , , position, setting, metric] = out.split('\n');
    expect(headline).toMatch(/^1 change in 14 runs, at run 9: \d metrics? got worse/);
    expect(position).toBe('✗ Between run 8, night-08 and run 9, night-09');
    expect(setting!.trim()).toBe('Servelens 0.1.0 → 0.2.0');
    expect(metric!.trim()).toBe('✗ Client inter_token_latency avg');
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /\+(?:19|20|21)[.\d]*%: [\d.]+ ms \[[\d.]+ ms, [\d.]+ ms\] in 8 runs → [\d.]+ ms \[[\d.]+ ms, [\d.]+ ms\] in 6 runs, p (?:< )?0\.00\d/,
    );
  });

  test.each([
    ['no change', stable, /^no change found in 12 runs\n/],
    ['too few runs', few, /^7 runs; at least 10 are needed to find changes\n/],
  ])('with %s names the result first', async (_, folder, text) => {
    expect((await runReader(['trend', folder])).out).toMatch(text);
  });

  test.each([
    ['the screen', []],
    ['Markdown', ['--markdown']],
  ])('%s states that runs are assumed to be independent, and what is corrected for', async (_, options) => {
    const { out } = await runReader(['trend', slower, ...options]);
    expect(out.replace(/\s+/g, ' ')).toContain('runs are assumed to be independent of each other');
  });

  const long = 'a-very-long-name-of-a-run-'.repeat(4);
  const folder = join(root, 'long');
  const normal = createNormal(3);
  writeNightlyRuns(
    folder,
    listNights(12, i => ({ name: `${long}${10 + i}`, itl: normal(i < 6 ? 10 : 15, 0.1) })),
  );
  writeTestFile(folder, `${long}empty/notes.txt`, '');

  test.each([160, 100, 80, 60, 40])('fits %i columns, and cuts no text', async width => {
    const out = stripVTControlCharacters((await runReader(['trend', folder], width)).out);
    for (const line of out.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(out).not.toContain('…');
    const text = out.replace(/\s+/g, '');
    for (const part of [`run6,${long}15`, `run7,${long}16`, `${long}empty:containsnorun`])
      expect(text).toContain(part);
  });

  test('shows control characters of a name as symbols', async () => {
    const folder = join(root, 'control');
    writeNightlyRuns(
      folder,
      listNights(12, i => ({ name: `n\u001b[31m${i}` })),
    );
    expect((await runReader(['trend', folder])).out).not.toContain('\u001b');
  });
});

test('--json conforms to its schema', async () => {
  for (const [name, folders] of Object.entries({ slower: [slower], few: [few], mixed: [slower, root] })) {
    const { out } = await runReader(['trend', ...folders, '--json']);
    const file = writeTestFile(root, `json/${name}.json`, out);
    const { outcomes, report } = await validateFiles({ files: [file], strict: true });
    expect(report).toContain('trend 1');
    expect(outcomes).toMatchObject([
      { validation: { document: 'trend', version: '1', valid: true, issues: [] } },
    ]);
  }
});

test('--json contains the change point', async () => {
  const { out } = await runReader(['trend', slower, '--json']);
  const [group] = JSON.parse(out).groups;
  const metric = group.metrics.find(
    (entry: { metric: string; stat: string }) =>
      entry.metric === 'inter_token_latency' && entry.stat === 'avg',
  );
  expect(metric.changes).toMatchObject([
    { before_run: 7, after_run: 8, verdict: 'worse', before: { runs: 8 }, after: { runs: 6 } },
  ]);
  expect(group.setting_changes).toEqual([{ run: 8, setting: 'Servelens', from: '0.1.0', to: '0.2.0' }]);
});

test('--markdown contains the change as a table, and escapes names', async () => {
  const folder = join(root, 'markdown');
  const normal = createNormal(3);
  writeNightlyRuns(
    folder,
    listNights(12, i => ({ name: `n-${10 + i}|<b>`, itl: normal(i < 6 ? 10 : 12, 0.1) })),
  );
  const { out } = await runReader(['trend', folder, '--markdown']);
  expect(out).toMatch(/^### Trend: 1 change in 12 runs, at run 7/);
  expect(out).toMatch(/\| ❌ \| Client `inter_token_latency avg` \|/);
  expect(out).not.toContain('<b>');
});

describe('--fail-on', () => {
  test.each<[string, readonly string[], number]>([
    ['a stable series', [stable, '--fail-on', 'change'], 0],
    ['a slower series', [slower, '--fail-on', 'worse'], 1],
    ['a slower series without the option', [slower], 0],
    ['a faster series, for worse', [faster, '--fail-on', 'worse'], 0],
    ['a faster series, for any change', [faster, '--fail-on', 'change'], 1],
    ['a change before the last runs', [slower, '--fail-on', 'worse', '--last', '3'], 0],
    ['a change at the last runs', [slower, '--fail-on', 'worse', '--last', '6'], 1],
    ['too few runs', [few, '--fail-on', 'worse'], 2],
  ])('%s', async (_, args, code) => {
    expect((await runReader(['trend', ...args])).code).toBe(code);
  });
});

test.each<[readonly string[], RegExp]>([
  [['trend'], /missing folder|missing DIR/],
  [['trend', join(root, 'none')], /no run can be read\n.*no such file or folder/],
  [['trend', stable, '--min-runs', '2'], /invalid --min-runs "2": expected an integer of at least 3/],
  [['trend', stable, '--fail-on', 'better'], /invalid --fail-on "better"/],
  [
    ['trend', stable, '--html', join(root, 'no', 'such', 'folder', 'x.html')],
    /cannot write .*: its folder does not exist/,
  ],
])('%j is rejected', async (args, message) => {
  await expectUserError(args, message);
});

describe('--html', () => {
  const file = join(root, 'pages', 'trend.html');
  writeTestFile(root, 'pages/x', '');

  test('writes a page with a chart per metric, the change, and a link to each run', async () => {
    expect((await runReader(['trend', slower, '--html', file])).out.trimEnd()).toMatch(/trend\.html$/);
    const page = readFileSync(file, 'utf8');
    expect(page.match(/<svg class="drawing"/g)).toHaveLength(3);
    expect(page).toContain('▲ worse +');
    expect(page).toContain('Servelens 0.1.0 → 0.2.0');
    expect(page.match(/<a href="\.\/\.\.\/slower\/night-\d\d">/g)).toHaveLength(14);
    expect(page).toContain("default-src 'none'");
  });

  test('escapes names of folders in text and links', async () => {
    const folder = join(root, 'page-names');
    writeNightlyRuns(
      folder,
      listNights(12, i => ({ name: `n#${10 + i} "<img src=x>` })),
    );
    await runReader(['trend', folder, '--html', file]);
    const page = readFileSync(file, 'utf8');
    expect(page).not.toContain('<img');
    expect(page).toContain('href="./../page-names/n%2310%20%22%3Cimg%20src%3Dx%3E"');
  });
});
