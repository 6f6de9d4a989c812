import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { derivedPageFile, renderDerivedPage } from '../scripts/derivedPage.mjs';
// @ts-expect-error a script without types
import { generatePages, pagesFolder } from '../scripts/pages.mjs';

const pages = generatePages() as Map<string, string>;

test.each([...pages])('docs/servers/%s is up to date with the files in servers/', (name, content) => {
  expect(readFileSync(join(pagesFolder as string, name), 'utf8')).toBe(content);
});

test('docs/servers has no other pages', () => {
  expect(readdirSync(pagesFolder as string).sort()).toEqual([...pages.keys()].sort());
});

test('the page of derived metrics is up to date', () => {
  expect(readFileSync(derivedPageFile as string, 'utf8'), 'run: node scripts/pages.mjs').toBe(
    renderDerivedPage(),
  );
});
