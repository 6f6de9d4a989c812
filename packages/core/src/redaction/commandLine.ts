import { isSecretName } from './secretNames.ts';
import { REDACTED } from './secretRedactor.ts';
import { redactUrl } from './url.ts';

const HEADER_OPTION = /^(?:-H|--(?:[\w-]+[-_])?headers?)$/;
const USER_OPTION = /^(?:-u|--user|--proxy-user)$/;
/** Options that are followed by a script, such as `sh -c`. */
const SCRIPT_OPTION = /^-[a-z]*c$/;
/** Headers that carry credentials; other headers are not redacted. */
const SECRET_HEADER =
  /^((?:proxy-)?authorization|set-cookie|cookie|x-functions-key|[\w-]*(?:key|token|secret)|x-auth[\w-]*)(\s*[:=]\s*).+/is;
/**
 * Tokens with a recognizable format: OpenAI, Hugging Face, GitHub, GitLab, Slack, AWS, NVIDIA, Google, Groq,
 * JWT.
 */
const KNOWN_TOKENS =
  /(?<![\w/-])(?:[sr]k-(?=[\w-]*[A-Z\d])[\w-]{6,}|sk-[a-z-]{24,}|hf_(?=\w*[A-Z\d])\w{6,}|gh[opsur]_\w{10,}|github_pat_\w{10,}|glpat-[\w-]{10,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z\d]{12,}|nvapi-[\w-]{8,}|AIza[\w-]{20,}|gsk_\w{10,}|eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?)/g;

