/** `npm run verify-release -- --public release.pub FOLDER`: whether a release is what the holder of the key has signed. */
import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sha256OfFile, signatureFile, sumsFile } from './release.ts';

const LINE = /^([\da-f]{64}) {2}([\w.+-]+)$/;

/** Checks the signature before anything it vouches for is believed, then every file. Returns their names; throws a sentence otherwise. */
export async function verifyRelease(folder: string, publicKeyPem: string): Promise<string[]> {
  const sums = await readFile(path.join(folder, sumsFile));
  const key = createPublicKey(publicKeyPem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The public key is not an Ed25519 key.');
  if (!verify(null, sums, key, await readFile(path.join(folder, signatureFile)))) {
    throw new Error(`${sumsFile} was not signed with this key, or was changed since.`);
  }
  const names: string[] = [];
  for (const line of sums.toString().trimEnd().split('\n')) {
    const [, sum, name = ''] = LINE.exec(line) ?? [];
    if (sum === undefined) throw new Error(`${sumsFile} has a line that is no checksum: ${line}`);
    if ((await sha256OfFile(path.join(folder, name))) !== sum) throw new Error(`${name} was changed: its checksum is another one.`);
    names.push(name);
  }
  return names;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { public: { type: 'string' } }, allowPositionals: true });
  const [folder] = positionals;
  if (values.public === undefined || folder === undefined) {
    throw new Error('Name the public key and the folder: npm run verify-release -- --public release.pub FOLDER');
  }
  const names = await verifyRelease(folder, await readFile(values.public, 'utf8'));
  console.log(`Signed and unchanged: ${names.join(', ')}`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
