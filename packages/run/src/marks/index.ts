/** Marks: sends them to an active run, and receives them during a run. */

export { MarkListener } from './listener.ts';
export { connectToFolder, connectToSocket, NoRunError, sendMark } from './markClient.ts';
export {
  countCharacters,
  MAX_NOTE_CHARACTERS,
  MAX_SENDER_CHARACTERS,
  type MarkKind,
  type MarkRequest,
  type MarkResponse,
} from './protocol.ts';
export { SOCKET_VARIABLE } from './socketPath.ts';
