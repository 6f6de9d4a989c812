import { closeSync, openSync, readSync } from 'node:fs';

/** What a JSON export says first has its run in it; `input_config`, which is as long as it likes, stands at its end. */
const HEAD_BYTES = 4096;

/** Which run a JSON export says that it is of; undefined of one that says nothing, or is not there. */
export function benchmarkIdIn(path: string): string | undefined {
  return /"benchmark_id":\s*"([^"]*)"/.exec(headOf(path))?.[1];
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
