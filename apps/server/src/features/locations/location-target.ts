import { mkdir, realpath, statfs } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import path from 'node:path';
import { AppError, systemCode } from '@holdfast/foundation/errors';
import { filesystemFailure } from '@holdfast/vault';
import { hostOf, isAllowedHost, publicAddresses, publicLookup } from '../../platform/outgoing-hosts.ts';

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

/** What is wrong with the disk and not with the choice of the folder: it passes, or somebody mends it. */
const OF_THE_DISK = new Set(['EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'ETIMEDOUT', 'ENODEV']);

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
    if (error instanceof AppError) throw error;
    if (OF_THE_DISK.has(systemCode(error) ?? '')) throw filesystemFailure(error, wanted);
    throw new AppError('locations.path-refused', { details: { field: 'path' }, cause: error });
  }
  return wanted;
}

/** Bytes left where a folder lies. */
export async function freeBytes(folder: string): Promise<number | null> {
  const space = await statfs(folder).catch(() => undefined);
  return space ? space.bavail * space.bsize : null;
}

const refusedHost = (): AppError => new AppError('locations.host-refused', { details: { field: 'endpoint' } });

/** How the hosts of an endpoint are resolved; undefined where the operator allowed it, or where it is Amazon's own. */
export function lookupFor(endpoint: string, rules: TargetRules): LookupFunction | undefined {
  return endpoint === '' || isAllowedHost(new URL(endpoint), rules.allowedHosts) ? undefined : publicLookup(refusedHost);
}

/**
 * Refuses an endpoint that leads into our own network, unless the operator allowed its host. Plain HTTP
 * needs the same permission. A name that cannot be looked up now is no reason to refuse its host: that is
 * `vault.storage-unavailable`.
 */
export async function checkHost(endpoint: string, rules: TargetRules): Promise<void> {
  if (endpoint === '') return;
  const address = new URL(endpoint);
  if (isAllowedHost(address, rules.allowedHosts)) return;
  if (address.protocol !== 'https:' || address.username !== '' || address.password !== '') throw refusedHost();
  const host = hostOf(address);
  await publicAddresses(host, refusedHost).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    const message = `${host} could not be looked up: ${systemCode(error) ?? 'unknown'}.`;
    throw new AppError('vault.storage-unavailable', { message, details: { host }, cause: error });
  });
}
