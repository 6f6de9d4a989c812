import type { Contents } from '../endpoint/contents.ts';
import type { Endpoint, EndpointName } from '../endpoint/endpoint.ts';
import { ENDPOINTS } from '../endpoint/endpoints.ts';
import { MediaFiles, type MediaKind } from '../media/mediaFiles.ts';
import type { Turn } from './conversation.ts';
import { InputError } from './inputError.ts';
import { checkAlternatives, describeValue, type Fields, isObject, readOptionalText } from './inputFile.ts';

/** The API that contents are sent to, and the files that they name. */
export interface ContentReader {
  readonly files: MediaFiles;
  readonly endpoint?: Endpoint;
}

/** Creates a reader of the contents of an input file. Without an API, all contents are accepted. */
export function createContentReader(endpoint?: EndpointName): ContentReader {
  return { files: new MediaFiles(), ...(endpoint && { endpoint: ENDPOINTS[endpoint] }) };
}

/** The fields of the contents of a message. */
export const CONTENT_FIELDS: readonly string[] = [
  ...['text', 'prompt', 'texts', 'image', 'images', 'image_uuids', 'audio', 'audios', 'video', 'videos'],
];

/** Texts of the same name; the name is empty if the file does not name them. */
export interface NamedTexts {
  readonly name: string;
  readonly contents: readonly string[];
}

/** The contents of a line, before its texts are assigned to their places in the request. */
export interface LineContents {
  readonly texts: readonly NamedTexts[];
  readonly media: Pick<Contents, 'images' | 'imageIds' | 'audios' | 'videos'>;
}

/** Reads the contents of a line or a turn. Throws an `InputError` if they are invalid, or if the API cannot send them. */
export function readContents(fields: Fields, reader: ContentReader, name = ''): LineContents {
  checkAlternatives(fields, ['text', 'prompt', 'texts']);
  const texts = readTexts(fields, name);
  const media = {
    ...readImages(fields, reader),
    ...readMedia(fields, 'audio', reader),
    ...readMedia(fields, 'video', reader),
  };
  if (texts.length === 0 && Object.keys(media).length === 0)
    throw new InputError('missing prompt; expected a string field "text" or "prompt", or a list "texts"');
  return { texts, media };
}

function readTexts(fields: Fields, name: string): NamedTexts[] {
  const text = readOptionalText(fields, 'text') ?? readOptionalText(fields, 'prompt');
  if (text !== undefined) return [{ name, contents: [text] }];
  return readList(fields, 'texts').map(item => ({ name, ...item }));
}

/** Reads the images of a line, and their ids, which may replace the images. */
function readImages(fields: Fields, reader: ContentReader): LineContents['media'] {
  const imageIds = readImageIds(fields);
  if (imageIds === undefined) return readMedia(fields, 'image', reader);
  const { name } = reader.endpoint ?? {};
  if (name !== undefined && name !== 'chat')
    throw new InputError(`field "image_uuids" cannot be sent to the API ${name}, only to chat`);
  const given = fields.images ?? imageIds.map(() => '');
  if (!Array.isArray(given) || given.length !== imageIds.length)
    throw new InputError(`"image_uuids" has ${imageIds.length} ids; expected as many as "images"`);
  const images = given.map((image: unknown, index) =>
    image === '' ? '' : readMedia({ images: [image] }, 'image', reader, index).images![0]!,
  );
  return { images, imageIds };
}

function readImageIds({ image, image_uuids: ids }: Fields): readonly string[] | undefined {
  if (ids === undefined || ids === null) return undefined;
  if (image !== undefined && image !== null)
    throw new InputError('"image_uuids" cannot be used with "image"; expected "images"');
  if (Array.isArray(ids) && ids.length > 0 && ids.every(id => typeof id === 'string' && id !== ''))
    return ids;
  throw new InputError(`image_uuids is ${describeValue(ids)}; expected a list of texts that are not empty`);
}

