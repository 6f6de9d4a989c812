import { readUsage } from '../response/usage.ts';
import type { Delta, ServerError } from './endpoint.ts';

/** A JSON object, or nothing. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for everything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The value when it is a text, else ''. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The choices of an answer: OpenAI's APIs wrap what they say in a list, and with `n` there are several. All of them were
 * generated, and the server's `usage` counts them all.
 */
export function choicesOf(json: Fields): readonly Fields[] {
  return Array.isArray(json.choices) ? json.choices.map(fieldsOf) : [];
}

/** A delta with the fields that all APIs share. */
export function deltaOf(json: Fields, text: string, reasoning: string): Delta {
  return {
    text,
    reasoning,
    usage: json.usage === undefined || json.usage === null ? undefined : readUsage(json.usage),
    finishReason: finishReasonOf(json),
    id: typeof json.id === 'string' ? json.id : undefined,
    model: typeof json.model === 'string' ? json.model : undefined,
    error: errorOf(json),
    vectors: 0,
  };
}

/** Of the first choice that has one: some servers say '' where there is none. */
function finishReasonOf({ choices }: Fields): string | undefined {
  if (!Array.isArray(choices)) return undefined;
  for (const choice of choices) {
    const reason = textOf(fieldsOf(choice).finish_reason);
    if (reason !== '') return reason;
  }
  return undefined;
}

/** The error in an answer; vLLM also says `"object": "error"` without wrapping what it says. */
function errorOf(json: Fields): ServerError | undefined {
  if (json.error !== undefined && json.error !== null) return readError(json.error);
  return json.object === 'error' ? readError(json) : undefined;
}

/** Reads an error as OpenAI, vLLM, SGLang and FastAPI word it: a text, or an object with message, type and code. */
export function readError(value: unknown): ServerError {
  const error = fieldsOf(value);
  const message = error.message ?? error.detail ?? value;
  return {
    message: typeof message === 'string' ? message : JSON.stringify(message),
    type: typeof error.type === 'string' ? error.type : undefined,
    code: typeof error.code === 'string' || typeof error.code === 'number' ? error.code : undefined,
  };
}
