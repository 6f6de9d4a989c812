import type { Conversation, Turn } from './conversation.ts';

/**
 * Empties the images that an earlier turn of the conversation has sent with the same id, so that the server takes them
 * from its cache. Images of the same turn keep their data, because the server reads all of them before it stores any.
 */
export function stripRepeatedImages(conversation: Conversation): Conversation {
  const sent = new Set<string>();
  const turns = conversation.turns.map(turn => {
    const stripped = stripTurn(turn, sent);
    for (const id of listSentIds(stripped)) sent.add(id);
    return stripped;
  });
  return { ...conversation, turns };
}

function stripTurn(turn: Turn, sent: ReadonlySet<string>): Turn {
  const { images, imageIds } = turn.contents ?? {};
  if (images === undefined || imageIds === undefined) return turn;
  const kept = images.map((image, index) => (sent.has(imageIds[index]!) ? '' : image));
  return { ...turn, contents: { ...turn.contents, images: kept } };
}

/** Lists the ids of the images that a turn sends with their data. */
function listSentIds({ contents: { images = [], imageIds = [] } = {} }: Turn): string[] {
  return imageIds.filter((id, index) => id !== '' && images[index] !== '');
}