/** A value in a text: a quoted string, or a word. */
const VALUE = /"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'&,;|(){}[\]<>]+/.source;
/** A JSON member with a string value; the quotes may be escaped. */
const STRING_MEMBER = /(\\?["'])([\w.-]+)\1(\s*:\s*)(\\?["'])((?:(?!\4).)*)\4/gs;
/** A JSON member with a number. */
const NUMBER_MEMBER = /(\\?["'])([\w.-]+)\1(\s*:\s*)(-?\d[\w.+-]*)/g;
/** A header with credentials, within a text. */
const TEXT_HEADER =
  /(["']?)\b((?:proxy-)?authorization|cookie)(\s*[:=]\s*)((?:bearer|basic|token|digest)\s+)?([^"'\n]*)/gi;
/** An option and its value, within a text. */
const TEXT_OPTION = new RegExp(`(^|[\\s"'(])(--?[a-z][\\w-]*)([\\s=]+)(${VALUE})`, 'gi');
/** The start of an assignment: a name, then `=` or `:`. */
const ASSIGNMENT_START = /(?<![\w.-])([\w.-]+)\s*[=:]\s*/g;
/** A value at `lastIndex`. */
const VALUE_AT_INDEX = new RegExp(VALUE, 'y');
/** The scheme and the credentials of an `Authorization` header. */
const SCHEME = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
/** The userinfo of a URL. The length of the scheme is limited, so that a long word takes linear time. */
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]{0,31}:\/\/)[^/?#\s@"']+@/gi;

/**
 * Returns a command line without secrets: values of options, variables, JSON members and query parameters
 * with secret-like names, credentials in headers and URLs, and tokens with a recognizable format are replaced
 * by `<redacted>`.
 */
export function redactCommand(words: readonly string[]): string[] {
  const isCurl = words.some(word => /(?:^|\/)curl$/.test(word));
  return words.map((word, at) => redactWord(word, at > 0 ? words[at - 1]! : '', isCurl));
}

/**
 * Returns the arguments of Servelens without secrets, including the wrapped command after `--`. Before `--`,
 * `-u` means `--url`, and the values of all headers are redacted, whatever their names.
 */
export function redactArguments(argv: readonly string[]): string[] {
  const separator = argv.indexOf('--') < 0 ? argv.length : argv.indexOf('--');
  const ownWords = argv.slice(0, separator).map((word, at) => redactOwnWord(word, findOwnOption(argv, at)));
  return [...ownWords, ...argv.slice(separator, separator + 1), ...redactCommand(argv.slice(separator + 1))];
}

/** A header option of Servelens; the next word is its value. */
const OWN_HEADER = /^(?:-[a-z]*H|--(?:(?:push|discovery|server[-_]metrics)[-_])?header)$/;
/** A header option of Servelens and its value, in one word. */
const OWN_HEADER_ATTACHED = /^(-[a-z]*H=?|--(?:(?:push|discovery|server[-_]metrics)[-_])?header=)(.+)$/s;

/** The header option of `servelens profile`, which may be followed by several values, also if the first one is attached. */
const HEADER_LIST = /^(?:-[a-z]*H|--header)(?:=|$)/;

/** Returns the option whose value a word is: the previous word, or the start of a list of headers. */
function findOwnOption(argv: readonly string[], at: number): string {
  const previous = argv[at - 1] ?? '';
  if (argv[0] !== 'profile' || argv[at]!.startsWith('-')) return previous;
  const option = argv.slice(0, at).findLast(word => word.startsWith('-'));
  return option !== undefined && HEADER_LIST.test(option) ? '--header' : previous;
}

function redactOwnWord(word: string, previous: string): string {
  if (OWN_HEADER.test(previous)) return redactHeaderValue(word);
  const [, option, header] = OWN_HEADER_ATTACHED.exec(word) ?? [];
  if (option !== undefined) return option + redactHeaderValue(header!);
  return redactWord(word, previous === '-u' ? '--url' : previous, false);
}

function redactHeaderValue(header: string): string {
  const [, name] = /^([\w-]+\s*:)/.exec(header) ?? [];
  return name === undefined ? REDACTED : `${name} ${REDACTED}`;
}

function redactWord(word: string, previous: string, isCurl: boolean): string {
  if (isSecretOption(previous) && !word.startsWith('--')) return REDACTED;
  if (SCRIPT_OPTION.test(previous)) return redactText(word);
  if (HEADER_OPTION.test(previous)) return redactHeader(word);
  if (USER_OPTION.test(previous) && isLogin(word, isCurl)) return redactLogin(word);
  const attachedHeader = /^-H(?=[^=])(.+)$/s.exec(word);
  if (attachedHeader) return `-H${redactHeader(attachedHeader[1]!)}`;
  const attachedLogin = isCurl ? /^-u([^:\s]+):./.exec(word) : null;
  if (attachedLogin) return `-u${attachedLogin[1]}:${REDACTED}`;
  const [, name, value] = /^(-{0,2}[\w.-]+)=(.+)$/s.exec(word) ?? [];
  if (name === undefined) return redactHeader(word);
  if (isSecretName(name)) return `${name}=${REDACTED}`;
  if (HEADER_OPTION.test(name)) return `${name}=${redactHeader(value!)}`;
  if (USER_OPTION.test(name) && isLogin(value!, isCurl)) return `${name}=${redactLogin(value!)}`;
  return `${name}=${redactText(value!)}`;
}

/** Reports whether an option takes a secret. One-letter options such as `-k` do not. */
function isSecretOption(word: string): boolean {
  return /^--?[\w.-]{2,}$/.test(word) && isSecretName(word);
}

/**
 * Reports whether the value of a user option is `user:password`. For many load generators, `-u` takes a URL
 * or `host:port`.
 */
function isLogin(word: string, isCurl: boolean): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word) || !/^[^:\s]+:./.test(word)) return false;
  return isCurl || !/^[^:\s]+:\d{1,5}(?:[/?#].*)?$/.test(word);
}

function redactLogin(login: string): string {
  return login.replace(/:.*/s, `:${REDACTED}`);
}

function redactHeader(header: string): string {
  if (/^[^=:]*=/.test(header) && !/^(?:proxy-)?authorization|^cookie/i.test(header))
    return redactText(header);
  return SECRET_HEADER.test(header) && isHeaderSecret(header)
    ? header.replace(SECRET_HEADER, `$1$2${REDACTED}`)
    : redactText(header);
}

function isHeaderSecret(header: string): boolean {
  return isSecretName(/^[\w-]+/.exec(header)![0]) || /^x-auth/i.test(header);
}

/** Redacts a script, a document or any other word. */
function redactText(text: string): string {
  const redacted = /\s/.test(text) ? text : redactUrl(text);
  return redactAssignments(
    redactOptions(redactMembers(redacted))
      .replace(TEXT_HEADER, redactTextHeader)
      .replace(SCHEME, `$1 ${REDACTED}`)
      .replace(URL_CREDENTIALS, '$1'),
  ).replace(KNOWN_TOKENS, REDACTED);
}

function redactMembers(text: string): string {
  return text
    .replace(
      STRING_MEMBER,
      (member: string, quote: string, name: string, colon: string, valueQuote: string) =>
        isSecretName(name) ? `${quote}${name}${quote}${colon}${valueQuote}${REDACTED}${valueQuote}` : member,
    )
    .replace(NUMBER_MEMBER, (member: string, quote: string, name: string, colon: string) =>
      isSecretName(name) ? `${quote}${name}${quote}${colon}"${REDACTED}"` : member,
    );
}

function redactOptions(text: string): string {
  const isCurl = /\bcurl\b/.test(text);
  return text.replace(
    TEXT_OPTION,
    (match: string, previous: string, option: string, between: string, value: string) => {
      const plain = stripQuotes(value);
      if (isSecretOption(option) && !plain.startsWith('--'))
        return previous + option + between + copyQuotes(value, REDACTED);
      if (USER_OPTION.test(option) && isLogin(plain, isCurl))
        return previous + option + between + copyQuotes(value, redactLogin(plain));
      return match;
    },
  );
}

/** Redacts the values of assignments. Scans name by name, to cover nested assignments such as a query within a URL. */
function redactAssignments(text: string): string {
  let redacted = '';
  let end = 0;
  for (const { 0: assigned, 1: name, index } of text.matchAll(ASSIGNMENT_START)) {
    if (index < end || !isSecretName(name!) || /^authorization$/i.test(name!)) continue;
    VALUE_AT_INDEX.lastIndex = index + assigned.length;
    const value = VALUE_AT_INDEX.exec(text)?.[0];
    if (value === undefined || value.startsWith('//')) continue;
    redacted += text.slice(end, index) + assigned + copyQuotes(value, REDACTED);
    end = index + assigned.length + value.length;
  }
  return redacted + text.slice(end);
}

/**
 * Redacts a header within a text. The header ends at its closing quote or, if it is not quoted, after the
 * first word of its value.
 */
function redactTextHeader(
  _: string,
  quote: string,
  name: string,
  between: string,
  scheme: string | undefined,
  value: string,
): string {
  const remainder = quote === '' ? value.replace(/^\S+/, '') : '';
  return `${quote}${name}${between}${scheme ?? ''}${REDACTED}${remainder}`;
}

function stripQuotes(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}

function copyQuotes(value: string, text: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  return quote + text + quote;
}
