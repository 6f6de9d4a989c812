// Builds a Python wheel that contains the executable, so that `pip install` adds the command to the environment.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, names, readJson, root } from './workspace.mjs';

/** Platform tags of wheels. Node 24 requires glibc 2.28 on Linux, and macOS 13.5. */
const PLATFORM_TAGS = {
  'linux-x64': 'manylinux_2_28_x86_64',
  'linux-arm64': 'manylinux_2_28_aarch64',
  'darwin-x64': 'macosx_13_0_x86_64',
  'darwin-arm64': 'macosx_13_0_arm64',
};

/** Packs the executable as a wheel of this platform into `folder`, and returns the path of the wheel. */
export function buildWheel({ folder, executable, notices, python = 'python3' }) {
  const platform = `${process.platform}-${process.arch}`;
  const tag = PLATFORM_TAGS[platform];
  if (tag === undefined)
    throw new Error(`no wheels for ${platform}; expected one of ${Object.keys(PLATFORM_TAGS).join(', ')}`);
  const work = mkdtempSync(join(tmpdir(), 'wheel-'));
  try {
    const entries = createEntries(tag, executable, notices);
    writeFileSync(join(work, 'entries.json'), JSON.stringify(entries));
    mkdirSync(folder, { recursive: true });
    const { version } = readJson(join(root, 'apps/cli/package.json'));
    const wheel = join(folder, `${names.pythonPackage}-${version}-py3-none-${tag}.whl`);
    execute(python, [join(root, 'scripts/release/wheel.py'), join(work, 'entries.json'), wheel]);
    return wheel;
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Lists the files of the wheel: their paths, and their text or source. */
function createEntries(tag, executable, notices) {
  const { version, description, license } = readJson(join(root, 'apps/cli/package.json'));
  const prefix = `${names.pythonPackage}-${version}`;
  const metadata = [
    'Metadata-Version: 2.4',
    `Name: ${names.pythonPackage}`,
    `Version: ${version}`,
    `Summary: ${description}`,
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    'License-File: THIRD_PARTY_NOTICES',
    'Requires-Python: >=3.8',
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(root, 'apps/cli/README.md'), 'utf8').replaceAll('@org/cli', names.npmPackage),
  ];
  const wheel = [
    'Wheel-Version: 1.0',
    'Generator: servelens',
    'Root-Is-Purelib: false',
    `Tag: py3-none-${tag}`,
    '',
  ];
  return [
    { path: `${prefix}.data/scripts/${names.command}`, source: executable },
    { path: `${prefix}.dist-info/METADATA`, text: metadata.join('\n') },
    { path: `${prefix}.dist-info/WHEEL`, text: wheel.join('\n') },
    { path: `${prefix}.dist-info/licenses/LICENSE`, source: join(root, 'LICENSE') },
    { path: `${prefix}.dist-info/licenses/THIRD_PARTY_NOTICES`, source: notices },
    { path: `${prefix}.dist-info/RECORD`, text: '' },
  ];
}
