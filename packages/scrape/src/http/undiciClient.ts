import { createRequire } from 'node:module';

type Parts = Pick<typeof import('undici'), 'Client' | 'buildConnector'>;

const require = createRequire(import.meta.url);

/**
 * Loads only the parts of undici that one connection needs. All of undici, with `fetch`, WebSocket,
 * caches and mocks, takes 10 MB more memory and 70 ms of startup time. If a release moves or hides these
 * files, the whole package is loaded instead.
 */
function loadParts(): Parts {
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

const loaded = loadParts();

export const Client: Parts['Client'] = loaded.Client;
export const buildConnector: Parts['buildConnector'] = loaded.buildConnector;
