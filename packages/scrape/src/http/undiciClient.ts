import { createRequire } from 'node:module';

type Parts = Pick<typeof import('undici'), 'Client' | 'buildConnector'>;

const require = createRequire(import.meta.url);

/**
 * Of undici, what one connection needs. All of it, with `fetch`, WebSocket, caches and mocks, takes 10 MB more of a process that
 * runs beside what it measures, and 70 ms of its start. A release that has moved these files, or closed them to others, is used
 * whole: it is the same client.
 */
function parts(): Parts {
  try {
    return {
      Client: require('undici/lib/dispatcher/client.js'),
      buildConnector: require('undici/lib/core/connect.js'),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    return require('undici');
  }
}

const used = parts();

export const Client: Parts['Client'] = used.Client;
export const buildConnector: Parts['buildConnector'] = used.buildConnector;
