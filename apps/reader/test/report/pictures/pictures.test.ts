import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPictureStyle } from '../../../src/report/assets.ts';
import { listPictures } from '../../../src/report/pictures/listPictures.ts';
import { writePictures } from '../../../src/report/pictures/writePictures.ts';
import { createHostileReport } from '../../support/hostileReport.ts';

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pictures = listPictures(createHostileReport('</style><script>alert(1)</script>'), readPictureStyle());

test('contains every chart of the page, with a name that is safe as a file', () => {
  expect(pictures.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'request-dots']);
});

test('needs nothing else: no variables, no scripts, no other files', () => {
  for (const { svg } of pictures) {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+" width="\d+"/);
    expect(svg).not.toMatch(/var\(|light-dark|undefined|NaN|<script|href|url\(/);
  }
});

test('writes SVG and PNG files', async () => {
  const written = await writePictures(pictures, { svg: join(folder, 'svg'), png: join(folder, 'png') });
  expect(written).toHaveLength(2 * pictures.length);
  expect(readdirSync(join(folder, 'svg')).sort()).toEqual([
    'a.svg',
    'b.svg',
    'c.svg',
    'd.svg',
    'request-dots.svg',
  ]);
  for (const name of readdirSync(join(folder, 'png')))
    expect(
      readFileSync(join(folder, 'png', name))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
});

test('reports a folder that cannot be created', async () => {
  await writePictures(pictures.slice(0, 1), { svg: folder });
  await expect(writePictures(pictures, { svg: join(folder, 'a.svg') })).rejects.toThrow(
    /^cannot create the folder ".*a\.svg"/,
  );
});
