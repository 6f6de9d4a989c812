import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '@org/scrape';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readCollect } from '../support/options.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
writeFileSync(join(folder, 'token'), 't0ken');

/** Reads the endpoints of `servelens collect`, with the folder as working directory. */
async function readTargets(...words: string[]): Promise<readonly Target[]> {
  return (await readCollect(words, folder)).plan.targets;
}

test('options apply to all endpoints', async () => {
  const targets = await readTargets(
    ...[
      '--server-metrics',
      'a:1',
      'https://b:1',
      '--bearer-token-file',
      'token',
      '--timeout',
      '2.5',
      '--compressed',
    ],
    ...['-H', 'A: 1: 2', '--header', 'B:x ', '-H', '{"C": "y, z", "D": 1}', '--insecure'],
    ...['--limit', 'samples=5', '--limit', 'encoded-bytes=1MiB'],
  );
  for (const { access } of targets) {
    expect(access).toMatchObject({
      timeoutMs: 2500,
      compressed: true,
      headers: { A: '1: 2', B: 'x', C: 'y, z', D: '1' },
      limits: { samples: 5, encodedBytes: 1_048_576 },
      tls: { insecure: true },
    });
    expect(await access!.authorization!.readHeader()).toBe('Bearer t0ken');
  }
  expect(targets[0]!.access!.authorization).toBe(targets[1]!.access!.authorization);
});

test('an endpoint without settings has no access field', async () => {
  const [target] = await readTargets('--server-metrics', 'a:1');
  expect(target).not.toHaveProperty('access');
});

test.each<[string[], RegExp]>([
  [['--header', 'X-Key:', 'hunter2'], /^unexpected argument \(value hidden\); quote the value of --header$/],
  [['--header', 'hunter2'], /^invalid --header "<redacted>": expected 'Name: value' on one line$/],
  [['-H', '{"X-Key": hunter2}'], /^invalid --header <redacted>: expected 'Name: value', or a JSON object/],
  [
    ['-H', '{"X-Key": ["hunter2"]}'],
    /^invalid --header <redacted>: expected 'Name: value', or a JSON object/,
  ],
  [['-H', 'A: 1', '-H', '{"a": "2"}'], /^--header sets a more than once; expected one value$/],
  [['-H', 'X-Key hunter2'], /^invalid --header "X-Key <redacted>": expected 'Name: value' on one line$/],
  [
    ['--header', 'A: 1', '-H', 'A: x\ny'],
    /^invalid --header "A <redacted>": expected 'Name: value' on one line$/,
  ],
  [['-H', 'A: 1', '-H', 'Expect: 100-continue'], /^--header is Expect, which is set by the HTTP client/],
  [
    ['-H', 'transfer-encoding: chunked'],
    /is transfer-encoding, .*expected a header other than content-length, expect, /,
  ],
  [
    ['--limit', 'sampels=5'],
    /^invalid --limit "sampels=5": expected NAME=N, with NAME one of encoded_bytes.*; did you mean samples\?$/,
  ],
  [['--limit', 'samples'], /^invalid --limit "samples": expected samples=N with an integer of at least 1$/],
  [
    ['--limit', 'encoded_bytes=0'],
    /expected encoded_bytes=N with an integer of at least 1 or a size such as 64MiB$/,
  ],
  [['--timeout', '0'], /^invalid --timeout "0": expected a number of seconds, at least 0.001$/],
  [
    ['--bearer-token-file', 'token', '--basic-auth-file', 'token'],
    /^cannot use both --bearer-token-file and --basic-auth-file$/,
  ],
  [['--bearer-token-file', 'none'], /^invalid --bearer-token-file ".*none": no such file or folder$/],
  [['--ca-file', 'token'], /^invalid --ca-file ".*token": contains no certificate; expected PEM/],
  [['--key-file', 'token'], /^--key-file requires --cert-file$/],
])('rejects %j', async (words, message) => {
  const targets = readTargets('--server-metrics', 'a:1', ...words);
  await expect(targets).rejects.toThrow(UsageError);
  await expect(targets).rejects.toThrow(message);
});

test.skipIf(process.platform === 'win32')('a token file is read only once, so it can be a pipe', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  writeFileSync(
    join(folder, 'piped.yaml'),
    `defaults: { bearer_token_file: pipe }\ntargets: [{ url: a:1 }, { url: b:1, timeout: 5 }]\n`,
  );
  // Reading a pipe blocks this process, so another process writes.
  const writer = spawn('sh', ['-c', 'echo p1ped > "$0"', pipe], { stdio: 'ignore' });
  const written = once(writer, 'exit');
  const targets = await readTargets('--config', 'piped.yaml');
  const values = targets.map(({ access }) => access!.authorization!.readHeader());
  expect(await Promise.all(values)).toEqual(['Bearer p1ped', 'Bearer p1ped']);
  expect(await written).toEqual([0, null]);
});
