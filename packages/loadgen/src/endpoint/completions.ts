import type { Asked, Delta, Endpoint } from './endpoint.ts';
import { choicesOf, deltaOf, fieldsOf, textOf } from './responseFields.ts';

/** OpenAI's text completions. What was said before stands in front of the prompt, line by line. */
export const completions: Endpoint = {
  name: 'completions',
  path: '/v1/completions',
  streams: true,
  fields({ model, messages, maxTokens, stream, usage }: Asked) {
    return {
      model,
      prompt: messages.map(({ content }) => content).join('\n'),
      stream,
      ...(stream && usage ? { stream_options: { include_usage: true } } : {}),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    };
  },
  chunk: completion,
  answer: completion,
};

function completion(json: unknown): Delta {
  const fields = fieldsOf(json);
  const texts = choicesOf(fields).map(({ text }) => textOf(text));
  return deltaOf(fields, texts.join(''), '');
}
