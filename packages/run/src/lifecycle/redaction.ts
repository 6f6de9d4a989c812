import { hidePassword, isSecretName } from '@org/scrape';

/** What stands in a secret's place: as AIPerf has it (reference A5). */
export const REDACTED = '<redacted>';

const HEADER_OPTION = /^(?:-H|--(?:[\w-]+[-_])?headers?)$/;
const USER_OPTION = /^(?:-u|--user|--proxy-user)$/;
/** `sh -c` and the like: what follows is a script. */
const SCRIPT_OPTION = /^-[a-z]*c$/;
/** A header that carries credentials; all others are shown. */
const SECRET_HEADER =
  /^((?:proxy-)?authorization|set-cookie|cookie|x-functions-key|[\w-]*(?:key|token|secret)|x-auth[\w-]*)(\s*[:=]\s*).+/is;
/** Tokens that their issuers made recognizable: OpenAI, Hugging Face, GitHub, GitLab, Slack, AWS, NVIDIA, Google, Groq, JWT. */
const TOKEN_SHAPES =
  /(?<![\w/-])(?:[sr]k-(?=[\w-]*[A-Z\d])[\w-]{6,}|sk-[a-z-]{24,}|hf_(?=\w*[A-Z\d])\w{6,}|gh[opsur]_\w{10,}|github_pat_\w{10,}|glpat-[\w-]{10,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z\d]{12,}|nvapi-[\w-]{8,}|AIza[\w-]{20,}|gsk_\w{10,}|eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?)/g;

