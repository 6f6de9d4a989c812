import { readFileSync, rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { describePeer } from '../support/peer.ts';
import { Aiperf } from './aiperf.ts';

describePeer('aiperf', 'Options of AIPerf', peer => {
  const aiperf = new Aiperf(peer);
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  test('options.json lists all options of aiperf profile, as list_options.py prints them', async () => {
    const file = JSON.parse(readFileSync(new URL('options.json', import.meta.url), 'utf8'));
    expect(file).toEqual(await aiperf.runScript('list_options.py', []));
  });
});
