import * as undici from 'undici';
import { expect, test } from 'vitest';
import { buildConnector, Client } from '../../src/http/undiciClient.ts';

test('the client is that of the whole package', () => {
  expect(Client).toBe(undici.Client);
  expect(buildConnector).toBe(undici.buildConnector);
});
