import * as undici from 'undici';
import { expect, test } from 'vitest';
import { buildConnector, Client } from '../../src/http/undiciClient.ts';

test('loads the same client and connector as the undici package exports', () => {
  expect(Client).toBe(undici.Client);
  expect(buildConnector).toBe(undici.buildConnector);
});
