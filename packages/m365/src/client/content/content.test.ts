import { createHash } from 'node:crypto';
import { createSeededRandom } from '@holdfast/foundation/random';
import { collect, type Bytes } from '@holdfast/foundation/streams';
import { describe, expect, it } from 'vitest';
import { aClient } from '../../../testing/a-client.ts';
import type { ScriptedAnswer, ScriptedRequest } from '../../../testing/scripted-transport.ts';
import { graphError, isGraphError } from '../../errors/errors.ts';

const MESSAGE = { userId: 'u1', messageId: 'm1' };
const FILE = { driveId: 'd1', itemId: 'i1' };
const ADDRESS = 'https://contoso.sharepoint.com/download?tempauth=';
const LIMIT = 64 * 1024 * 1024;

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Sends `bytes` in pieces and breaks after `cutAt`. */
async function* breaking(bytes: Uint8Array, cutAt: number): Bytes {
  for (let at = 0; at < Math.min(bytes.byteLength, cutAt); at += 10_000)
    yield bytes.subarray(at, Math.min(at + 10_000, cutAt, bytes.byteLength));
  if (cutAt < bytes.byteLength) throw graphError('graph.network', { system: 'ECONNRESET' });
}

function rangeOf(request: ScriptedRequest): number {
  return Number(/^bytes=(\d+)-$/.exec(request.headers['range'] ?? '')?.[1] ?? 0);
}

/** A file host: 302 to an address that may expire, ranges, entity tags. */
function aFileHost(content: Uint8Array, options: { readonly cutAt?: (attempt: number) => number; readonly expiresAfter?: number } = {}) {
  let serial = 0;
  let served = 0;
  let attempts = 0;
  const state = {
    sentBytes: 0,
    tag: '"v1"',
    locations: 0,
    respond(request: ScriptedRequest): ScriptedAnswer {
      if (request.line.endsWith('/content')) {
        serial += 1;
        served = 0;
        state.locations += 1;
        return { status: 302, headers: { location: ADDRESS + serial } };
      }
      if (request.url.searchParams.get('tempauth') !== String(serial) || served >= (options.expiresAfter ?? Infinity))
        return { status: 401, body: '' };
      const from = rangeOf(request);
      if (from > 0 && request.headers['if-match'] !== state.tag) return { status: 412, json: { error: { code: 'resourceModified' } } };
      served += 1;
      const rest = content.subarray(from);
      const cutAt = options.cutAt?.(attempts) ?? rest.byteLength;
      attempts += 1;
      state.sentBytes += Math.min(cutAt, rest.byteLength);
      return {
        status: from > 0 ? 206 : 200,
        headers: {
          etag: state.tag,
          'content-length': String(rest.byteLength),
          ...(from > 0 ? { 'content-range': `bytes ${from}-${content.byteLength - 1}/${content.byteLength}` } : {}),
        },
        body: breaking(rest, cutAt),
      };
    },
  };
  return state;
}

