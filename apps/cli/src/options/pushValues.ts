import { decodePercent, redactUrl, SecretRedactor } from '@org/core';
import { UsageError } from '@org/terminal';

/** Names of labels, as OpenTelemetry and Prometheus accept them after dots are replaced. */
const LABEL_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

/** Names of labels that Servelens or Prometheus set. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...[
    'job',
    'instance',
    'le',
    'quantile',
    'run_id',
    'phase',
    'outcome',
    'statistic',
    'metric',
    'unit',
    'endpoint',
  ],
  ...['error_type', 'gen_ai_request_model', 'gen_ai_operation_name', 'gen_ai_token_type'],
  ...['service_name', 'service_version', 'service_instance_id'],
]);

/** Parses a label such as `team=search`. */
export function parseLabel(text: string, option: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (!LABEL_NAME.test(name) || name.startsWith('__'))
    throw new UsageError(
      `invalid --${option}: expected NAME=VALUE, with a NAME of letters, digits, dots and underscores`,
    );
  if (RESERVED_NAMES.has(name.replaceAll('.', '_')))
    throw new UsageError(`invalid --${option}: the label ${name} is set by Servelens; expected another NAME`);
  return [name, value];
}

/** Checks the URL of a receiver. Messages do not contain its user, its password and secrets in its query. */
export function parsePushUrl(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') return text;
  throw new UsageError(
    `invalid --${option} ${JSON.stringify(redactUrl(text))}: expected an http or https URL such as http://localhost:4318`,
  );
}

/** Creates a function that removes the secrets of a receiver from its messages: its headers, password and query. */
export function createPushRedactor(
  url: string,
  headers: Readonly<Record<string, string>>,
): (text: string) => string {
  const { username, password, searchParams } = new URL(url);
  const plain = decodePercent(password);
  const login = Buffer.from(`${decodePercent(username)}:${plain}`).toString('base64');
  // The credentials follow the scheme, as in `Bearer TOKEN`.
  const values = Object.values(headers).flatMap(value => [value, value.replace(/^\S+\s+/, '')]);
  const redactor = new SecretRedactor([...values, password, plain, login, ...searchParams.values()]);
  return text => redactor.redact(text);
}
