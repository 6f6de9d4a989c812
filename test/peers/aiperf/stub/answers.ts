/** Fields of request bodies that determine the response. */
export interface RequestBody {
  readonly stream?: boolean;
  readonly max_completion_tokens?: number;
  readonly max_tokens?: number;
  readonly max_output_tokens?: number;
  readonly parameters?: { readonly max_new_tokens?: number };
  readonly input?: unknown;
  readonly passages?: readonly unknown[];
  readonly documents?: readonly unknown[];
  readonly texts?: readonly unknown[];
  readonly [name: string]: unknown;
}

/** Response of an API: one JSON body, or the events of a stream. */
export interface Answer {
  readonly body: unknown;
  /** Events of a stream. The first one is an output token or comes directly before it. */
  readonly events: readonly string[];
}

const DEFAULT_OUTPUT_TOKENS = 4;
const MAX_OUTPUT_TOKENS = 64;
const MODEL = 'stub';

/** Responses by path. */
export const ANSWERS: Readonly<Record<string, (body: RequestBody) => Answer>> = {
  '/v1/chat/completions': body => answerChat(countOutputTokens(body)),
  '/v1/completions': body => answerCompletion(countOutputTokens(body)),
  '/v1/responses': body => answerResponse(countOutputTokens(body)),
  '/v1/messages': body => answerMessage(countOutputTokens(body)),
  '/generate': body => answerGeneration(countOutputTokens(body)),
  '/generate_stream': body => answerGeneration(countOutputTokens(body)),
  '/v1/embeddings': ({ input }) => answerEmbedding(Array.isArray(input) ? input.length : 1),
  '/v1/ranking': ({ passages }) => answerScores('rankings', 'logit', passages),
  '/v2/rerank': ({ documents }) => answerScores('results', 'relevance_score', documents),
  '/rerank': ({ texts }) => ({ body: listScores('score', texts), events: [] }),
  '/v1/images/generations': () => answerImage(),
  '/v1/images/edits': () => answerImage(),
  '/v1/infer': () => ({ body: { data: [{ index: 0, bounding_boxes: {} }] }, events: [] }),
  '/v1/audio/transcriptions': () => ({ body: { text: TOKEN }, events: [] }),
  '/rag/api/prompt': () => ({ body: { content: TOKEN }, events: [] }),
  '/v3/chat/completions': body => answerChat(countOutputTokens(body)),
  '/custom/generate': () => ({ body: { reply: TOKEN }, events: [] }),
};

/** Paths of commands that prepare a server. */
export const COMMAND_PATHS: readonly string[] = ['/reset_prefix_cache', '/start_profile', '/stop_profile'];

function countOutputTokens(body: RequestBody): number {
  const requested =
    body.max_completion_tokens ??
    body.max_tokens ??
    body.max_output_tokens ??
    body.parameters?.max_new_tokens ??
    DEFAULT_OUTPUT_TOKENS;
  return Math.min(requested, MAX_OUTPUT_TOKENS);
}

/** Formats an event with a JSON payload; `type` is the name of the event. */
function formatEvent(payload: unknown, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(payload)}\n\n`;
}

function repeat<T>(count: number, create: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => create(index));
}

const DONE = 'data: [DONE]\n\n';
const TOKEN = 'a';

function answerChat(tokens: number): Answer {
  const common = { id: 'chat', created: 1, model: MODEL };
  const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens };
  const chunk = (delta: object, reason: string | null): string =>
    formatEvent({
      ...common,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  return {
    body: {
      ...common,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: TOKEN.repeat(tokens) },
          finish_reason: 'length',
        },
      ],
      usage,
    },
    events: [
      ...repeat(tokens, index => chunk({ ...(index === 0 && { role: 'assistant' }), content: TOKEN }, null)),
      chunk({}, 'length'),
      formatEvent({ ...common, object: 'chat.completion.chunk', choices: [], usage }),
      DONE,
    ],
  };
}

function answerCompletion(tokens: number): Answer {
  const common = { id: 'completion', object: 'text_completion', created: 1, model: MODEL };
  const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens };
  const choose = (text: string, reason: string | null): object => ({
    ...common,
    choices: [{ index: 0, text, finish_reason: reason }],
  });
  return {
    body: { ...choose(TOKEN.repeat(tokens), 'length'), usage },
    events: [
      ...repeat(tokens, () => formatEvent(choose(TOKEN, null))),
      formatEvent({ ...common, choices: [], usage }),
      DONE,
    ],
  };
}

function answerResponse(tokens: number): Answer {
  const text = TOKEN.repeat(tokens);
  const response = {
    id: 'response',
    object: 'response',
    model: MODEL,
    status: 'completed',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    usage: { input_tokens: 10, output_tokens: tokens, total_tokens: 10 + tokens },
  };
  const delta = { type: 'response.output_text.delta', item_id: 'message', output_index: 0, delta: TOKEN };
  return {
    body: response,
    events: [
      ...repeat(tokens, () => formatEvent(delta, delta.type)),
      formatEvent({ type: 'response.completed', response }, 'response.completed'),
    ],
  };
}

function answerMessage(tokens: number): Answer {
  const message = { id: 'message', type: 'message', role: 'assistant', model: MODEL };
  const usage = { input_tokens: 10, output_tokens: tokens };
  const start = { ...message, content: [], usage: { input_tokens: 10, output_tokens: 0 } };
  const events = [
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...repeat(tokens, () => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: TOKEN },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: tokens } },
    { type: 'message_stop' },
  ];
  return {
    body: {
      ...message,
      content: [{ type: 'text', text: TOKEN.repeat(tokens) }],
      stop_reason: 'max_tokens',
      usage,
    },
    events: events.map(event => formatEvent(event, event.type)),
  };
}

function answerGeneration(tokens: number): Answer {
  return {
    body: { generated_text: TOKEN.repeat(tokens) },
    events: repeat(tokens, index =>
      formatEvent({
        index,
        token: { id: 1, text: TOKEN, logprob: 0, special: false },
        generated_text: index === tokens - 1 ? TOKEN.repeat(tokens) : null,
      }),
    ),
  };
}

function answerEmbedding(inputs: number): Answer {
  return {
    body: {
      object: 'list',
      model: MODEL,
      data: repeat(inputs, index => ({ object: 'embedding', index, embedding: [0.6, 0.8] })),
      usage: { prompt_tokens: 10, total_tokens: 10 },
    },
    events: [],
  };
}

function listScores(name: string, texts: readonly unknown[] = []): object[] {
  return texts.map((_, index) => ({ index, [name]: 1 / (index + 1) }));
}

function answerScores(list: string, name: string, texts?: readonly unknown[]): Answer {
  return {
    body: { model: MODEL, [list]: listScores(name, texts), usage: { prompt_tokens: 10, total_tokens: 10 } },
    events: [],
  };
}

function answerImage(): Answer {
  return { body: { created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }] }, events: [] };
}
