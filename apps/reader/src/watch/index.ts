/** Serves the page of an active run to browsers on this machine. */

export { LivePage, type RunFeed, type WatchedRun } from './livePage.ts';
export { type LiveServer, PortError, startLiveServer } from './liveServer.ts';
