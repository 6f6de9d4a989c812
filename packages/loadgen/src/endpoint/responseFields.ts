import { readSpeculation } from '../response/speculation.ts';
import { readUsage } from '../response/usage.ts';
import type { Delta, ServerError } from './endpoint.ts';

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a value as an object, or an empty object if it is not one. */
export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Returns a value if it is a string, otherwise ''. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Returns the choices of a response. If the request sets `n` above 1, there are several choices, and the
 * server's `usage` counts the tokens of all of them.
 */
export function readChoices(json: Fields): readonly Fields[] {
  return Array.isArray(json.choices) ? json.choices.map(toFields) : [];
}

/** Builds a delta from text, reasoning and the fields that all APIs share. */
export function createDelta(json: Fields, text: string, reasoning: string): Delta {
  return {
    text,
    reasoning,
    usage: json.usage === undefined || json.usage === null ? undefined : readUsage(json.usage),
    speculation: json.metrics ? readSpeculation(json.metrics) : undefined,
    finishReason: readFinishReason(json),
    id: typeof json.id === 'string' ? json.id : undefined,
    model: typeof json.model === 'string' ? json.model : undefined,
    error: findError(json),
    results: 0,
  };
}

/** Returns the first finish reason that is not empty: some servers send '' while a choice is unfinished. */
function readFinishReason({ choices }: Fields): string | undefined {
  if (!Array.isArray(choices)) return undefined;
  for (const choice of choices) {
    const reason = toText(toFields(choice).finish_reason);
    if (reason !== '') return reason;
  }
  return undefined;
}

/** Finds the error in a response. vLLM also sends `"object": "error"` with the error's fields at the top level. */
function findError(json: Fields): ServerError | undefined {
  if (json.error !== undefined && json.error !== null) return readError(json.error);
  return json.object === 'error' ? readError(json) : undefined;
}

/**
 * Reads an error as OpenAI, vLLM, SGLang and FastAPI format it: a string, or an object with message, type and
 * code.
 */
export function readError(value: unknown): ServerError {
  const error = toFields(value);
  const message = error.message ?? error.detail ?? value;
  const code = readCode(error.code);
  return {
    message: typeof message === 'string' ? message : JSON.stringify(message),
    type: toText(error.type) || (code === undefined ? toText(error.code) : '') || undefined,
    code,
  };
}

/** Returns a code that is a number, also if it is written as a string; undefined for other codes. */
function readCode(value: unknown): number | undefined {
  const code = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof code === 'number' && Number.isFinite(code) ? code : undefined;
}
