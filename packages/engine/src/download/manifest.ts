import { createHash } from 'node:crypto';
import type { Bytes } from '@holdfast/foundation/streams';
import { text } from './source.ts';
import type { ZipEntry } from './zip-stream.ts';

/** Files that one part of a manifest lists: what is held in memory stays bounded, however many files there are. */
const PART = 10_000;

async function* hashed(bytes: Bytes, onHash: (sha256: string) => void): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
  onHash(hash.digest('hex'));
}

/**
 * Adds the SHA-256 of every file to an archive, in the form that `sha256sum --check` reads: whoever receives the files can
 * check them without Holdfast. `name` gives a path that no other file has.
 */
export async function* withManifest(
  entries: AsyncIterable<ZipEntry>,
  name: (wanted: string) => string,
  partSize = PART,
): AsyncGenerator<ZipEntry, void, undefined> {
  let lines: string[] = [];
  const part = (): ZipEntry => {
    const list = lines.join('');
    lines = [];
    return { path: name('manifest.sha256'), modifiedAt: undefined, open: () => text(async () => list) };
  };
  for await (const entry of entries) {
    yield { ...entry, open: () => hashed(entry.open(), (sha256) => lines.push(`${sha256}  ${entry.path}\n`)) };
    if (lines.length >= partSize) yield part();
  }
  if (lines.length > 0) yield part();
}
