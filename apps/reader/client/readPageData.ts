import type { RunPageData } from '../src/report/page.ts';

/** Reads the data of the page of a run: deflated JSON in base64. */
export async function readPageData(): Promise<RunPageData> {
  const text = atob(document.getElementById('report')!.textContent!);
  const bytes = Uint8Array.from(text, character => character.charCodeAt(0));
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(json).json()) as RunPageData;
}
