import type { Database } from '@holdfast/database';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError } from '@holdfast/foundation/errors';
import { secureRandom } from '@holdfast/foundation/random';
import { aesKey, deriveKey, open, seal } from '@holdfast/foundation/secrets';
import { writeWholeFile } from '@holdfast/foundation/whole-file';
import { createHash, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { createKeysStore } from './keys.store.ts';
import { masterKeyFile, masterKeySource, readFileKey, type MasterKeyConfig } from './master-key-source.ts';
import { createMasterKeys, type NamedKey } from './master-keys.ts';
import { rotateKeys, type RotationReport } from './rotation.ts';

/** The key that seals every other key. Its id tells which one sealed something. */
export interface MasterKey {
  readonly id: string;
  readonly key: KeyObject;
  /** Keys of a rotation that was not finished: they still open what they wrapped. */
  readonly others?: readonly NamedKey[];
}

const NEXT_FILE = 'master.key.next';
const PREVIOUS_FILE = 'master.key.previous';
const PROOF = Buffer.from('this is the master key of this installation');
const CONTEXT = 'installation:master-key-proof';

function masterKeyOf(bytes: Buffer): NamedKey {
  const key = aesKey(bytes);
  const fingerprint = deriveKey(key, 'holdfast master key id').export();
  return { id: createHash('sha256').update(fingerprint).digest('hex').slice(0, 16), key };
}

async function makeFileKey(file: string): Promise<Buffer> {
  const bytes = secureRandom.bytes(32);
  await mkdir(path.dirname(file), { recursive: true });
  await writeWholeFile(file, `${bytes.toString('base64')}\n`, { mode: 0o400, ifAbsent: true });
  return bytes;
}

interface Proof {
  readonly master_key_id: string;
  readonly sealed: Uint8Array;
}

function readProof(database: Database): Promise<Proof | undefined> {
  return database.installation((tx) => tx.selectFrom('master_key_proofs').select(['master_key_id', 'sealed']).executeTakeFirst());
}

function isProven(master: NamedKey, proof: Proof): boolean {
  try {
    open(master.key, proof.sealed, CONTEXT);
    return true;
  } catch {
    return false;
  }
}

/** Keys of the data directory that a rotation left beside the current one. */
async function otherKeys(folder: string): Promise<NamedKey[]> {
  const found: NamedKey[] = [];
  for (const name of [NEXT_FILE, PREVIOUS_FILE]) {
    const bytes = await readFileKey(path.join(folder, name));
    if (bytes) found.push(masterKeyOf(bytes));
  }
  return found;
}

/** The new key takes the place of the old one, which stays beside it for what was copied before. May be repeated. */
async function putInPlace(folder: string): Promise<void> {
  await writeWholeFile(path.join(folder, PREVIOUS_FILE), await readFile(path.join(folder, masterKeyFile)), { mode: 0o400 });
  await crashPoint('keys.before-in-place');
  await rename(path.join(folder, NEXT_FILE), path.join(folder, masterKeyFile));
}

async function firstProof(database: Database, master: NamedKey): Promise<Proof | undefined> {
  const sealed = seal(master.key, PROOF, CONTEXT);
  await database.installation((tx) =>
    tx
      .insertInto('master_key_proofs')
      .values({ master_key_id: master.id, sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  return readProof(database);
}

/**
 * The master key of the settings or of the command they name, else of the data directory, made there at the very first start. Throws
 * `keys.master-key-missing` or `keys.master-key-wrong` when the database was sealed with another one:
 * the program must not start, and has written nothing. A rotation that was killed is taken into account.
 */
export async function openMasterKey(config: MasterKeyConfig, database: Database): Promise<MasterKey> {
  const folder = config.HOLDFAST_DATA_DIR;
  const source = masterKeySource(config);
  const proof = await readProof(database);
  const given = await source.read();
  if (!given && proof) {
    throw new AppError('keys.master-key-missing', {
      message: `The master key is missing: neither HOLDFAST_MASTER_KEY nor ${source.place} holds it, and what is stored can't be opened without it.`,
    });
  }
  const master = masterKeyOf(given ?? (await makeFileKey(path.join(folder, masterKeyFile))));
  const others = await otherKeys(folder);
  const proven = proof ?? (await firstProof(database, master));
  if (!proven || isProven(master, proven)) return { ...master, others: others.filter((other) => other.id !== master.id) };
  const next = others.find((other) => isProven(other, proven));
  if (!next || !source.isOurs) {
    throw new AppError('keys.master-key-wrong', { message: 'This is not the master key that the stored data was sealed with.' });
  }
  await putInPlace(folder);
  return { ...next, others: [master] };
}

/**
 * Makes a new master key in the data directory and wraps every data key anew. Data is not rewritten. May be
 * killed at any step and run again; until the last step both keys open what they wrapped. The product must
 * be stopped, or restarted afterwards: a running process knows only the key it started with.
 */
export async function rotateMasterKey(
  config: MasterKeyConfig,
  database: Database,
): Promise<RotationReport & { readonly masterKeyId: string }> {
  const source = masterKeySource(config);
  if (!source.isOurs) {
    throw new AppError('keys.not-ours', {
      message: `The master key comes from ${source.place}. Put it into the file master.key of the data directory to rotate it here.`,
    });
  }
  const folder = config.HOLDFAST_DATA_DIR;
  const current = await openMasterKey(config, database);
  await crashPoint('keys.before-new-key');
  const file = path.join(folder, NEXT_FILE);
  const next = masterKeyOf((await readFileKey(file)) ?? (await makeFileKey(file)));
  await crashPoint('keys.after-new-key');
  const masterKeys = createMasterKeys(next, [current, ...(current.others ?? [])]);
  const report = await rotateKeys({ masterKeys, store: createKeysStore(database) });
  await crashPoint('keys.before-proof');
  await database.installation((tx) =>
    tx
      .updateTable('master_key_proofs')
      .set({ master_key_id: next.id, sealed: seal(next.key, PROOF, CONTEXT) })
      .execute(),
  );
  await crashPoint('keys.after-proof');
  await putInPlace(folder);
  return { ...report, masterKeyId: next.id };
}
