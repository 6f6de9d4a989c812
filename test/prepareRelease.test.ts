import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addRelease, parseChangeset } from '../scripts/prepareRelease.mjs';
import { readWorkspaces, root } from './source.ts';

const CHANGELOG = '# Changelog\n\n## 0.1.0\n\nFirst release.\n';

describe('parseChangeset', () => {
  test('returns the text without the front matter', () => {
    expect(parseChangeset("---\n'@org/cli': patch\n---\n\nFixes a crash.\n")).toEqual({
      isFix: true,
      text: 'Fixes a crash.',
    });
  });

  test('is a fix only if every package gets a patch release', () => {
    expect(parseChangeset("---\n'@org/cli': patch\n'@org/core': minor\n---\n\nAdds a flag.\n").isFix).toBe(
      false,
    );
  });
});

describe('addRelease', () => {
  test('puts the new version above the previous ones', () => {
    const changesets = [
      { isFix: true, text: 'Fixes a crash.' },
      { isFix: false, text: 'Adds a flag\nof two lines.' },
    ];
    expect(addRelease(CHANGELOG, '0.2.0', changesets)).toBe(
      '# Changelog\n\n## 0.2.0\n\n### Changes\n\n- Adds a flag\n  of two lines.\n\n### Fixes\n\n- Fixes a crash.\n\n## 0.1.0\n\nFirst release.\n',
    );
  });

  test('adds the first version to a changelog', () => {
    expect(addRelease('# Changelog\n', '0.1.0', [{ isFix: true, text: '- Fixes a crash.' }])).toBe(
      '# Changelog\n\n## 0.1.0\n\n### Fixes\n\n- Fixes a crash.\n',
    );
  });
});

test('all packages have the version of the newest changelog section', () => {
  const [, newest] = /^## (\S+)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  const manifests = [
    join(root, 'package.json'),
    ...readWorkspaces().map(({ folder }) => join(root, folder, 'package.json')),
  ];
  for (const manifest of manifests) {
    expect(JSON.parse(readFileSync(manifest, 'utf8')).version, manifest).toBe(newest);
  }
});
