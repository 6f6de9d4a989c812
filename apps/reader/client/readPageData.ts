/** Reads the data of a page: deflated JSON in base64. */
export async function readPageData<Data>(): Promise<Data> {
  const text = atob(document.getElementById('report')!.textContent!);
  const bytes = Uint8Array.from(text, character => character.charCodeAt(0));
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(json).json()) as Data;
}
