import { ENDPOINTS } from '@org/loadgen';
import { flag, number, type OptionTable, text } from './option.ts';

/** Default of --url in `servelens profile`. */
export const DEFAULT_URL = 'localhost:8000';

/** The inference server that requests are sent to. */
export const ENDPOINT_OPTIONS: OptionTable = {
  model: text('NAME', 'Model name (required)', { aliases: ['m'] }),
  url: text('URL', 'Base URLs of inference servers; requests are distributed round robin', {
    aliases: ['u'],
    many: 'list',
    defaultText: DEFAULT_URL,
  }),
  'endpoint-type': text('TYPE', 'API to send requests to', {
    choices: Object.keys(ENDPOINTS),
    default: 'chat',
  }),
  endpoint: text('PATH', 'URL path of the API', {
    aliases: ['custom-endpoint'],
    defaultText: 'path of --endpoint-type, such as /v1/chat/completions',
  }),
  streaming: flag('Use streaming responses'),
  header: text("'NAME: VALUE'", 'HTTP header to send with each request', { aliases: ['H'], many: 'repeat' }),
  'api-key': text('KEY', 'API key, sent as Authorization: Bearer KEY'),
  'extra-inputs': text(
    'NAME:VALUE',
    'Additional fields of each request body, as NAME:VALUE or a JSON object',
    { many: 'list' },
  ),
  'use-legacy-max-tokens': flag('Send max_tokens instead of max_completion_tokens; older servers require it'),
  'request-timeout-seconds': number('SECONDS', 'Request timeout in seconds', { defaultText: '21600' }),
  'connection-reuse-strategy': text(
    'STRATEGY',
    'Reuse connections from a pool, or open one connection per request',
    { choices: ['pooled', 'never'], default: 'pooled' },
  ),
};
