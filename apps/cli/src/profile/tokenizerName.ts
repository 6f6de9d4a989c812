import { existsSync } from 'node:fs';
import { EMBEDDED_TOKENIZER, hasLocalTokenizer, parseHubModel } from '@org/loadgen';
import type { RequestPlan } from '@org/run';
import { type RawOptions, readText } from '@org/terminal/program';

/**
 * Reads --tokenizer and --tokenizer-revision. By default, it is the tokenizer of the first model, if this machine has it, and
 * the built-in tokenizer otherwise. AIPerf calls the built-in tokenizer `builtin`.
 */
export function readTokenizer(raw: RawOptions, { models }: Pick<RequestPlan, 'models'>): string {
  const name = readText(raw, 'tokenizer', 'a name, or the path of a tokenizer.json');
  const revision = readText(raw, 'tokenizer-revision', 'a branch, a tag or a commit');
  if (name === 'builtin' || name === EMBEDDED_TOKENIZER) return EMBEDDED_TOKENIZER;
  const tokenizer = addRevision(name ?? models[0]!, revision);
  return name !== undefined || hasLocalTokenizer(tokenizer) ? tokenizer : EMBEDDED_TOKENIZER;
}

/** Adds the revision to the name of a model, such as `Qwen/Qwen3-0.6B@main`. Paths have no revision. */
function addRevision(name: string, revision: string | undefined): string {
  const model = existsSync(name) ? undefined : parseHubModel(name);
  return revision === undefined || model === undefined ? name : `${model.id}@${revision}`;
}
