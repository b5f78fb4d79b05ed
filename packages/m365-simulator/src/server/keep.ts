import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { systemCode } from '@holdfast/foundation/errors';
import type { Recipe } from '../state/recipe.ts';
import type { KeyAndCertificate } from './certificates.ts';
import type { Tenant } from '../state/tenant.ts';

/** Keys of a simulator that is to be the same after a restart. */
export interface KeptKeys {
  readonly server: KeyAndCertificate & { readonly ca: string };
  readonly app: KeyAndCertificate;
}

/** A tenant as it is in the folder of `--data`. */
export interface KeptTenant {
  readonly recipe: Recipe;
  readonly seed: number;
  readonly epochMs: number;
  readonly state: Uint8Array;
}

const KEYS = 'keys.json';
/** Moves with the form of the state: what an older form left is not read. */
const SUFFIX = '.v3.tenant';

async function replaceFile(path: string, data: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.new`, data, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The keys in the folder, or those that `make` makes, which are then kept. */
export async function keepKeys(folder: string, make: () => Promise<KeptKeys>): Promise<KeptKeys> {
  await mkdir(folder, { recursive: true });
  try {
    return JSON.parse(await readFile(join(folder, KEYS), 'utf8')) as KeptKeys;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const keys = await make();
  await replaceFile(join(folder, KEYS), JSON.stringify(keys));
  return keys;
}

/** The tenants that an earlier run left in the folder. */
export async function readTenants(folder: string): Promise<KeptTenant[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).sort();
  return Promise.all(names.map(async (name) => deserialize(await readFile(join(folder, name))) as KeptTenant));
}

/** Writes a tenant; the file is always whole, the old one or the new one. */
export async function writeTenant(folder: string, tenant: Tenant, seed: number): Promise<void> {
  const kept: KeptTenant = { recipe: tenant.recipe, seed, epochMs: tenant.epochMs, state: tenant.store.save() };
  await replaceFile(join(folder, `${tenant.tenantId}${SUFFIX}`), serialize(kept));
}
