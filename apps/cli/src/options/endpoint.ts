import { CONNECTION_REUSES, ENDPOINTS, MODEL_SELECTIONS } from '@org/loadgen';
import { flag, type OptionTable, option } from '@org/terminal/program';
import { MISSING_ENDPOINTS } from './aiperf/missingChoices.ts';

/** Default of --url in `servelens profile`. */
export const DEFAULT_URL = 'localhost:8000';

/** Options for the inference servers that requests are sent to. */
export const ENDPOINT_OPTIONS: OptionTable = {
  model: option('NAME', 'Model names (required); sessions use several models in turn', {
    aliases: ['m'],
    hiddenAliases: ['model-names'],
    many: 'repeat',
    acceptsCommas: true,
  }),
  'model-selection-strategy': option('STRATEGY', 'Choice of a model for each session if there are several', {
    choices: MODEL_SELECTIONS,
    defaultText: 'round_robin',
  }),
  url: option('URL', 'Base URLs of inference servers; conversations are distributed round robin', {
    aliases: ['u'],
    many: 'list',
    acceptsCommas: true,
    defaultText: DEFAULT_URL,
  }),
  'endpoint-type': option('TYPE', 'API to send requests to', {
    choices: Object.keys(ENDPOINTS),
    unavailableChoices: MISSING_ENDPOINTS,
    default: 'chat',
  }),
  endpoint: option('PATH', 'URL path of the API', {
    aliases: ['custom-endpoint'],
    defaultText: 'path of --endpoint-type, such as /v1/chat/completions',
  }),
  streaming: flag('Use streaming responses'),
  header: option("'NAME: VALUE'", 'HTTP header to send with each request', {
    aliases: ['H'],
    many: 'list',
    isSecret: true,
  }),
  'api-key': option('KEY', 'API key, sent as Authorization: Bearer KEY', { isSecret: true }),
  'extra-inputs': option(
    'NAME:VALUE',
    'Additional fields of each request body, as NAME:VALUE or a JSON object',
    { many: 'list' },
  ),
  'use-legacy-max-tokens': flag('Send max_tokens instead of max_completion_tokens; older servers require it'),
  'per-chunk-usage': flag(
    'Request the token counts of the server in each chunk, to know the tokens of the first chunk; requires --use-server-token-count',
  ),
  'request-timeout-seconds': option('SECONDS', 'Request timeout in seconds', { defaultText: '21600' }),
  'connection-reuse-strategy': option(
    'STRATEGY',
    'Connection reuse: pooled keeps connections open, never opens one per request, sticky-user-sessions one per conversation',
    { choices: CONNECTION_REUSES, default: 'pooled' },
  ),
  'session-header': option('NAME', 'Name of the header that identifies the conversation of a request', {
    defaultText: 'X-Correlation-ID',
  }),
};
