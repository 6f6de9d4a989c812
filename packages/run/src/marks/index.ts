export { findRunFolders } from '../repeat/runFolders.ts';
export { MarkListener } from './listener.ts';
export {
  countCharacters,
  MAX_NOTE_CHARACTERS,
  MAX_WHO_CHARACTERS,
  type MarkKind,
  type MarkRequest,
  type MarkResponse,
} from './protocol.ts';
export { listSockets, SOCKET_VARIABLE } from './socketPath.ts';
