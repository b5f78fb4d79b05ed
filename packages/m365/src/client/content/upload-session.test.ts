import { createSeededRandom } from '@holdfast/foundation/random';
import { once } from '@holdfast/foundation/streams';
import { describe, expect, it } from 'vitest';
import { aClient } from '../../../testing/a-client.ts';
import { connectionLost, type ScriptedAnswer, type ScriptedRequest } from '../../../testing/scripted-transport.ts';
import { isGraphError } from '../../errors/errors.ts';
import type { FileUpload, UploadSessionState } from '../../drives/drives-api.ts';
import type { UploadSource } from '../calls.ts';

const DRIVE = { driveId: 'd1' };
const SESSION = 'https://contoso.sharepoint.com/upload?session=';

function aSource(bytes: Uint8Array): UploadSource {
  return { sizeBytes: bytes.byteLength, open: (offset) => once(bytes.subarray(offset)) };
}

const upload: FileUpload = {
  target: { parentId: 'root', name: 'big.bin' },
  conflict: 'fail',
  fileSystemInfo: { createdDateTime: '2019-02-04T19:58:15Z', lastModifiedDateTime: '2020-02-04T19:58:15Z' },
};

type Disturb = (request: ScriptedRequest, fragment: number) => 'before' | 'after' | 'lost' | undefined;

/** Drives' side of an upload: fragments in order, multiples of 320 KiB, a deferred commit. */
function anUploadHost(disturb: Disturb = () => undefined) {
  const state = {
    received: Buffer.alloc(0),
    totalBytes: undefined as number | undefined,
    sessions: 0,
    fragments: 0,
    committed: undefined as Buffer | undefined,
    body: undefined as unknown,
    cancelled: 0,
  };
  function ranges(): object {
    const isWhole = state.totalBytes === state.received.byteLength;
    return { expirationDateTime: '2026-02-01T00:00:00Z', nextExpectedRanges: isWhole ? [] : [`${state.received.byteLength}-`] };
  }
  function put(request: ScriptedRequest): ScriptedAnswer {
    state.fragments += 1;
    const what = disturb(request, state.fragments);
    if (what === 'before') return connectionLost();
    if (what === 'lost') {
      state.sessions += 1;
      state.received = Buffer.alloc(0);
      return { status: 404, json: { error: { code: 'itemNotFound' } } };
    }
    const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? [];
    if (Number(from) !== state.received.byteLength)
      return { status: 416, json: { error: { code: 'invalidRange', innererror: { code: 'fragmentOverlap' } } } };
    const isLast = Number(to) + 1 === Number(total);
    const bytes = Buffer.from(request.body as Uint8Array);
    if (!isLast && bytes.byteLength % (320 * 1024) !== 0) return { status: 400, json: { error: { code: 'invalidRequest' } } };
    state.received = Buffer.concat([state.received, bytes]);
    state.totalBytes = Number(total);
    if (what === 'after') return connectionLost();
    return { status: 202, json: ranges() };
  }
  return {
    state,
    respond(request: ScriptedRequest): ScriptedAnswer {
      if (request.line.endsWith('/createUploadSession')) {
        // While bytes wait in a session the name is taken.
        if (state.received.byteLength > 0) return { status: 409, json: { error: { code: 'nameAlreadyExists' } } };
        state.sessions += 1;
        state.received = Buffer.alloc(0);
        state.body = JSON.parse(String(request.body));
        return { json: { uploadUrl: SESSION + state.sessions, ...ranges() } };
      }
      if (request.line.endsWith('/content')) return { status: 201, json: { id: 'new', size: (request.body as Uint8Array).byteLength } };
      if (request.method === 'PATCH')
        return { json: { id: 'new', size: content.byteLength, ...(JSON.parse(String(request.body)) as object) } };
      if (request.url.searchParams.get('session') !== String(state.sessions))
        return { status: 404, json: { error: { code: 'itemNotFound' } } };
      if (request.method === 'PUT') return put(request);
      if (request.method === 'GET') return { json: ranges() };
      if (request.method === 'DELETE') {
        state.cancelled += 1;
        return { status: 204 };
      }
      state.committed = state.received;
      return { status: 201, json: { id: 'new', size: state.received.byteLength } };
    },
  };
}

const content = createSeededRandom(5).bytes(33 * 1024 * 1024);

