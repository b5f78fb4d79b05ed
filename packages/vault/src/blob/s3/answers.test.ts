import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '@holdfast/foundation/secrets';
import type { BlobStore } from '../blob-store.ts';
import type { S3BlobStoreOptions } from './options.ts';
import { createS3BlobStore } from './s3.ts';

/** What a server may answer that the two real ones can't be brought to. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: { readonly method: string; readonly headers: IncomingMessage['headers'] }[] = [];

const server = createServer((request, response) => {
  asked.push({ method: request.method ?? '', headers: request.headers });
  request.resume();
  request.on('end', () => answer(request, response));
});

function refuse(status: number, code: string): void {
  answer = (_, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>AKIATEST must not be repeated</Message></Error>`);
  };
}

function aStore(options: Partial<S3BlobStoreOptions> = {}): BlobStore {
  return createS3BlobStore({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    bucket: 'bucket',
    accessKeyId: 'AKIATEST',
    secretAccessKey: new Secret('secret'),
    sessionToken: new Secret('a session'),
    ...options,
  });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
beforeEach(() => void asked.splice(0));
afterAll(() => server.close());

describe('what an S3 server answers', () => {
  it.each([
    [400, 'ExpiredToken', 'vault.credentials-expired'],
    [403, 'AccessDenied', 'vault.access-denied'],
    [405, 'MethodNotAllowed', 'vault.storage-read-only'],
    [507, 'InsufficientStorage', 'vault.storage-full'],
    [404, 'NoSuchBucket', 'vault.bucket-missing'],
    [503, 'SlowDown', 'vault.storage-unavailable'],
  ])('%i %s is %s, whatever was asked, and nothing of its text is repeated', async (status, name, code) => {
    refuse(status, name);
    const store = aStore({ abilities: { conditionalPut: true, objectLock: false } });
    const requests = [store.put('packs/a', [Buffer.from('x')], { ifAbsent: true }), store.get('packs/a'), store.delete('packs/a')];
    for (const outcome of await Promise.allSettled(requests)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code, details: { object: 'packs/a', status } } });
      expect(String((outcome as PromiseRejectedResult).reason)).not.toContain('AKIATEST');
    }
    expect(asked.every(({ headers }) => headers['x-amz-security-token'] === 'a session')).toBe(true);
    await store.close();
  });

  it('403 to a delete under object lock says that the object is locked', async () => {
    answer = (request, response) => {
      response.writeHead(request.method === 'HEAD' ? 200 : 403, { 'x-amz-version-id': 'v1', 'content-length': 0 });
      response.end();
    };
    const store = aStore({ abilities: { conditionalPut: false, objectLock: true } });
    await expect(store.delete('packs/a')).rejects.toMatchObject({ code: 'vault.object-locked' });
    await expect(store.extendLock('packs/a', { mode: 'governance', until: new Date(0) })).rejects.toMatchObject({
      code: 'vault.access-denied',
    });
    await store.close();
  });

  it('an object that comes shorter than announced is no object', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half');
      response.socket?.end();
    };
    const store = aStore();
    await expect(store.get('packs/a')).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
    await store.close();
  });

  it('a part that is refused ends the whole upload', async () => {
    answer = (request, response) => {
      if (request.method !== 'POST') {
        response.writeHead(request.method === 'DELETE' ? 204 : 400, { 'content-type': 'application/xml' });
        response.end(request.method === 'DELETE' ? '' : '<?xml version="1.0"?><Error><Code>ExpiredToken</Code></Error>');
        return;
      }
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end('<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>');
    };
    const store = aStore({ multipartFromBytes: 10 });
    const lock = { mode: 'governance', until: new Date(Date.UTC(2030, 0, 1)) } as const;
    const put = store.put('packs/a', [Buffer.alloc(20)], { lock, signal: new AbortController().signal });
    await expect(put).rejects.toMatchObject({ code: 'vault.credentials-expired' });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE']);
    expect(asked[0]?.headers['x-amz-object-lock-mode']).toBe('GOVERNANCE');
    await store.close();
  });
});
