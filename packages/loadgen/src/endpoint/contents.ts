/** The contents of a message in addition to its text. */
export interface Contents {
  /** All texts of the message, if there are several; the text of the message is the first of them. */
  readonly texts?: readonly string[];
  /** The passages to rank; the text of the message is the query. */
  readonly passages?: readonly string[];
  /** Images, as URLs or data URLs. */
  readonly images?: readonly string[];
  /** The id of each image in the cache of the server; empty for images without one. An image with an id may be empty. */
  readonly imageIds?: readonly string[];
  /** Audio clips, as `FORMAT,BASE64` or data URLs. */
  readonly audios?: readonly string[];
  /** Videos, as URLs or data URLs. */
  readonly videos?: readonly string[];
}

/** A text with its additional contents. */
interface TextWithContents {
  readonly text: string;
  readonly contents?: Contents;
}

/** Returns all texts of a message, without its passages. */
export function listTexts({ text, contents }: TextWithContents): readonly string[] {
  return contents?.texts ?? [text];
}

/** Returns all texts of a message whose tokens count as input. */
export function listCountedTexts(message: TextWithContents): readonly string[] {
  return [...listTexts(message), ...(message.contents?.passages ?? [])];
}

/** The format and the Base64 data of an audio clip. */
export interface AudioClip {
  readonly data: string;
  readonly format: string;
}

/** Splits an audio clip, which is `FORMAT,BASE64` or a data URL. */
export function parseAudio(clip: string): AudioClip {
  const comma = clip.indexOf(',');
  const format = clip
    .slice(0, comma)
    .replace(/^data:audio\//, '')
    .replace(/;.*$/s, '');
  return { data: clip.slice(comma + 1), format };
}

/** The media type and the Base64 data of a data URL. */
export interface DataUrl {
  readonly mediaType: string;
  readonly data: string;
}

/** Splits a data URL in Base64; undefined for any other URL. */
export function parseDataUrl(url: string): DataUrl | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const mediaType = url.slice('data:'.length, comma).replace(/;.*$/s, '');
  return { mediaType: mediaType || 'application/octet-stream', data: url.slice(comma + 1) };
}
