import { beforeAll, describe, expect, test } from 'vitest';
import { loadCommandTree, renderManPage } from '../../src/shell.ts';
import { copyCommand, sampleProgram } from '../program/sampleProgram.ts';

describe('the manual page', () => {
  let page = '';
  beforeAll(async () => {
    const options = { name: 'files', version: '1.2.3', description: 'Work with files.' };
    page = renderManPage(options, await loadCommandTree(sampleProgram));
  });

  test('has the sections of a manual page, and one section for each command', () => {
    const sections = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, title]) => title);
    expect(sections.slice(0, 3)).toEqual(['NAME', 'SYNOPSIS', 'DESCRIPTION']);
    expect(sections).toContain('FILES COPY');
  });

  test('describes each option as the help does', () => {
    for (const { options } of copyCommand.optionGroups)
      for (const [name, { description }] of Object.entries(options)) {
        expect(page).toContain(`\\-\\-${name}`);
        expect(page).toContain(description);
      }
    expect(page).toContain('[choices: replace, keep] [default: keep]');
  });

  test('escapes what troff would interpret', async () => {
    const command = { ...copyCommand, notes: ['.SH is text\nand \\fB too', "'quoted' at the start"] };
    const commands = [{ name: 'copy', summary: 'Copy', load: async () => command }];
    const nodes = await loadCommandTree({ description: 'Work.', commands });
    const escaped = renderManPage({ name: 'files', version: '1', description: 'Work.' }, nodes);
    expect(escaped).toContain('\\&.SH is text\nand \\efB too');
    expect(escaped).toContain("\\&'quoted' at the start");
  });
});
