import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AccessBuilder, SettingError } from '../src/accessBuilder.ts';
import type { AccessSettings } from '../src/accessSettings.ts';
import { folder, TOKEN_FILE } from './configFiles.ts';

test('converts settings, and seconds to milliseconds', () => {
  const settings: AccessSettings = {
    interval: 0.5,
    timeout: 3,
    headers: { A: '1' },
    compressed: true,
    limits: { samples: 5 },
  };
  expect(new AccessBuilder().build(settings)).toEqual({
    intervalMs: 500,
    timeoutMs: 3000,
    headers: { A: '1' },
    compressed: true,
    limits: { samples: 5 },
  });
  expect(new AccessBuilder().build({})).toEqual({});
});

test.each<[AccessSettings, string]>([
  [{ bearer_token: 'x' }, 'Bearer x'],
  [{ bearer_token_file: TOKEN_FILE }, 'Bearer t0ken'],
  [{ basic_auth: { username: 'me', password: 'pw' } }, `Basic ${btoa('me:pw')}`],
  [{ basic_auth: { username: 'me' } }, `Basic ${btoa('me:')}`],
  [{ basic_auth: { username: 'me', password_file: TOKEN_FILE } }, `Basic ${btoa('me:t0ken')}`],
])('authorizes with %j', async (settings, expected) => {
  expect(await new AccessBuilder().build(settings).authorization!.readHeader()).toBe(expected);
});

test('shares the authorization of settings with the same credentials', () => {
  const builder = new AccessBuilder();
  const build = (settings: AccessSettings) => builder.build(settings).authorization;
  const bearer = build({ bearer_token_file: TOKEN_FILE });
  expect(build({ bearer_token_file: TOKEN_FILE, timeout: 1 })).toBe(bearer);
  const basic = build({ basic_auth: { username: 'a', password_file: TOKEN_FILE } });
  expect(basic).not.toBe(bearer);
  expect(build({ basic_auth: { username: 'b', password_file: TOKEN_FILE } })).not.toBe(basic);
});

const missing = join(folder, 'none');

test.each<[AccessSettings, string[]]>([
  [{ bearer_token_file: missing }, ['bearer_token_file']],
  [{ basic_auth_file: missing }, ['basic_auth_file']],
  [{ basic_auth: { username: 'a', password_file: missing } }, ['basic_auth', 'password_file']],
  [{ tls: { ca_file: missing } }, ['tls', 'ca_file']],
  [{ tls: { cert_file: missing, key_file: TOKEN_FILE } }, ['tls', 'cert_file']],
])('reports the setting that names a missing file: %j', (settings, key) => {
  const build = () => new AccessBuilder().build(settings);
  expect(build).toThrow(SettingError);
  expect(build).toThrow(expect.objectContaining({ key, message: expect.stringMatching(/no such file/) }));
});
