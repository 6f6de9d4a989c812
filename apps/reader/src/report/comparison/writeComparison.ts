import type { Comparison } from '@org/analysis';
import { writeFileAtomic } from '@org/formats/write';
import { UsageError } from '@org/terminal';
import { readPictureStyle } from '../assets.ts';
import { renderPage } from '../page.ts';
import { type PictureFolders, writePictures } from '../pictures/writePictures.ts';
import { buildComparison } from './buildComparison.ts';
import { listComparisonPictures } from './pictures.ts';

/** The files of a comparison; absent if they are not wanted. */
export interface ComparisonFiles extends PictureFolders {
  readonly html?: string;
}

/** Writes the page of comparisons with one baseline, and its charts. Returns the paths. */
export async function writeComparison(
  comparisons: readonly Comparison[],
  { html, ...folders }: ComparisonFiles,
): Promise<readonly string[]> {
  const page = await buildComparison(comparisons);
  if (html !== undefined) {
    const result = await writeFileAtomic(html, renderPage(page));
    if (!result.ok) throw new UsageError(result.message);
  }
  const pictures = await writePictures(listComparisonPictures(page, readPictureStyle()), folders);
  return [...(html === undefined ? [] : [html]), ...pictures];
}
