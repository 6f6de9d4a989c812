import { type Field, isMapping, type Section } from '../field.ts';
import {
  flagValue,
  list,
  onlyDefault,
  readScalar,
  scalar,
  section,
  switchOrSection,
  toggle,
} from '../fields.ts';

/** Creates a field for a mapping of names and values; each pair becomes a value of the option. */
function pairs(option: string, separator: string): Field {
  return (value, path, reader) => {
    if (!isMapping(value)) return reader.report(path, 'has an unexpected type; expected names and values');
    for (const [name, item] of Object.entries(value)) {
      const text = readScalar(item, [...path, name], reader);
      if (text !== undefined) reader.add(option, `${name}${separator}${text}`, path);
    }
  };
}

/** Fields of each request body, which may be nested. */
const extraInputs: Field = (value, path, reader) => {
  if (!isMapping(value)) return reader.report(path, 'has an unexpected type; expected names and values');
  if (Object.keys(value).length > 0) reader.add('extra-inputs', JSON.stringify(value), path);
};

/** The `template` section: AIPerf passes it in --extra-inputs. */
const template: Field = (value, path, reader) => {
  if (!isMapping(value))
    return reader.report(path, 'has an unexpected type; expected body and responseField');
  const names: Readonly<Record<string, string>> = {
    body: 'payload_template',
    responseField: 'response_field',
    response_field: 'response_field',
  };
  for (const [key, item] of Object.entries(value)) {
    const text = readScalar(item, [...path, key], reader);
    if (!Object.hasOwn(names, key)) reader.reportUnknownKey(path, key, ['body', 'responseField']);
    else if (text !== undefined) reader.add('extra-inputs', JSON.stringify({ [names[key]!]: text }), path);
  }
};

/** Options for the models: a name, a list of names, or a mapping with the strategy and the names. */
export const models: Field = (value, path, reader) => {
  if (!isMapping(value)) return list('model')(value, path, reader);
  const item: Section = {
    name: (name, itemPath) => reader.add('model', String(name), itemPath),
    weight: onlyDefault(1, 'list a model several times'),
    lora: onlyDefault('', 'use the name of the adapter as a model'),
    modalities: (_, itemPath) => reader.ignore(itemPath),
    tokenizer: section({ name: scalar('tokenizer') }),
  };
  section({
    strategy: scalar('model-selection-strategy', 'round_robin'),
    items: (items, itemsPath) => {
      if (!Array.isArray(items)) return reader.report(itemsPath, 'has an unexpected type; expected a list');
      for (const [index, each] of items.entries()) section(item)(each, [...itemsPath, index], reader);
    },
  })(value, path, reader);
};

/** The section `endpoint`. */
export const ENDPOINT: Section = {
  url: list('url'),
  urls: list('url'),
  urlStrategy: scalar('url-strategy', 'round_robin'),
  type: scalar('endpoint-type'),
  path: scalar('endpoint'),
  apiKey: scalar('api-key'),
  timeout: scalar('request-timeout-seconds'),
  streaming: flagValue('streaming'),
  transport: scalar('transport-type'),
  connectionReuse: scalar('connection-reuse-strategy'),
  useLegacyMaxTokens: toggle('use-legacy-max-tokens'),
  useServerTokenCount: toggle('use-server-token-count'),
  perChunkUsage: toggle('per-chunk-usage'),
  template,
  headers: pairs('header', ': '),
  extra: extraInputs,
  downloadVideoContent: toggle('download-video-content'),
  requestContentType: scalar('request-content-type', 'application/json'),
  sessionHeader: scalar('session-header'),
  uuidAndStrip: toggle('uuid-and-strip'),
  waitForModelTimeout: scalar('wait-for-model-timeout', 0),
  waitForModelInterval: scalar('wait-for-model-interval', 5),
  waitForModelMode: scalar('wait-for-model-mode', 'inference'),
  resetKvCache: switchOrSection('reset-kv-cache', {
    timeoutSeconds: scalar('reset-kv-cache-timeout-seconds'),
    maxRetrySeconds: onlyDefault(0),
    path: scalar('reset-kv-cache-path'),
  }),
  serverProfiler: switchOrSection('server-profiler', {
    timeoutSeconds: scalar('server-profiler-timeout-seconds'),
    startPath: scalar('server-profiler-start-path'),
    stopPath: scalar('server-profiler-stop-path'),
  }),
};

/** The section `tokenizer`. */
export const TOKENIZER: Section = {
  name: scalar('tokenizer'),
  revision: scalar('tokenizer-revision', 'main'),
  trustRemoteCode: toggle('tokenizer-trust-remote-code'),
  applyChatTemplate: toggle('apply-chat-template'),
};

/** Limits for goodput, by metric. */
export const slos: Field = pairs('goodput', ':');
