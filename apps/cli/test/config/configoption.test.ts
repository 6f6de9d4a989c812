import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '@org/terminal';
import { afterAll, expect, test } from 'vitest';
import { readConfigOption } from '../../src/config/configoption.ts';
import { readProfileRuns } from '../../src/profile/repeat/profileRuns.ts';
import { testIo } from '../io.ts';

const folder = mkdtempSync(join(tmpdir(), 'configoption-'));
afterAll(() => rmSync(folder, { recursive: true }));
const io = testIo(folder);

test('the file that is named, as far as anything is scraped', async () => {
  writeFileSync(join(folder, 'a.yaml'), 'targets: [{ url: a:1 }]\n');
  expect((await readConfigOption({ config: 'a.yaml' }, io))!.targets).toHaveLength(1);
  expect(await readConfigOption({}, io)).toBeUndefined();
  expect(await readConfigOption({ config: 'none', 'no-server-metrics': true }, io)).toBeUndefined();
});

test.each([
  [{ config: '' }, /^--config is ""; expected the path of a file$/],
  [{ config: 'none' }, /^cannot read the configuration file "none": no such file$/],
  [{ config: 'wrong.yaml' }, /^wrong.yaml cannot be used as it is:\nwrong.yaml:1:1: "x" is not known/],
])('%j is a mistake', async (raw, message) => {
  writeFileSync(join(folder, 'wrong.yaml'), 'x: 1\n');
  await expect(readConfigOption(raw, io)).rejects.toThrow(UsageError);
  await expect(readConfigOption(raw, io)).rejects.toThrow(message);
});

/** What is loaded at once by a module of ours: all that it imports, and what these do. */
function loadedBy(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm);
  for (const [, name] of imports)
    if (name!.startsWith('.')) loadedBy(resolve(dirname(path), name!), found);
    else found.add(name!);
  return found;
}

test.each(['profile/command.ts', 'collect/options.ts', 'collect/collect.ts'])(
  '%s loads neither YAML nor schemas at once',
  path => {
    const loaded = loadedBy(resolve(import.meta.dirname, '../../src', path));
    expect(loaded).toContain('@org/run');
    expect([...loaded].filter(name => /^(?:yaml|ajv)\b/.test(name))).toEqual([]);
  },
);

test.skipIf(process.platform === 'win32')('what pipes say is there for every run of a sweep', async () => {
  const names = ['config', 'token'].map(name => join(folder, name));
  execFileSync('mkfifo', names);
  const [config, token] = names;
  // Reading blocks this process, so that another one has to write.
  const script = `echo '{ defaults: { bearer_token_file: ${token} }, targets: [{ url: "a:1" }] }' > "$0"; echo p1ped > "$1"`;
  const written = once(spawn('sh', ['-c', script, config!, token!], { stdio: 'ignore' }), 'exit');
  const raw = {
    _: ['profile'],
    model: 'm',
    concurrency: '1,2,3',
    config,
    'endpoint-type': 'chat',
    'connection-reuse-strategy': 'pooled',
    'percentile-method': 'moments',
    'arrival-pattern': 'poisson',
    'dataset-sampling-strategy': 'sequential',
  };
  const runs = readProfileRuns(raw, io, await readConfigOption(raw, io))!;
  expect(runs.options).toHaveLength(3);
  for (const { plan } of runs.options)
    for (const { access } of plan.targets) expect(await access!.authorization!.value()).toBe('Bearer p1ped');
  expect(await written).toEqual([0, null]);
});
