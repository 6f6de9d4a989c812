import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '@org/formats/write';
import { UsageError } from '@org/terminal';
import type { Picture } from './picture.ts';

/** The folders to write pictures to; absent if they are not wanted. */
export interface PictureFolders {
  readonly svg?: string;
  readonly png?: string;
}

/** The pixels of a PNG per pixel of the chart, so that it is sharp on slides. */
const PNG_SCALE = 2;

/** Writes each picture as a file. Returns the paths. */
export async function writePictures(
  pictures: readonly Picture[],
  { svg, png }: PictureFolders,
): Promise<readonly string[]> {
  const written: string[] = [];
  if (svg !== undefined)
    for (const picture of pictures) written.push(await write(svg, `${picture.name}.svg`, picture.svg));
  if (png !== undefined) {
    const convert = await loadConverter();
    for (const picture of pictures)
      written.push(await write(png, `${picture.name}.png`, convert(picture.svg)));
  }
  return written;
}

async function write(folder: string, name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`cannot create the folder ${JSON.stringify(folder)}: ${(error as Error).message}`);
  }
  const result = await writeFileAtomic(file, content);
  if (!result.ok) throw new UsageError(result.message);
  return file;
}

/** Loads the converter to PNG, which is an optional package. */
async function loadConverter(): Promise<(svg: string) => Uint8Array> {
  const api = await import('@resvg/resvg-js').catch((error: unknown) => {
    throw new UsageError(
      `cannot load the package @resvg/resvg-js, which --png requires (${String(error).split('\n')[0]}); install it, or use --svg`,
    );
  });
  return svg =>
    new api.Resvg(svg, {
      fitTo: { mode: 'zoom', value: PNG_SCALE },
      font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' },
    })
      .render()
      .asPng();
}
