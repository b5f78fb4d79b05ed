import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '@holdfast/foundation/errors';
import { certificatesIn } from './chain.ts';

/** The certificates of a PEM file; one without any is refused. */
export async function readRoots(file: string): Promise<readonly X509Certificate[]> {
  const roots = certificatesIn(await readFile(file, 'utf8')).map((pem) => new X509Certificate(pem));
  if (roots.length === 0) throw new AppError('admin.bad-option', { message: `${file} has no certificate in PEM form.` });
  return roots;
}
