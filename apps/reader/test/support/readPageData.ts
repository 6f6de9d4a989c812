import { inflateSync } from 'node:zlib';
import type { RunPageData } from '../../src/report/page.ts';

/** Returns the data for the script of the page of a run. */
export function readPageData(html: string): RunPageData {
  const [, data = ''] = /<script type="text\/plain" id="report">(.*?)<\/script>/.exec(html)!;
  return JSON.parse(inflateSync(Buffer.from(data, 'base64')).toString()) as RunPageData;
}
