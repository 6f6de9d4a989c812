import * as undici from 'undici';
import { expect, test } from 'vitest';
import { buildConnector, Client } from '../../src/http/undiciClient.ts';

test('loads the same client as the whole package', () => {
  expect(Client).toBe(undici.Client);
  expect(buildConnector).toBe(undici.buildConnector);
});
