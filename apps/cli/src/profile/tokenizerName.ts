import { existsSync } from 'node:fs';
import { EMBEDDED_TOKENIZER, findTokenizerFolder, parseHubModel } from '@org/loadgen';
import type { RequestPlan } from '@org/run';
import { type Io, type RawOptions, readText } from '@org/terminal/program';

/** The environment variable that sets the default of --tokenizer. */
export const TOKENIZER_VARIABLE = 'SERVELENS_TOKENIZER';

type Models = Pick<RequestPlan, 'models'>;

/**
 * Reads --tokenizer and --tokenizer-revision. By default, it is the tokenizer of the first model. A model whose name is a
 * placeholder has the built-in tokenizer, as in AIPerf, unless this machine has a tokenizer of that name. AIPerf calls the
 * built-in tokenizer `builtin`.
 */
export function readTokenizer(raw: RawOptions, request: Models, env: Io['env']): string {
  const name = readTokenizerOption(raw, env);
  const revision = readText(raw, 'tokenizer-revision', 'a branch, a tag or a commit');
  if (name === 'builtin' || name === EMBEDDED_TOKENIZER) return EMBEDDED_TOKENIZER;
  if (name === undefined && findPlaceholder(request) !== undefined) return EMBEDDED_TOKENIZER;
  return addRevision(name ?? request.models[0]!, revision);
}

function readTokenizerOption(raw: RawOptions, env: Io['env']): string | undefined {
  return (
    readText(raw, 'tokenizer', 'a name, or the path of a tokenizer.json') ||
    env[TOKENIZER_VARIABLE] ||
    undefined
  );
}

/** Adds the revision to the name of a model, such as `Qwen/Qwen3-0.6B@main`. Paths have no revision. */
function addRevision(name: string, revision: string | undefined): string {
  const model = existsSync(name) ? undefined : parseHubModel(name);
  return revision === undefined || model === undefined ? name : `${model.id}@${revision}`;
}

/** Describes why the built-in tokenizer is used although no option names it; undefined if this is not the case. */
export function describePlaceholder(raw: RawOptions, request: Models, env: Io['env']): string | undefined {
  const name = readTokenizerOption(raw, env) === undefined ? findPlaceholder(request) : undefined;
  if (name === undefined) return undefined;
  return `the model name ${JSON.stringify(name)} is a placeholder, so the built-in tokenizer ${EMBEDDED_TOKENIZER} is used; --tokenizer sets another one`;
}

/** Names that stand for no model, and parts of such names. The list is that of AIPerf. */
const PLACEHOLDER =
  /^(?:test|mock|fake|dummy|example|sample|placeholder)$|mock-|-mock|fake-|-fake|test-model|your-model|my-model|model-name|model-id/;

/** Returns the name of the first model if it is a placeholder, and this machine has no tokenizer of that name. */
function findPlaceholder({ models }: Models): string | undefined {
  const name = models[0]!;
  const isPath = /[\\/]|^[.~]/.test(name);
  const isPlaceholder = !isPath && PLACEHOLDER.test(name.toLowerCase().replaceAll('_', '-'));
  return isPlaceholder && findTokenizerFolder(name) === undefined ? name : undefined;
}
