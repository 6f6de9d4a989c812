import type { ProfileExport } from '@org/formats';

/** A cause of failed requests that an option can solve. */
interface Cause {
  readonly matches: (code: number, message: string) => boolean;
  readonly advice: string;
}

/** The first cause that matches an error counts. */
const CAUSES: readonly Cause[] = [
  {
    matches: (_, message) =>
      message.includes('max_completion_tokens') && /not permitted|unsupported|unrecognized/i.test(message),
    advice:
      'the server does not accept max_completion_tokens; set --use-legacy-max-tokens, so that max_tokens is sent',
  },
  {
    matches: code => code === 401 || code === 403,
    advice: 'the server rejects the credentials; set --api-key KEY or --header NAME:VALUE',
  },
  {
    matches: (code, message) => code === 404 && /\bmodel\b/i.test(message),
    advice: 'the server does not serve this model; set --model to a name that /v1/models lists',
  },
  {
    matches: code => code === 404 || code === 405,
    advice:
      'the server does not serve this path; check --url and --endpoint-type, or set the path with --endpoint',
  },
];

/** Lists what to do about errors that are caused by the options of the run. */
export function listFailureAdvice({ error_summary: errors = [] }: ProfileExport): string[] {
  return [...new Set(errors.flatMap(findAdvice))];
}

function findAdvice({
  error_details: details,
}: NonNullable<ProfileExport['error_summary']>[number]): string[] {
  if (details?.code == null) return [];
  const cause = CAUSES.find(({ matches }) => matches(Number(details.code), details.message ?? ''));
  return cause ? [cause.advice] : [];
}
