import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the name, version and license texts of each npm package that contains at least one of the files, after an
 * introduction.
 */
export function formatNotices(files, introduction) {
  const folders = new Set(files.map(findPackageFolder).filter(folder => folder !== undefined));
  const notices = [...folders].map(formatNotice).sort();
  return [introduction, ...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the root folder of the npm package that contains a file, or undefined for a file of this package. */
function findPackageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

function formatNotice(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter(file => /^(licen[cs]e|notice|copying)/i.test(file));
  const lines = [`${name} ${version.replace(/^v/, '')} (${license})`];
  if (texts.length === 0) lines.push('', describeLicense(name, license, author));
  for (const file of texts.sort()) lines.push('', readFileSync(join(folder, file), 'utf8').trim());
  return `${lines.join('\n')}\n`;
}

/** Describes the license of a package without a license file by the fields of its package.json. Throws if they are missing. */
function describeLicense(name, license, author) {
  const holder = typeof author === 'string' ? author : author?.name;
  if (!license || !holder)
    throw new Error(
      `cannot write the notices: ${name} has neither a license file nor a license and an author`,
    );
  return `Copyright ${holder}. Licensed under the license ${license}; the package contains no copy of it.`;
}