/** A value in a text: in quotes, or up to what ends a word there. */
const VALUE = /"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'&,;|(){}[\]<>]+/.source;
const MEMBER = /(\\?["'])([\w.-]+)\1(\s*:\s*)(\\?["'])((?:(?!\4).)*)\4/gs;
const NUMBER_MEMBER = /(\\?["'])([\w.-]+)\1(\s*:\s*)(-?\d[\w.+-]*)/g;
const TEXT_HEADER =
  /(["']?)\b((?:proxy-)?authorization|cookie)(\s*[:=]\s*)((?:bearer|basic|token|digest)\s+)?([^"'\n]*)/gi;
const TEXT_OPTION = new RegExp(`(^|[\\s"'(])(--?[a-z][\\w-]*)([\\s=]+)(${VALUE})`, 'gi');
const ASSIGNED = /(?<![\w.-])([\w.-]+)\s*[=:]\s*/g;
const VALUE_HERE = new RegExp(VALUE, 'y');
const SCHEME = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)[^/?#\s@"']+@/gi;

/**
 * A command line that may be shown and exported: the values of options, variables, members and query parameters whose names
 * are those of secrets, credentials in headers and URLs, and tokens that can be told by their look are taken out.
 */
export function redactedCommand(words: readonly string[]): string[] {
  const isCurl = words.some(word => /(?:^|\/)curl$/.test(word));
  return words.map((word, at) => redactedWord(word, at > 0 ? words[at - 1]! : '', isCurl));
}

/**
 * The arguments of servelens, and behind `--` the command that it runs. `-u` is `--url` before it, and what a header of ours
 * says is nobody's business, whatever its name.
 */
export function redactedArguments(argv: readonly string[]): string[] {
  const behind = argv.indexOf('--') < 0 ? argv.length : argv.indexOf('--');
  const own = argv.slice(0, behind).map((word, at) => redactedOwn(word, argv[at - 1] ?? ''));
  return [...own, ...argv.slice(behind, behind + 1), ...redactedCommand(argv.slice(behind + 1))];
}

const OWN_HEADER = /^(?:-[a-z]*H|--header)$/;
const OWN_HEADER_GLUED = /^(-[a-z]*H=?|--header=)(.+)$/s;

function redactedOwn(word: string, before: string): string {
  if (OWN_HEADER.test(before)) return withoutValue(word);
  const [, option, header] = OWN_HEADER_GLUED.exec(word) ?? [];
  if (option !== undefined) return option + withoutValue(header!);
  return redactedWord(word, before === '-u' ? '--url' : before, false);
}

function withoutValue(header: string): string {
  const [, name] = /^([\w-]+\s*:)/.exec(header) ?? [];
  return name === undefined ? REDACTED : `${name} ${REDACTED}`;
}

function redactedWord(word: string, before: string, isCurl: boolean): string {
  if (isSecretOption(before) && !word.startsWith('--')) return REDACTED;
  if (SCRIPT_OPTION.test(before)) return redactedText(word);
  if (HEADER_OPTION.test(before)) return redactedHeader(word);
  if (USER_OPTION.test(before) && isLogin(word, isCurl)) return redactedLogin(word);
  const glued = /^-H(?=[^=])(.+)$/s.exec(word);
  if (glued) return `-H${redactedHeader(glued[1]!)}`;
  const gluedUser = isCurl ? /^-u([^:\s]+):./.exec(word) : null;
  if (gluedUser) return `-u${gluedUser[1]}:${REDACTED}`;
  const [, name, value] = /^(-{0,2}[\w.-]+)=(.+)$/s.exec(word) ?? [];
  if (name === undefined) return redactedHeader(word);
  if (isSecretName(name)) return `${name}=${REDACTED}`;
  if (HEADER_OPTION.test(name)) return `${name}=${redactedHeader(value!)}`;
  if (USER_OPTION.test(name) && isLogin(value!, isCurl)) return `${name}=${redactedLogin(value!)}`;
  return `${name}=${redactedText(value!)}`;
}

/** A flag such as `-k` is none. */
function isSecretOption(word: string): boolean {
  return /^--?[\w.-]{2,}$/.test(word) && isSecretName(word);
}

/** `user:password`; `host:port` is what many load generators mean by `-u`, and so is a URL. */
function isLogin(word: string, isCurl: boolean): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word) || !/^[^:\s]+:./.test(word)) return false;
  return isCurl || !/^[^:\s]+:\d{1,5}(?:[/?#].*)?$/.test(word);
}

function redactedLogin(login: string): string {
  return login.replace(/:.*/s, `:${REDACTED}`);
}

function redactedHeader(header: string): string {
  if (/^[^=:]*=/.test(header) && !/^(?:proxy-)?authorization|^cookie/i.test(header))
    return redactedText(header);
  return SECRET_HEADER.test(header) && isHeaderSecret(header)
    ? header.replace(SECRET_HEADER, `$1$2${REDACTED}`)
    : redactedText(header);
}

function isHeaderSecret(header: string): boolean {
  return isSecretName(/^[\w-]+/.exec(header)![0]) || /^x-auth/i.test(header);
}

/** A script, a document or any other word. */
function redactedText(text: string): string {
  const shown = /\s/.test(text) ? text : hidePassword(text);
  return redactedAssignments(
    redactedOptions(redactedMembers(shown))
      .replace(TEXT_HEADER, hiddenHeader)
      .replace(SCHEME, `$1 ${REDACTED}`)
      .replace(URL_CREDENTIALS, '$1'),
  ).replace(TOKEN_SHAPES, REDACTED);
}

function redactedMembers(text: string): string {
  return text
    .replace(MEMBER, (member: string, quote: string, name: string, colon: string, mark: string) =>
      isSecretName(name) ? `${quote}${name}${quote}${colon}${mark}${REDACTED}${mark}` : member,
    )
    .replace(NUMBER_MEMBER, (member: string, quote: string, name: string, colon: string) =>
      isSecretName(name) ? `${quote}${name}${quote}${colon}"${REDACTED}"` : member,
    );
}

function redactedOptions(text: string): string {
  const isCurl = /\bcurl\b/.test(text);
  return text.replace(
    TEXT_OPTION,
    (whole: string, before: string, option: string, between: string, value: string) => {
      const bare = unquoted(value);
      if (isSecretOption(option) && !bare.startsWith('--'))
        return before + option + between + quotedLike(value, REDACTED);
      if (USER_OPTION.test(option) && isLogin(bare, isCurl))
        return before + option + between + quotedLike(value, redactedLogin(bare));
      return whole;
    },
  );
}

/** Goes from name to name: what is assigned to one may hold the next, as a URL does. */
function redactedAssignments(text: string): string {
  let shown = '';
  let done = 0;
  for (const { 0: assigned, 1: name, index } of text.matchAll(ASSIGNED)) {
    if (index < done || !isSecretName(name!) || /^authorization$/i.test(name!)) continue;
    VALUE_HERE.lastIndex = index + assigned.length;
    const value = VALUE_HERE.exec(text)?.[0];
    if (value === undefined || value.startsWith('//')) continue;
    shown += text.slice(done, index) + assigned + quotedLike(value, REDACTED);
    done = index + assigned.length + value.length;
  }
  return shown + text.slice(done);
}

/** A header within a text ends with its quotes, or with the word where it has none. */
function hiddenHeader(
  _: string,
  quote: string,
  name: string,
  between: string,
  scheme: string | undefined,
  value: string,
): string {
  const rest = quote === '' ? value.replace(/^\S+/, '') : '';
  return `${quote}${name}${between}${scheme ?? ''}${REDACTED}${rest}`;
}

function unquoted(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}

function quotedLike(value: string, text: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  return quote + text + quote;
}
