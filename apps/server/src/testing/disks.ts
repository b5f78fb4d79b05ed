import { open } from 'node:fs/promises';
import path from 'node:path';

/** Mounting takes an administrator, and not every machine has one. */
export const mayMount = process.getuid?.() === 0;

/** Writes a file until not a byte more fits, and answers where it is. */
export async function fillDisk(folder: string): Promise<string> {
  const ballast = path.join(folder, 'ballast');
  const file = await open(ballast, 'w');
  const fits = (part: Buffer): Promise<boolean> =>
    file.write(part).then(
      ({ bytesWritten }) => bytesWritten === part.byteLength,
      () => false,
    );
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    const part = Buffer.alloc(size, 1);
    while (await fits(part));
  }
  await file.close();
  return ballast;
}
