export { findRunFolders } from '../repeat/runFolders.ts';
export { MarkListener } from './listener.ts';
export {
  charactersIn,
  type MarkAnswer,
  type MarkKind,
  type MarkRequest,
  TEXT_CHARACTERS,
  WHO_CHARACTERS,
} from './protocol.ts';
export { SOCKET_VARIABLE, socketsIn } from './socketPath.ts';
