import type { SignedIn, TestServer } from '../../../testing/test-server.ts';
import { aPdf } from './pdf.ts';

/** Uploads a small document of this name, as somebody of a test's organisation does. */
export async function uploadDocument({ address }: TestServer, { tokens }: Pick<SignedIn, 'tokens'>, name: string): Promise<void> {
  const form = new FormData();
  form.append('abbr', 'org');
  form.append('file', new Blob([Buffer.from(aPdf())], { type: 'application/pdf' }), name);
  form.append('documentType', 'document');
  const headers = { authorization: tokens.legacy };
  const answer = await fetch(`${address}/api/files/upload-file`, { method: 'POST', body: form, headers });
  if (answer.status !== 201) throw new Error(`${name} was not taken: ${answer.status} ${await answer.text()}`);
}
