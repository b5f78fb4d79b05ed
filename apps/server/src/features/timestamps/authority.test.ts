import type { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAuthority, NoTimestamp } from './authority.ts';
import { readRoots } from './roots.ts';
import { hasOpenssl, startOpensslAuthority, type OpensslAuthority } from './testing/openssl-authority.ts';
import { checkTimestamp } from './token.ts';

/** Stamps of an authority of others: OpenSSL signs and verifies, over HTTP. */
const CONTENT = Buffer.from('holdfast-audit\n7\nroot\n');

let authority: OpensslAuthority;
let roots: readonly X509Certificate[];

beforeAll(async () => {
  if (!hasOpenssl) return void process.stdout.write('OpenSSL is not on this machine: stamps of an authority of others are not tested.\n');
  authority = await startOpensslAuthority();
  roots = await readRoots(authority.roots);
});
afterAll(() => (hasOpenssl ? authority.close() : undefined));

const stamped = () => createAuthority({ url: authority.url, roots }).stamp(CONTENT);

/** Why no stamp is got while answers are changed so on the way. */
async function refusedFor(change: OpensslAuthority['change']): Promise<unknown> {
  authority.change = change;
  onTestFinished(() => void (authority.change = undefined));
  return stamped().then(
    () => 'stamped',
    (error: unknown) => (error instanceof NoTimestamp ? error.reason : error),
  );
}

test.skipIf(!hasOpenssl)(
  'A29: a stamp of an authority of others holds for its content alone, and only where the authority is believed',
  async () => {
    const before = Date.now();
    const { token, stamp } = await stamped();
    expect(stamp.authority).toBe('Time of Proseware');
    expect(Math.abs(stamp.at.getTime() - before)).toBeLessThan(60_000);
    expect(checkTimestamp(token, { content: CONTENT, roots })).toMatchObject({ stamp: { at: stamp.at } });
    expect(checkTimestamp(token, { content: Buffer.from('other'), roots })).toEqual({ fault: 'otherContent' });
    expect(checkTimestamp(token, { content: CONTENT, roots: [] })).toEqual({ fault: 'untrusted' });
    const stranger = await startOpensslAuthority();
    onTestFinished(() => stranger.close());
    expect(checkTimestamp(token, { content: CONTENT, roots: await readRoots(stranger.roots) })).toEqual({ fault: 'untrusted' });
  },
);

test.skipIf(!hasOpenssl)('A29: OpenSSL verifies the token that is kept', async () => {
  const { token } = await stamped();
  await writeFile(path.join(authority.folder, 'token'), token);
  await writeFile(path.join(authority.folder, 'content'), CONTENT);
  const verify = () => authority.openssl('ts', '-verify', '-in', 'token', '-token_in', '-data', 'content', '-CAfile', 'root.pem');
  await verify();
  await writeFile(path.join(authority.folder, 'content'), 'other');
  await expect(verify()).rejects.toThrow('imprint mismatch');
});

test.skipIf(!hasOpenssl)('A29: wherever one byte of a token is changed, it is never one of another time or content', async () => {
  const { token, stamp } = await stamped();
  // Every fourth byte: to check all of them takes as long as the rest of these tests.
  const verdicts = Array.from({ length: Math.ceil(token.byteLength / 4) }, (_place, at) => {
    const changed = Buffer.from(token);
    changed[at * 4] = (changed[at * 4] ?? 0) ^ 1;
    return checkTimestamp(changed, { content: CONTENT, roots });
  });
  const believed = verdicts.flatMap((verdict) => ('stamp' in verdict ? [verdict.stamp] : []));
  expect(believed).toEqual(believed.map(() => stamp));
  // What may change unnoticed is outside of what is signed: the name of the hash in the outer list, and its like.
  expect(believed.length).toBeLessThan(verdicts.length / 20);
});

test.skipIf(!hasOpenssl)(
  'an answer that is none, is refused, is old, or comes from a key for something else is no stamp, with its reason',
  async () => {
    const query = async (): Promise<Buffer> => readFile(path.join(authority.folder, 'query-1.tsr'));
    const old = await query();
    expect(await refusedFor(() => old)).toBe('otherRequest');
    expect(await refusedFor(() => Buffer.from('<html>'))).toBe('unreadable');
    expect(await refusedFor(() => Buffer.from('3005300302010 2'.replaceAll(' ', ''), 'hex'))).toBe('refused');
    expect(await refusedFor(() => 503)).toBe('status');
    expect(await refusedFor(() => Buffer.alloc(300_000))).toBe('tooLarge');
  },
);

test.skipIf(!hasOpenssl)('what OpenSSL signs with a key for something else, or without naming the certificate, is no stamp', async () => {
  const { token } = await stamped();
  await writeFile(path.join(authority.folder, 'token'), token);
  await authority.openssl('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token', '-out', 'info');
  const verdictOn = async (signer: string, ...words: readonly string[]) => {
    const key = ['-signer', `${signer}.pem`, '-inkey', `${signer}.key`];
    const type = ['-econtent_type', 'id-smime-ct-TSTInfo', '-nodetach', '-binary', '-md', 'sha256'];
    await authority.openssl('cms', '-sign', '-in', 'info', '-outform', 'DER', '-out', 'signed', ...type, ...key, ...words);
    return checkTimestamp(await readFile(path.join(authority.folder, 'signed')), { content: CONTENT, roots });
  };
  expect(await verdictOn('signer', '-cades')).toMatchObject({ stamp: { authority: 'Time of Proseware' } });
  expect(await verdictOn('signer')).toEqual({ fault: 'signer' });
  expect(await verdictOn('server', '-cades')).toEqual({ fault: 'signer' });
});

test.skipIf(!hasOpenssl)('an authority that is not there is told as such', async () => {
  const error = await createAuthority({ url: 'http://127.0.0.1:1/', roots })
    .stamp(CONTENT)
    .catch((failure: unknown) => failure);
  expect(error).toMatchObject({ reason: 'unreachable' });
});
