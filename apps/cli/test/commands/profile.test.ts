import { expect, test } from 'vitest';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

test.each([
  [['--concurrency', 'many'], /invalid --concurrency "many": expected an integer of at least 1/],
  [['--tokenizer', '/nowhere'], /cannot find the tokenizer "\/nowhere": there is no such file/],
  [['--input-file', '/nowhere'], /invalid --input-file "\/nowhere": no such file or folder$/m],
  [['--streming'], /--?streming/],
  [['--streaming=on'], /invalid --streaming "on": expected true or false/],
  [['--quiet', 'stray'], /unexpected argument "stray"/],
])('rejects %j and exits with 2', async (args, message) => {
  const folder = makeTestFolder();
  const { code, err } = await runServelens(
    ['profile', '--model', 'm', '--artifact-dir', folder, '--url', 'localhost:1', ...args],
    { cwd: folder, env: FAST_SCRAPES },
  );
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
