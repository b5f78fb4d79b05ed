import { lookup } from 'node:dns/promises';
import { mkdir, realpath, statfs } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@holdfast/foundation/errors';
import ipaddr from 'ipaddr.js';

/** Where bytes go, without anything secret. Kept as JSON beside the location. */
export type LocationTarget =
  | { readonly kind: 'filesystem'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly endpoint: string;
      readonly region: string;
      readonly bucket: string;
      readonly prefix: string;
      readonly forcePathStyle: boolean;
    };

/** Which folders and hosts the operator allows. */
export interface TargetRules {
  readonly roots: readonly string[];
  readonly allowedHosts: readonly string[];
}

function isWithin(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

/** A folder below one the operator allows, made where it is missing. Links out of there are refused. */
export async function allowedFolder(folder: string, rules: TargetRules): Promise<string> {
  const refused = new AppError('locations.path-refused', { details: { field: 'path' } });
  if (!path.isAbsolute(folder) || folder.includes('\0')) throw refused;
  const wanted = path.resolve(folder);
  const root = rules.roots.map((allowed) => path.resolve(allowed)).find((allowed) => isWithin(wanted, allowed));
  if (root === undefined) throw refused;
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    if (!isWithin(await realpath(wanted), await realpath(root))) throw refused;
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('locations.path-refused', { details: { field: 'path' }, cause: error });
  }
  return wanted;
}

/** Bytes left where a folder lies. */
export async function freeBytes(folder: string): Promise<number | null> {
  const space = await statfs(folder).catch(() => undefined);
  return space ? space.bavail * space.bsize : null;
}

/** Public addresses of the internet alone; everything else leads inwards. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

/**
 * Refuses an endpoint that leads into our own network, unless the operator allowed its host. Plain HTTP
 * needs the same permission.
 */
export async function checkHost(endpoint: string, rules: TargetRules): Promise<void> {
  if (endpoint === '') return;
  const refused = new AppError('locations.host-refused', { details: { field: 'endpoint' } });
  const address = new URL(endpoint);
  const host = address.hostname.replaceAll(/^\[|\]$/g, '');
  if (rules.allowedHosts.includes(address.host) || rules.allowedHosts.includes(host)) return;
  if (address.protocol !== 'https:' || address.username !== '' || address.password !== '') throw refused;
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.length === 0 || found.some((entry) => !isPublicAddress(entry.address))) throw refused;
}
