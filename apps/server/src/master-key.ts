import type { Database } from '@holdfast/database';
import { AppError, systemCode } from '@holdfast/foundation/errors';
import { secureRandom } from '@holdfast/foundation/random';
import { aesKey, deriveKey, open, seal } from '@holdfast/foundation/secrets';
import { createHash, type KeyObject } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';

/** The key that seals every other key. Its id tells which one sealed something. */
export interface MasterKey {
  readonly id: string;
  readonly key: KeyObject;
}

const FILE = 'master.key';
const PROOF = Buffer.from('this is the master key of this installation');
const CONTEXT = 'installation:master-key-proof';

function masterKeyOf(bytes: Buffer): MasterKey {
  const key = aesKey(bytes);
  const fingerprint = deriveKey(key, 'holdfast master key id').export();
  return { id: createHash('sha256').update(fingerprint).digest('hex').slice(0, 16), key };
}

async function readFileKey(file: string): Promise<Buffer | undefined> {
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function makeFileKey(file: string): Promise<Buffer> {
  const bytes = secureRandom.bytes(32);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${bytes.toString('base64')}\n`, { mode: 0o400, flag: 'wx', flush: true });
  await chmod(file, 0o400);
  return bytes;
}

/**
 * The master key of the settings, else of the data directory, made there at the very first start. Throws
 * `keys.master-key-missing` or `keys.master-key-wrong` when the database was sealed with another one:
 * the program must not start, and has written nothing.
 */
export async function openMasterKey(config: Config, database: Database): Promise<MasterKey> {
  const file = path.join(config.HOLDFAST_DATA_DIR, FILE);
  const proof = await database.installation((tx) => tx.selectFrom('master_key_proofs').selectAll().executeTakeFirst());
  const given = config.HOLDFAST_MASTER_KEY ? Buffer.from(config.HOLDFAST_MASTER_KEY.reveal(), 'base64') : await readFileKey(file);
  if (!given && proof) {
    throw new AppError('keys.master-key-missing', {
      message: `The master key is missing: neither HOLDFAST_MASTER_KEY nor ${file} holds it, and what is stored can't be opened without it.`,
    });
  }
  const master = masterKeyOf(given ?? (await makeFileKey(file)));
  if (!proof) {
    const sealed = seal(master.key, PROOF, CONTEXT);
    await database.installation((tx) =>
      tx
        .insertInto('master_key_proofs')
        .values({ master_key_id: master.id, sealed })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    return given ? await checkedAgain(master, database) : master;
  }
  return requireProof(master, proof.sealed);
}

function requireProof(master: MasterKey, sealed: Uint8Array): MasterKey {
  try {
    open(master.key, sealed, CONTEXT);
    return master;
  } catch (cause) {
    throw new AppError('keys.master-key-wrong', { message: 'This is not the master key that the stored data was sealed with.', cause });
  }
}

/** Two processes of one cluster may have started at once with different keys: the first proof stands. */
async function checkedAgain(master: MasterKey, database: Database): Promise<MasterKey> {
  const proof = await database.installation((tx) => tx.selectFrom('master_key_proofs').selectAll().executeTakeFirstOrThrow());
  return requireProof(master, proof.sealed);
}
