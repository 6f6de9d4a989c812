// Prepares a release: moves the changesets in .changeset into CHANGELOG.md and bumps the version of every package.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Parses a changeset. `isFix` is true if all bumps in the front matter are patches. */
export function parseChangeset(source) {
  const [, header = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
  const bumps = [...header.matchAll(/:\s*(major|minor|patch)\s*$/gm)].map(match => match[1]);
  return { isFix: bumps.every(bump => bump === 'patch'), text: text.trim() };
}

/** Returns the changelog with a section for the new version before the sections of previous versions. */
export function addRelease(changelog, version, changesets) {
  const formatList = (title, entries) =>
    entries.length === 0 ? [] : [`### ${title}`, entries.map(({ text }) => formatBullet(text)).join('\n')];
  const section = [
    `## ${version}`,
    ...formatList(
      'Changes',
      changesets.filter(({ isFix }) => !isFix),
    ),
    ...formatList(
      'Fixes',
      changesets.filter(({ isFix }) => isFix),
    ),
  ].join('\n\n');
  const index = changelog.search(/^## /m);
  const [before, after] =
    index < 0 ? [`${changelog.trimEnd()}\n\n`, ''] : [changelog.slice(0, index), changelog.slice(index)];
  return `${before}${section}\n${after === '' ? '' : '\n'}${after}`;
}

function formatBullet(text) {
  return text.startsWith('- ') ? text : `- ${text.replaceAll('\n', '\n  ')}`;
}

function main() {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const folder = join(root, '.changeset');
  const names = readdirSync(folder).filter(name => name.endsWith('.md'));
  if (names.length === 0) {
    console.error('no changesets in .changeset; add one with: npx changeset');
    process.exit(1);
  }
  const changesets = names.sort().map(name => parseChangeset(readFileSync(join(folder, name), 'utf8')));
  // This command bumps the versions and deletes the changesets.
  const { status } = spawnSync('npx', ['changeset', 'version'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const { version } = JSON.parse(readFileSync(join(root, 'apps/cli/package.json'), 'utf8'));
  const manifest = join(root, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/("version": )"[^"]*"/, `$1"${version}"`));
  const changelog = join(root, 'CHANGELOG.md');
  writeFileSync(changelog, addRelease(readFileSync(changelog, 'utf8'), version, changesets));
  console.log(`prepared version ${version}; review CHANGELOG.md, then commit`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
