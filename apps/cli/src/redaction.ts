import { hidePassword } from '@org/scrape';

/** What stands in a secret's place: as AIPerf has it (reference A5). */
export const REDACTED = '<redacted>';

/** Options whose value is a secret, whichever program they belong to. */
const SECRET_OPTION =
  /^--?(?:api[-_]?key|access[-_]?key|auth[-_]?token|bearer[-_]?token|hf[-_]?token|token|password|passwd|secret|client[-_]?secret)$/i;
const HEADER_OPTION = /^(?:-H|--headers?)$/;
/** Headers that carry credentials; all others are shown. */
const SECRET_HEADER =
  /^((?:proxy-)?authorization|x-api-key|api-key|ocp-apim-subscription-key|x-goog-api-key|x-functions-key|aeg-sas-key|x-amz-security-token|cookie)(\s*[:=]\s*).+/is;
const INLINE = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\b((?:[\w-]*(?:api[-_]?key|token|secret|password))\s*[=:]\s*)("?)[^\s"&,;]+\2/gi, `$1${REDACTED}`],
  [/((?:[a-z][a-z0-9+.-]*:\/\/))[^/?#\s@]+@/gi, '$1'],
] as const;

/**
 * A command line that may be shown and exported: the values of options that carry secrets, credentials in headers and URLs,
 * and `token=...` inside of words are taken out.
 */
export function redactedCommand(words: readonly string[]): string[] {
  return words.map((word, at) => {
    const before = at > 0 ? words[at - 1]! : '';
    if (SECRET_OPTION.test(before) && !word.startsWith('--')) return REDACTED;
    if (HEADER_OPTION.test(before)) return redactedHeader(word);
    const [, option, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (option === undefined) return redactedText(word);
    if (SECRET_OPTION.test(option)) return `${option}=${REDACTED}`;
    return HEADER_OPTION.test(option)
      ? `${option}=${redactedHeader(value!)}`
      : `${option}=${redactedText(value!)}`;
  });
}

function redactedHeader(header: string): string {
  return SECRET_HEADER.test(header) ? header.replace(SECRET_HEADER, `$1$2${REDACTED}`) : redactedText(header);
}

function redactedText(text: string): string {
  let shown = hidePassword(text);
  for (const [pattern, replacement] of INLINE) shown = shown.replace(pattern, replacement);
  return shown;
}
