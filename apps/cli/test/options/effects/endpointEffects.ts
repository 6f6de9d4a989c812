import type { Effect } from './effect.ts';
import { readErrors, readHeader, unique } from './observations.ts';

/** Lists the effects of options for requests to the endpoint, with the server at `url`. */
export function listEndpointEffects(url: string): Readonly<Record<string, Effect>> {
  const wait = `--url ${url}/wait/1000`;
  return {
    model: {
      observe: ({ requests }) => unique(requests.map(({ body }) => body.model)),
      without: ['m'],
      with: ['a', 'b'],
    },
    'model-selection-strategy': {
      observe: ({ requests }) => requests.every(({ body }, i) => body.model === ['a', 'b'][i % 2]),
      without: true,
      with: false,
    },
    url: {
      words: `--url ${url} ${url}/wait/1`,
      observe: ({ requests }) => unique(requests.map(({ path }) => path)).length,
      without: 1,
      with: 2,
    },
    'endpoint-type': {
      observe: ({ requests }) => unique(requests.map(({ path }) => path)),
      without: ['/v1/chat/completions'],
      with: ['/v1/completions'],
    },
    endpoint: {
      observe: ({ requests }) => unique(requests.map(({ path }) => path)),
      without: ['/v1/chat/completions'],
      with: ['/v2/chat'],
    },
    streaming: {
      observe: ({ requests }) => unique(requests.map(({ body }) => body.stream)),
      without: [false],
      with: [true],
    },
    header: { observe: readHeader('x-test'), without: undefined, with: '1' },
    'api-key': { observe: readHeader('authorization'), without: undefined, with: 'Bearer k' },
    'extra-inputs': {
      observe: ({ requests }) => requests[0]!.body.temperature,
      without: undefined,
      with: 0.5,
    },
    'use-legacy-max-tokens': {
      observe: ({ requests }) => requests[0]!.body.max_tokens,
      without: undefined,
      with: 4,
    },
    'request-timeout-seconds': {
      requires: `${wait} --request-count 1`,
      observe: readErrors,
      without: [],
      with: ['RequestTimeout'],
    },
    'connection-reuse-strategy': {
      observe: ({ requests }) => unique(requests.map(({ connection }) => connection)).length,
      without: 1,
      with: 10,
    },
  };
}
