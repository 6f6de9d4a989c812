import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeStructure } from './structure.ts';

const folder = mkdtempSync(join(tmpdir(), 'structure-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the structure of a folder contains its files, their fields and headers, and the ends of their lines', () => {
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a/x.json'), '{"hosts":{"127.0.0.1:80":[{"b":1},{"c":null}]}}');
  writeFileSync(join(folder, 'y.jsonl'), '{"d":1}\n{"e":{"f":2}}\n');
  writeFileSync(join(folder, 'z.csv'), '# note\r\nName,Value\r\nn,1\r\n\r\nOther\r\n');
  expect([...describeStructure(folder)].sort()).toEqual(
    [
      'a/x.json',
      'a/x.json .hosts',
      'a/x.json .hosts.HOST',
      'a/x.json .hosts.HOST[]',
      'a/x.json .hosts.HOST[].b',
      'a/x.json .hosts.HOST[].c',
      'a/x.json format: LF, without a line end at its end',
      'y.jsonl',
      'y.jsonl .d',
      'y.jsonl .e',
      'y.jsonl .e.f',
      'y.jsonl format: LF, with a line end at its end',
      'z.csv',
      'z.csv format: CRLF, with a line end at its end',
      'z.csv header: Name,Value',
      'z.csv header: Other',
    ].sort(),
  );
});
