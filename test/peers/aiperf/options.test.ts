import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describePeer } from '../support/peer.ts';
import { Aiperf } from './aiperf.ts';

interface AiperfOption {
  readonly group: string;
  readonly names: readonly string[];
}

describePeer('aiperf', 'Options of AIPerf', peer => {
  const aiperf = new Aiperf(peer);
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  test('options.json lists all options of aiperf profile', async () => {
    const options = (await aiperf.runScript('list_options.py', [])) as AiperfOption[];
    const lines = options.map(option => `  ${JSON.stringify(option)}`).join(',\n');
    await expect(`[\n${lines}\n]\n`).toMatchFileSnapshot(join(import.meta.dirname, 'options.json'));
  });
});
