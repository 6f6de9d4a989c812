import { type CompiledQuery, compileQuery, compileTemplate, TemplateError } from '@org/template';
import { describeValue, detectContent } from './autoDetect.ts';
import { listTexts } from './contents.ts';
import type { CustomFormat } from './customEndpoints.ts';
import type { Delta, Endpoint, Message, RequestParams } from './endpoint.ts';

/** Adds the bodies and the responses of an API that Servelens does not know. Throws `TemplateError` if a template or a query is invalid. */
export function applyFormat(endpoint: Endpoint, format: CustomFormat): Endpoint {
  const { template, responseField } = format;
  return {
    ...endpoint,
    ...(template === undefined ? {} : { buildBody: createBodyBuilder(template) }),
    ...(responseField === undefined ? {} : createParser(responseField, endpoint.name === 'template')),
  };
}

function createBodyBuilder(source: string): Endpoint['buildBody'] {
  const template = compileTemplate(source);
  return params => parseBody(template.render(describeRequest(params)));
}

/** Creates a parser. A strict one does not fall back to other fields, so that a typing error in the query is noticed. */
function createParser(source: string, isStrict: boolean): Pick<Endpoint, 'parseChunk' | 'parseResponse'> {
  const query = compileQuery(source);
  const parse = (json: unknown): Delta => parseContent(json, query, isStrict);
  return { parseChunk: parse, parseResponse: parse };
}

function parseContent(json: unknown, query: CompiledQuery, isStrict: boolean): Delta {
  if (typeof json === 'string') return detectContent(json);
  const value = searchContent(query, json);
  const isFound = value !== null && value !== '' && value !== undefined;
  return isFound || isStrict ? describeValue(json, value) : detectContent(json);
}

function searchContent(query: CompiledQuery, json: unknown): unknown {
  try {
    return query.search(json);
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** Maximum number of characters of a rendered body in a message. */
const MAX_QUOTED_CHARACTERS = 100;

function parseBody(text: string): Record<string, unknown> {
  const json = parseJson(text);
  if (typeof json === 'object' && json !== null && !Array.isArray(json))
    return json as Record<string, unknown>;
  const quoted = text.slice(0, MAX_QUOTED_CHARACTERS);
  throw new TemplateError(
    `the template does not render a JSON object: ${quoted}; format texts with {{ text|tojson }}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the variables of a template, with the names that AIPerf gives to them. */
function describeRequest({ model, messages, maxTokens, stream }: RequestParams): Record<string, unknown> {
  const turns = messages.map(describeTurn);
  const turn = turns.at(-1)!;
  const { contents = {} } = messages.at(-1)!;
  const { images = [], audios = [], videos = [], passages = [] } = contents;
  const ranked = passages.length > 0;
  const [named] = turn.texts;
  const texts = turn.texts.flatMap(({ contents: values }) => values);
  const queries = ranked ? named!.contents : [];
  return {
    ...{ texts, images, audios, videos, queries, passages },
    text: texts[0] ?? null,
    image: images[0] ?? null,
    audio: audios[0] ?? null,
    video: videos[0] ?? null,
    query: queries[0] ?? null,
    passage: passages[0] ?? null,
    texts_by_name: Object.fromEntries(turn.texts.map(({ name, contents: values }) => [name, values])),
    images_by_name: { image_url: images },
    audios_by_name: { input_audio: audios },
    videos_by_name: { video_url: videos },
    model,
    max_tokens: maxTokens ?? null,
    role: turn.role,
    turn,
    turns,
    stream,
  };
}

/** A message as templates see it. */
interface TemplateTurn {
  readonly role: string;
  readonly texts: readonly { readonly name: string; readonly contents: readonly string[] }[];
}

function describeTurn({ role, content, contents = {} }: Message): TemplateTurn {
  const { passages } = contents;
  const hasMedia = [contents.images, contents.audios, contents.videos].some(list => list?.length);
  // A message without text has no texts, instead of an empty one.
  const texts = listTexts({ text: content, contents }).filter(text => text !== '' || !hasMedia);
  return {
    role,
    texts:
      passages === undefined
        ? [{ name: 'text', contents: texts }]
        : [
            { name: 'query', contents: texts },
            { name: 'passages', contents: passages },
          ],
  };
}