/** Reads contents that are not text; none if the fields are absent. */
function readMedia(
  fields: Fields,
  kind: MediaKind,
  { files, endpoint }: ContentReader,
  firstIndex = 0,
): Contents {
  const plural = `${kind}s` as const;
  checkAlternatives(fields, [kind, plural]);
  const single = readOptionalText(fields, kind);
  const field = single === undefined ? plural : kind;
  const values =
    single === undefined ? readList(fields, plural).flatMap(({ contents }) => contents) : [single];
  if (values.length === 0) return {};
  if (endpoint !== undefined && !endpoint.media?.includes(plural))
    throw new InputError(`field "${field}" cannot be sent to the API ${endpoint.name}`);
  const format = (index: number): string =>
    single === undefined ? `${field}[${firstIndex + index}]` : field;
  return { [plural]: values.map((value, index) => files.read(kind, value, format(index))) };
}

/** Reads a list of strings, or of objects with a list `contents` of strings and an optional `name`. */
function readList(fields: Fields, field: string): (Pick<NamedTexts, 'contents'> & { name?: string })[] {
  const list = fields[field];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list))
    throw new InputError(`${field} is ${describeValue(list)}; expected a list of strings`);
  return list.map((item, index) => {
    if (typeof item === 'string') return { contents: [item] };
    const { contents, name } = isObject(item) ? item : {};
    const isValid = Array.isArray(contents) && contents.every(content => typeof content === 'string');
    if (isValid && (name === undefined || name === null || typeof name === 'string'))
      return { contents, ...(name ? { name } : {}) };
    throw new InputError(
      `${field}[${index}] is ${describeValue(item)}; expected a string, or an object with a list "contents" of strings`,
    );
  });
}

const QUERY_NAMES = ['query', 'queries'];
const PASSAGES_NAME = 'passages';

/**
 * Joins the contents of lines to a message. Texts named `query` and `passages` are the parts of a ranking. Throws an
 * `InputError` if the API requires contents that are missing.
 */
export function createMessage(
  lines: readonly LineContents[],
  endpoint?: Endpoint,
): Pick<Turn, 'text' | 'contents'> {
  const texts = lines.flatMap(line => line.texts);
  const media = joinMedia(lines);
  checkRequiredMedia(media, endpoint);
  if (endpoint?.ranksPassages || (endpoint?.name === 'template' && texts.some(isPassages)))
    return createRanking(texts, media, endpoint);
  const all = texts.flatMap(({ contents }) => contents);
  const contents = { ...(all.length > 1 && { texts: all }), ...media };
  return { text: all[0] ?? '', ...(Object.keys(contents).length > 0 && { contents }) };
}

function joinMedia(lines: readonly LineContents[]): LineContents['media'] {
  const joined: Contents = {};
  for (const { media } of lines)
    for (const [kind, values] of Object.entries(media) as [keyof typeof media, readonly string[]][])
      Object.assign(joined, { [kind]: [...(joined[kind] ?? []), ...values] });
  if (joined.imageIds === undefined) return joined;
  const listIds = ({ media: { images = [], imageIds } }: LineContents): readonly string[] =>
    imageIds ?? images.map(() => '');
  return { ...joined, imageIds: lines.flatMap(listIds) };
}

function checkRequiredMedia(media: LineContents['media'], endpoint: Endpoint | undefined): void {
  const { requiredMedia: required, name } = endpoint ?? {};
  if (required === undefined || media[required] !== undefined) return;
  throw new InputError(`missing ${required}; requests to the API ${name} require "${required}"`);
}

function isPassages({ name }: NamedTexts): boolean {
  return name === PASSAGES_NAME;
}

function createRanking(
  texts: readonly NamedTexts[],
  media: LineContents['media'],
  endpoint: Endpoint,
): Pick<Turn, 'text' | 'contents'> {
  const queries = texts.filter(({ name }) => QUERY_NAMES.includes(name)).flatMap(({ contents }) => contents);
  const passages = texts.filter(isPassages).flatMap(({ contents }) => contents);
  const other = texts.find(text => !isPassages(text) && !QUERY_NAMES.includes(text.name));
  if (other !== undefined || queries.length !== 1 || passages.length === 0) {
    const problem =
      other === undefined
        ? `${queries.length} queries and ${passages.length} passages`
        : other.name === ''
          ? 'a text without a name'
          : `a text with the name ${JSON.stringify(other.name)}`;
    throw new InputError(
      `${problem} for the API ${endpoint.name}; expected "texts" with one named "query" and at least one named "passages", such as {"texts": [{"name": "query", "contents": ["..."]}, {"name": "passages", "contents": ["...", "..."]}]}`,
    );
  }
  return { text: queries[0]!, contents: { passages, ...media } };
}
