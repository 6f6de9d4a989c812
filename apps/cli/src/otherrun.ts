import { closeSync, openSync, readSync } from 'node:fs';

/** What a JSON export says first has its run in it; `input_config`, which is as long as it likes, stands at its end. */
const HEAD_BYTES = 4096;

/** Whether a JSON export says that it is of another run than this one. One that says nothing, or is not there, does not. */
export function isOfAnotherRun(path: string, benchmarkId: string): boolean {
  const [, said] = /"benchmark_id":\s*"([^"]*)"/.exec(headOf(path)) ?? [];
  return said !== undefined && said !== benchmarkId;
}

function headOf(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, readSync(file, head));
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
}
