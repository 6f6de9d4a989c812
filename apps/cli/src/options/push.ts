import { resolve } from 'node:path';
import { addDefaultPath, PROTOCOL_NAMES, type ProtocolName, type PushTarget } from '@org/push/target';
import { UsageError } from '@org/terminal';
import {
  type NumberRange,
  type OptionTable,
  omitUndefined,
  option,
  type RawOptions,
  readList,
  readNumber,
  readSeconds,
  readText,
} from '@org/terminal/program';
import { isGiven, rejectIneffective } from './ineffective.ts';
import { parsePushHeaders, readHeaderFile, selectHeaders } from './pushHeaders.ts';
import { createPushRedactor, parseLabel, parsePushUrl } from './pushValues.ts';

const PORT_RANGE: NumberRange = { min: 0, max: 65_535, isInteger: true };

/** Options of labels, credentials and time limits, for active and for finished runs. */
export const DELIVERY_OPTIONS: OptionTable = {
  'push-label': option('NAME=VALUE', 'Label of all pushed values', { many: 'repeat' }),
  'push-header': option(
    "'NAME: VALUE'",
    'HTTP header for receivers, such as credentials; PROTOCOL=NAME: VALUE is sent only to receivers of that protocol',
    { many: 'repeat', isSecret: true },
  ),
  'push-header-file': option('FILE', 'File with HTTP headers for receivers, one per line'),
  'push-timeout': option('SECONDS', 'Wait up to SECONDS after the run for a receiver that does not respond', {
    defaultText: '5',
  }),
};

/** Options that push the values of an active run. */
export const PUSH_OPTIONS: OptionTable = {
  push: option(
    'PROTOCOL=URL',
    `Push live values once per second, and the statistics at the end; PROTOCOL is ${PROTOCOL_NAMES.join(', ')}`,
    { many: 'repeat', isSecret: true },
  ),
  ...DELIVERY_OPTIONS,
  'metrics-port': option(
    'PORT',
    'Serve live values as a metrics page at 127.0.0.1:PORT/metrics during the run (0: a free port)',
  ),
  'otel-url': option('URL', 'Push to an OpenTelemetry collector, as in AIPerf; short for --push otlp=URL', {
    isSecret: true,
  }),
  'otel-resource-attributes': option(
    'NAME=VALUE',
    'Labels of all pushed values, as in AIPerf; short for --push-label',
    { many: 'list', acceptsCommas: true },
  ),
  'gen-ai-provider': option('NAME', 'Value of the label gen_ai.provider.name, as in AIPerf'),
};

/** Validated options of pushes. */
export interface PushSettings {
  readonly targets: readonly PushTarget[];
  readonly labels: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Port of the metrics page; absent if the run has none. */
  readonly metricsPort?: number;
}

const DEFAULT_TIMEOUT_SECONDS = 5;

/** Reads the options of pushes. Returns undefined if the run neither pushes values nor serves them. */
export function readPush(raw: RawOptions, cwd: string): PushSettings | undefined {
  const metricsPort = readNumber(raw, 'metrics-port', PORT_RANGE);
  const settings = { ...readDelivery(raw, 'push', cwd), ...omitUndefined({ metricsPort }) };
  const hasTargets = settings.targets.length > 0;
  rejectIneffective(raw, [
    {
      options: ['push-header', 'push-header-file', 'push-timeout'],
      when: !hasTargets,
      reason: 'without --push',
    },
    {
      options: ['push-label', 'otel-resource-attributes', 'gen-ai-provider'],
      when: !hasTargets && metricsPort === undefined,
      reason: 'without --push or --metrics-port',
    },
  ]);
  return hasTargets || metricsPort !== undefined ? settings : undefined;
}

/** Reads the receivers, which the option `name` lists, their headers, the labels and the time limit. */
export function readDelivery(raw: RawOptions, name: string, cwd: string): Omit<PushSettings, 'metricsPort'> {
  const headers = [
    ...parsePushHeaders(readList(raw, 'push-header'), '--push-header'),
    ...readHeaderFile(readFilePath(raw, cwd)),
  ];
  const targets = [...readList(raw, name).map(text => parseTarget(text, name)), ...readOtelUrl(raw)];
  const seconds = readSeconds(raw, 'push-timeout', 0) ?? DEFAULT_TIMEOUT_SECONDS;
  return {
    targets: rejectDuplicates(targets, name).map(target => {
      const selected = selectHeaders(headers, target.protocol);
      return { ...target, headers: selected, redact: createPushRedactor(target.url, selected) };
    }),
    labels: readLabels(raw),
    timeoutMs: seconds * 1000,
  };
}

type Address = Pick<PushTarget, 'protocol' | 'url'>;

function parseTarget(text: string, name: string): Address {
  const [, protocol, url] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const known = PROTOCOL_NAMES.find(one => one === protocol);
  if (known === undefined || url === undefined)
    throw new UsageError(
      `invalid --${name}: expected PROTOCOL=URL, with PROTOCOL one of ${PROTOCOL_NAMES.join(', ')}`,
    );
  return { protocol: known, url: addDefaultPath(known, parsePushUrl(url, name)) };
}

/** Reads the URL of a collector. As in AIPerf, it may lack the scheme and the path of the protocol. */
function readOtelUrl(raw: RawOptions): Address[] {
  const text = readText(raw, 'otel-url', 'a URL');
  if (text === undefined) return [];
  const url = parsePushUrl(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`, 'otel-url');
  const protocol: ProtocolName = 'otlp';
  const path = '/v1/metrics';
  const parsed = new URL(url);
  if (!parsed.pathname.endsWith(path)) parsed.pathname = parsed.pathname.replace(/\/*$/, path);
  return [{ protocol, url: parsed.href }];
}

function rejectDuplicates(targets: readonly Address[], name: string): readonly Address[] {
  const keys = targets.map(({ protocol, url }) => `${protocol}=${url}`);
  if (new Set(keys).size < keys.length)
    throw new UsageError(`--${name} names a receiver more than once; expected each receiver once`);
  return targets;
}

function readLabels(raw: RawOptions): Record<string, string> {
  const provider = readText(raw, 'gen-ai-provider', 'a name');
  return Object.fromEntries([
    ...readList(raw, 'otel-resource-attributes').map(text => parseLabel(text, 'otel-resource-attributes')),
    ...(provider === undefined ? [] : [['gen_ai.provider.name', provider] as const]),
    ...readList(raw, 'push-label').map(text => parseLabel(text, 'push-label')),
  ]);
}

function readFilePath(raw: RawOptions, cwd: string): string | undefined {
  if (!isGiven(raw, 'push-header-file')) return undefined;
  const path = readText(raw, 'push-header-file', 'a file path');
  return path === undefined ? undefined : resolve(cwd, path);
}
