import { hostname as getHostname, networkInterfaces } from 'node:os';

/** Reports whether a host is this machine. */
export function isLocalHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost') || name === getHostname().toLowerCase())
    return true;
  if (/^127\.|^::1$|^0\.0\.0\.0$|^::$/.test(name)) return true;
  return Object.values(networkInterfaces()).some(addresses =>
    addresses?.some(({ address }) => address.toLowerCase() === name),
  );
}
