import { systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { createIds } from '@holdfast/foundation/ids';
import { secureRandom } from '@holdfast/foundation/random';
import { aesKey, Secret } from '@holdfast/foundation/secrets';
import {
  createFilesystemBlobStore,
  createMasterKeyRing,
  createS3BlobStore,
  openVault,
  withRetry,
  type BlobStore,
  type ItemState,
  type LostSegment,
  type Vault,
} from '@holdfast/vault';
import { required, secretFrom, type CommandContext } from './command.ts';

type Given = Readonly<Record<string, string | undefined>>;

/** Where a vault lies and what opens it: all that is needed on a day when nothing else is left. */
export const vaultOptions = {
  folder: 'Folder of the vault, or instead of it:',
  bucket: 'S3 bucket of the vault',
  prefix: 'Folder within the bucket',
  endpoint: 'Address of the S3 server, if it is not Amazon',
  region: 'Region of the bucket (default us-east-1)',
  'access-key-id': 'Id of the S3 access key',
  'secret-file': 'File with the secret of the S3 access key',
  'key-file': 'File with the master key, in base64',
} as const;

/** The store that the options name; with `suffix`, that of the options of that ending (`to-folder`). */
export async function storeFrom(given: Given, prefix = ''): Promise<BlobStore> {
  const option = (name: string): string | undefined => given[`${prefix}${name}`];
  const folder = option('folder');
  if (folder !== undefined) return createFilesystemBlobStore({ root: folder });
  const endpoint = option('endpoint');
  const inBucket = option('prefix');
  const store = createS3BlobStore({
    bucket: required(given, `${prefix}bucket`),
    region: option('region') ?? 'us-east-1',
    accessKeyId: required(given, `${prefix}access-key-id`),
    secretAccessKey: new Secret(await secretFrom(required(given, `${prefix}secret-file`))),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(inBucket === undefined ? {} : { prefix: inBucket }),
  });
  return withRetry(store, { clock: systemClock, random: secureRandom });
}

/** The ids under which the two headers say that their master key goes: one of them may be damaged. */
async function masterKeyIdsOf(store: BlobStore): Promise<[string, ...string[]]> {
  const ids: string[] = [];
  for (const name of ['vault.json', 'vault.copy.json']) {
    const text = await store.get(name).then(String, () => '');
    const match = /"organisationKey"\s*:\s*\{\s*"keyId"\s*:\s*"([^"\\]*)"/.exec(text);
    if (match?.[1] !== undefined) ids.push(match[1]);
  }
  const [first, ...others] = ids;
  if (first !== undefined) return [first, ...others];
  throw new AppError('vault.not-found', { message: `There is no vault at ${store.description}.` });
}

/** Opens the vault of the options, lets `work` use it, and closes it. No database is needed. */
export async function withVault<Result>(context: CommandContext, given: Given, work: (vault: Vault) => Promise<Result>): Promise<Result> {
  const key = aesKey(Buffer.from((await secretFrom(required(given, 'key-file'))).trim(), 'base64'));
  const store = await storeFrom(given);
  const keyIds = await masterKeyIdsOf(store);
  const vault = await openVault({
    store,
    keyRing: createMasterKeyRing({ current: keyIds[0], keys: Object.fromEntries(keyIds.map((keyId) => [keyId, key])) }),
    clock: systemClock,
    ids: createIds(systemClock, secureRandom),
    logger: context.logger,
    ...(context.threads === undefined ? {} : { threads: context.threads }),
  });
  try {
    return await work(vault);
  } finally {
    await vault.close();
    await store.close();
  }
}

/** The point that `--sequence` or `--time` names; the newest without either. */
export function pointFrom(given: Given): { sequence: number } | { time: string } | undefined {
  if (given['sequence'] !== undefined) return { sequence: Number(given['sequence']) };
  return given['time'] === undefined ? undefined : { time: given['time'] };
}

/** Items of a resource at the point of the options. Lost commits that the point depends on are added to `lost`. */
export function itemsFrom(vault: Vault, given: Given, lost: LostSegment[]): AsyncGenerator<ItemState, void, undefined> {
  return vault.journal(required(given, 'resource')).stateAt(pointFrom(given), { onLost: (one) => void lost.push(one) });
}

/** What lost commits mean for whoever reads a state that depends on them. */
export function lostSentence(sequences: readonly number[]): string {
  const commits = sequences.length === 1 ? `commit ${sequences[0]} is` : `commits ${sequences.join(', ')} are`;
  return `${commits} lost; items changed there are missing or outdated`;
}

export const itemOptions = {
  resource: 'Id of the resource (vault ls without it lists them)',
  sequence: 'Number of the commit',
  time: 'Point in time, ISO 8601',
} as const;
