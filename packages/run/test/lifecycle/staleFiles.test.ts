import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeStaleFiles } from '../../src/lifecycle/staleFiles.ts';

test('removes only incomplete exports of processes that have ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stale-'));
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const kept = [
    `.server_metrics_export.json.${process.pid}.0123456789ab.tmp`,
    `.server_metrics_export.json.${pid}.tmp`,
    `notes.${pid}.0123456789ab.tmp`,
    'server_metrics_export.json',
  ];
  for (const name of [...kept, `.server_metrics_export.json.${pid}.0123456789ab.tmp`])
    writeFileSync(join(folder, name), '');
  expect(removeStaleFiles(folder)).toBe(1);
  expect(readdirSync(folder).sort()).toEqual([...kept].sort());
  rmSync(folder, { recursive: true });
});
