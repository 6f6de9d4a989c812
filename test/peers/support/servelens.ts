import { runServelens } from '../../servelens.ts';

/** Runs `servelens` and returns its stdout. Throws with all output if it fails. */
export async function servelens(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runServelens(args);
  if (code !== 0) throw new Error(`servelens ${args.join(' ')} exited with code ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** Runs `servelens` and parses its stdout as JSON. Throws if it fails. */
export async function servelensJson<T>(...args: readonly string[]): Promise<T> {
  return JSON.parse(await servelens(...args)) as T;
}
