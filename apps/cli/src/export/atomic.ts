import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
export async function writeFileAtomically(path: string, chunks: Iterable<string>): Promise<number> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(temporary));
    await rename(temporary, path);
    return (await stat(path)).size;
  } catch (error) { await rm(temporary, { force: true }); throw error; }
}
