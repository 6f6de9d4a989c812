import { listTexts, parseAudio, parseDataUrl } from './contents.ts';
import type { Message } from './endpoint.ts';

/** A part of the content of a message, in the format of an API. */
export type ContentPart = Readonly<Record<string, unknown>>;

/** Formats each kind of content in the format of an API. */
interface PartFormat {
  readonly text: (text: string) => ContentPart;
  readonly image: (url: string, id?: string) => ContentPart;
  readonly audio?: (clip: string) => ContentPart;
  readonly video?: (url: string) => ContentPart;
}

/** The content parts of OpenAI's chat completions API. */
export const CHAT_PARTS: PartFormat = {
  text: text => ({ type: 'text', text }),
  // The id is an extension of vLLM.
  image: (url, id) => ({ type: 'image_url', image_url: { url }, ...(id ? { uuid: id } : {}) }),
  audio: clip => ({ type: 'input_audio', input_audio: parseAudio(clip) }),
  video: url => ({ type: 'video_url', video_url: { url } }),
};

/** The content parts of OpenAI's responses API. */
export const RESPONSES_PARTS: PartFormat = {
  text: text => ({ type: 'input_text', text }),
  image: url => ({ type: 'input_image', image_url: url }),
  audio: clip => ({ type: 'input_audio', input_audio: parseAudio(clip) }),
};

/** The content parts of Anthropic's messages API. */
export const ANTHROPIC_PARTS: PartFormat = {
  text: text => ({ type: 'text', text }),
  image: url => {
    const inline = parseDataUrl(url);
    const source = inline
      ? { type: 'base64', media_type: inline.mediaType, data: inline.data }
      : { type: 'url', url };
    return { type: 'image', source };
  },
};

/** Returns the content of a message: its text, or a list of parts if it has other contents. */
export function formatContent(message: Message, format: PartFormat): string | readonly ContentPart[] {
  const { content, contents } = message;
  if (contents === undefined) return content;
  const { images = [], imageIds = [], audios = [], videos = [] } = contents;
  const parts = [
    ...listTexts({ text: content, contents })
      .filter(text => text !== '')
      .map(format.text),
    ...images.map((url, index) => format.image(url, imageIds[index])),
    ...(format.audio ? audios.map(format.audio) : []),
    ...(format.video ? videos.map(format.video) : []),
  ];
  return parts.length === 0 ? '' : parts;
}

/** Returns messages in the format of an API, with their roles. */
export function formatMessages(
  messages: readonly Message[],
  format: PartFormat,
): Readonly<Record<string, unknown>>[] {
  return messages.map(
    message => message.raw ?? { role: message.role, content: formatContent(message, format) },
  );
}

/** Returns all texts of messages, without the texts of the media. */
export function listMessageTexts(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content, contents }) =>
    listTexts({ text: content, ...(contents && { contents }) }),
  );
}