describe('a download', () => {
  it('goes on at the byte reached after each reset', async () => {
    const random = createSeededRandom(7);
    const content = random.bytes(400_000);
    const host = aFileHost(content, { cutAt: (attempt) => (attempt < 4 ? 70_000 : Infinity) });
    const { client, run } = aClient((request) => host.respond(request));
    expect(sha(await run(collect(client.drives.content(FILE).bytes, LIMIT)))).toBe(sha(content));
    expect(host.sentBytes).toBe(content.byteLength);
  });

  it('asks for one new address when its own has expired, and sends no byte twice', async () => {
    const content = createSeededRandom(8).bytes(500_000);
    const host = aFileHost(content, { cutAt: (attempt) => (attempt === 0 ? 300_000 : Infinity), expiresAfter: 1 });
    const { client, run } = aClient((request) => host.respond(request));
    expect(sha(await run(collect(client.drives.content(FILE).bytes, LIMIT)))).toBe(sha(content));
    expect(host.locations).toBe(2);
    expect(host.sentBytes).toBeLessThanOrEqual(content.byteLength * 1.01);
  });

  it('uses the address that delta gave before it asks for one', async () => {
    const content = createSeededRandom(9).bytes(1_000);
    const { client, run, transport } = aClient(() => ({ body: content }));
    await run(collect(client.drives.content({ ...FILE, downloadUrl: `${ADDRESS}x`, sizeBytes: 1_000 }).bytes, LIMIT));
    expect(transport.requests.map((request) => request.url.host)).toEqual(['contoso.sharepoint.com']);
    expect(transport.requests[0]?.headers['authorization']).toBeUndefined();
  });

  it('fails rather than mix two versions of a file', async () => {
    const host = aFileHost(createSeededRandom(1).bytes(200_000), { cutAt: () => 100_000 });
    const { client, run } = aClient((request) => {
      const answer = host.respond(request);
      if (!request.line.endsWith('/content')) host.tag = '"v2"';
      return answer;
    });
    const error = await run(collect(client.drives.content(FILE).bytes, LIMIT)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.changed-while-reading')).toBe(true);
  });

  it('never ends short: a body below its length is continued or fails', async () => {
    const content = createSeededRandom(2).bytes(50_000);
    const { client, run } = aClient((request) =>
      request.line.endsWith('/content')
        ? { status: 302, headers: { location: `${ADDRESS}1` } }
        : { headers: { 'content-length': '50000' }, body: breaking(content.subarray(0, 20_000), Infinity) },
    );
    const error = await run(collect(client.drives.content(FILE).bytes, LIMIT)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.truncated', 'graph.changed-while-reading')).toBe(true);
  });

  it('refuses an address on another host', async () => {
    const { client, run } = aClient(() => ({ status: 302, headers: { location: 'https://169.254.169.254/secret' } }));
    const error = await run(collect(client.drives.content(FILE).bytes, LIMIT)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.foreign-host')).toBe(true);
  });

  it('names an infected file', async () => {
    const { client, run } = aClient(() => ({ status: 403, headers: { 'x-virus-infected': 'true' }, body: '' }));
    const error = await run(collect(client.drives.content(FILE).bytes, LIMIT)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.malware')).toBe(true);
  });
});

describe('a message as MIME', () => {
  it('is delivered once and whole although every connection begins anew', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = createSeededRandom(seed);
      const content = random.bytes(1 + random.below(200_000));
      let attempt = 0;
      const { client, run } = aClient(
        () => {
          attempt += 1;
          return { body: breaking(content, attempt > 4 ? Infinity : random.below(content.byteLength + 1)) };
        },
        { seed },
      );
      expect(sha(await run(collect(client.exchange.mail.mime(MESSAGE).bytes, LIMIT)))).toBe(sha(content));
    }
  });

  it('fails when the second reading is another message', async () => {
    let attempt = 0;
    const { client, run } = aClient(() => {
      attempt += 1;
      return { body: breaking(createSeededRandom(attempt).bytes(100_000), attempt === 1 ? 60_000 : Infinity) };
    });
    const error = await run(collect(client.exchange.mail.mime(MESSAGE).bytes, LIMIT)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.changed-while-reading')).toBe(true);
  });

  it('gives up a connection that trickles, and ends in the end', async () => {
    const test = aClient(() => ({
      headers: { 'content-length': '1000000' },
      body: (async function* trickle() {
        for (;;) {
          await test.clock.sleep(1_000);
          yield Buffer.from('x');
        }
      })(),
    }));
    const error = await test.run(collect(test.client.exchange.mail.mime(MESSAGE).bytes, LIMIT)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.network', 'graph.truncated')).toBe(true);
  });

  it('gives its place back when the reader stops early', async () => {
    const { client, run } = aClient(() => ({ body: breaking(createSeededRandom(3).bytes(100_000), Infinity) }));
    const readSome = async (): Promise<void> => {
      for (let count = 0; count < 10; count += 1) {
        for await (const piece of client.exchange.mail.mime(MESSAGE).bytes) if (piece.byteLength > 0) break;
      }
    };
    await run(readSome());
    expect(client.statistics().requests).toBe(10);
  });
});
