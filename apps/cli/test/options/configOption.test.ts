import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readConfigOption } from '../../src/options/configOption.ts';
import { readProfileRuns } from '../../src/profile/profileRuns.ts';
import { createIo } from '../support/io.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
const io = createIo(folder);

test('reads the endpoints of the file unless scraping is disabled', async () => {
  writeFileSync(join(folder, 'a.yaml'), 'targets: [{ url: a:1 }]\n');
  expect((await readConfigOption({ config: 'a.yaml' }, io))!.targets).toHaveLength(1);
  expect(await readConfigOption({}, io)).toBeUndefined();
  expect(await readConfigOption({ config: 'a.yaml', 'no-server-metrics': true }, io)).toBeUndefined();
});

test('reads the run that the file describes, also if scraping is disabled', async () => {
  writeFileSync(join(folder, 'run.yaml'), 'benchmark: { model: m }\n');
  const file = await readConfigOption({ config: 'run.yaml', 'no-server-metrics': true }, io);
  expect(file!.run!.value).toEqual({ benchmark: { model: 'm' } });
});

test.each([
  [{ config: '' }, /^invalid --config "": expected a file path$/],
  [{ config: 'none' }, /^cannot read the configuration file "none": no such file or folder$/],
  [{ config: 'wrong.yaml' }, /^invalid configuration file wrong.yaml:\nwrong.yaml:1:1: unknown key "x"/],
])('rejects %j', async (raw, message) => {
  writeFileSync(join(folder, 'wrong.yaml'), 'x: 1\n');
  await expect(readConfigOption(raw, io)).rejects.toThrow(UsageError);
  await expect(readConfigOption(raw, io)).rejects.toThrow(message);
});

/** Lists the modules and packages that a module imports statically, directly or through other modules. */
function listImports(path: string, imports = new Set<string>()): ReadonlySet<string> {
  if (imports.has(path)) return imports;
  imports.add(path);
  const statements = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm,
  );
  for (const [, name] of statements)
    if (name!.startsWith('.')) listImports(resolve(dirname(path), name!), imports);
    else imports.add(name!);
  return imports;
}

test.each([
  'commands/profile.ts',
  'profile/profileRuns.ts',
  'collect/collectOptions.ts',
  'collect/collectSession.ts',
])('%s does not import the YAML parser, the schema validator or the template engine statically', path => {
  const imports = listImports(resolve(import.meta.dirname, '../../src', path));
  expect(imports).toContain('@org/run');
  // This module imports the parser and the validator.
  expect(imports).not.toContain('@org/discovery/config');
  expect(imports).not.toContain('@org/template');
  expect(imports).not.toContain('@org/terminal/userFile');
});

test.skipIf(process.platform === 'win32')(
  'a configuration file and a token file are read only once for all runs of a sweep, so both can be pipes',
  async () => {
    const names = ['config', 'token'].map(name => join(folder, name));
    execFileSync('mkfifo', names);
    const [config, token] = names;
    // Reading a pipe blocks this process, so another process writes.
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
      'dataset-sampling-strategy': 'sequential',
    };
    const runs = readProfileRuns(raw, io, await readConfigOption(raw, io))!;
    expect(runs.options).toHaveLength(3);
    for (const { plan } of runs.options)
      for (const { access } of plan.targets)
        expect(await access!.authorization!.readHeader()).toBe('Bearer p1ped');
    expect(await written).toEqual([0, null]);
  },
);