describe('an upload', () => {
  it('of a small file is one request, with its times afterwards', async () => {
    const host = anUploadHost();
    const { client, run, transport } = aClient((request) => host.respond(request));
    const item = await run(client.drives.upload(DRIVE, upload, aSource(Buffer.from('hello'))));
    expect(item.fileSystemInfo).toEqual(upload.fileSystemInfo);
    expect(transport.requests.map((request) => request.method)).toEqual(['PUT', 'PATCH']);
    expect(transport.requests[0]?.query.get('@microsoft.graph.conflictBehavior')).toBe('fail');
  });

  it('of a large file sends fragments in order and commits at the end', async () => {
    const host = anUploadHost();
    const { client, run, transport } = aClient((request) => host.respond(request));
    await run(client.drives.upload(DRIVE, upload, aSource(content)));
    expect(host.state.committed?.equals(content)).toBe(true);
    expect(host.state.body).toMatchObject({
      deferCommit: true,
      item: { '@microsoft.graph.conflictBehavior': 'fail', name: 'big.bin' },
    });
    expect(
      transport.requests
        .filter((request) => request.url.host !== 'graph.microsoft.com')
        .every((request) => request.headers['authorization'] === undefined),
    ).toBe(true);
  });

  it.each([
    ['before', 3],
    ['after', 3],
    ['lost', 3],
    ['before', 4],
    ['after', 4],
    ['lost', 4],
  ] as const)('survives a connection that breaks %s fragment %i of four was taken', async (what, which) => {
    const host = anUploadHost((_, fragment) => (fragment === which ? what : undefined));
    const { client, run } = aClient((request) => host.respond(request));
    await run(client.drives.upload(DRIVE, upload, aSource(content)));
    expect(host.state.committed?.equals(content)).toBe(true);
  });

  it('continues the session of an earlier run where the service stands', async () => {
    const host = anUploadHost((_, fragment) => (fragment === 3 ? 'before' : undefined));
    const stop = new AbortController();
    let stored: UploadSessionState | undefined;
    const first = aClient((request) => host.respond(request));
    const interrupted = first.client.with({ signal: stop.signal }).drives.upload(
      DRIVE,
      {
        ...upload,
        onProgress(state) {
          stored = state;
          if (state.nextOffsetBytes >= 20 * 1024 * 1024) stop.abort(new Error('killed'));
        },
      },
      aSource(content),
    );
    await expect(first.run(interrupted)).rejects.toThrow('killed');
    const before = host.state.received.byteLength;
    expect(before).toBeGreaterThan(0);
    const second = aClient((request) => host.respond(request));
    await second.run(second.client.drives.upload(DRIVE, { ...upload, ...(stored ? { resume: stored } : {}) }, aSource(content)));
    expect(host.state.committed?.equals(content)).toBe(true);
    expect(host.state.sessions).toBe(1);
  });

  it('that will not be continued frees its name, and freeing it twice is no error', async () => {
    const host = anUploadHost();
    host.state.sessions = 1;
    const { client, run } = aClient((request) => host.respond(request));
    const session = { uploadUrl: `${SESSION}1`, expiresAt: '', nextOffsetBytes: 0 };
    await run(client.drives.cancelUpload(DRIVE, session));
    await run(client.drives.cancelUpload(DRIVE, { ...session, uploadUrl: `${SESSION}0` }));
    expect(host.state.cancelled).toBe(1);
  });

  it('is made in one request when the session of a process that died keeps the name', async () => {
    const host = anUploadHost();
    host.state.received = Buffer.alloc(320 * 1024);
    const { client, run, transport } = aClient((request) => host.respond(request));
    const item = await run(client.drives.upload(DRIVE, upload, aSource(content)));
    expect(item.size).toBe(content.byteLength);
    expect(item.fileSystemInfo).toEqual(upload.fileSystemInfo);
    expect(transport.requests.map((request) => request.method)).toEqual(['POST', 'PUT', 'PATCH']);
  });

  it('is refused when the source ends before its size', async () => {
    const host = anUploadHost();
    const { client, run } = aClient((request) => host.respond(request));
    const short = { sizeBytes: content.byteLength + 1, open: (offset: number) => once(content.subarray(offset)) };
    const error = await run(client.drives.upload(DRIVE, upload, short)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.bad-request')).toBe(true);
    expect(host.state.committed).toBeUndefined();
  });
});

describe('an attachment in pieces', () => {
  it('follows Outlook’s own form of ranges and learns the id from the last place', async () => {
    let received = 0;
    const size = 9_000_000;
    const { client, run, transport } = aClient((request) => {
      if (request.line.endsWith('/createUploadSession'))
        return { status: 201, json: { uploadUrl: 'https://outlook.office.com/api/v2.0/x?authtoken=1', nextExpectedRanges: ['0-'] } };
      received += (request.body as Uint8Array).byteLength;
      if (received < size) return { json: { ExpirationDateTime: 'x', NextExpectedRanges: [String(received)] } };
      return {
        status: 201,
        headers: { location: "https://outlook.office.com/api/v2.0/Users('u')/Messages('m')/Attachments('AAMk%3D')" },
        body: '',
      };
    });
    const source = aSource(createSeededRandom(6).bytes(size));
    const result = await run(client.exchange.mail.uploadAttachment({ userId: 'u1', messageId: 'm1' }, { name: 'a.bin' }, source));
    expect(result).toEqual({ attachmentId: 'AAMk=' });
    expect(
      transport.requests
        .slice(1)
        .every((request) => (request.body as Uint8Array).byteLength < 4 * 1024 * 1024 && !request.headers['authorization']),
    ).toBe(true);
  });
});
