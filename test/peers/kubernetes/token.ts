import { createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Returns a copy of a token of a service account that expired an hour ago, signed with the key of the server. */
export function createExpiredToken(token: string, keyFile: string): string {
  const [head = '', claims = ''] = token.split('.');
  const now = Math.floor(Date.now() / 1000);
  const expired = { ...decode(claims), iat: now - 7200, nbf: now - 7200, exp: now - 3600 };
  const content = `${head}.${Buffer.from(JSON.stringify(expired)).toString('base64url')}`;
  const signature = createSign('RSA-SHA256').update(content).sign(readFileSync(keyFile, 'utf8'), 'base64url');
  return `${content}.${signature}`;
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}
