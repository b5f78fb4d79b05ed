import { createHash } from 'node:crypto';
import { collect, type Bytes } from '@holdfast/foundation/streams';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { startSimulatedTenant, type SimulatedTenant } from '../testing/simulated-tenant.ts';
import { createTransport, type Transport, type WireRequest } from './http/transport.ts';
import { createGraphClient, createGraphClientOver } from './create-graph-client.ts';
import type { GraphClient } from './graph-client.ts';

let tenant: SimulatedTenant;

beforeAll(async () => {
  tenant = await startSimulatedTenant({ recipes: ['tiny'], seed: 3 });
});
afterAll(async () => {
  await tenant.close();
});
afterEach(() => {
  tenant.simulator.control.setFaults([]);
});

const LIMIT = 1024 * 1024 * 1024;
const SHAREPOINT = { host: 'sharepoint' };

function shaOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function* counted(bytes: Bytes, count: (size: number) => void): Bytes {
  for await (const part of bytes) {
    count(part.byteLength);
    yield part;
  }
}

/** A client that notes each request it sends and each byte of content it gets. */
function watchedClient(): { readonly client: GraphClient; readonly sent: readonly WireRequest[]; readonly received: () => number } {
  const ca = tenant.options.endpoints?.ca;
  const inner = createTransport(ca === undefined ? {} : { ca });
  const sent: WireRequest[] = [];
  let received = 0;
  const transport: Transport = {
    async send(request) {
      sent.push(request);
      const response = await inner.send(request);
      const body = counted(response.body, (size) => {
        if (response.status < 300) received += size;
      });
      return { ...response, body };
    },
    close: () => inner.close(),
  };
  return { client: createGraphClientOver(tenant.options, transport), sent, received: () => received };
}

function driveId(): string {
  return tenant.simulator.control.owners(tenant.access.tenantId, 'drives')[0]?.owner ?? '';
}

async function truthOf(id: string): Promise<{ readonly sha256?: string; readonly sizeBytes?: number } | undefined> {
  for await (const record of tenant.simulator.control.truth(tenant.access.tenantId, 'drives', driveId()))
    if (record.id === id) return record;
  return undefined;
}

function aSource(bytes: Buffer) {
  return {
    sizeBytes: bytes.byteLength,
    async *open(offset: number) {
      yield bytes.subarray(offset);
    },
  };
}

describe('a download', () => {
  it('goes on at the byte reached when the connection breaks and when its address has expired', async () => {
    const sizeBytes = 12_000_000;
    const made = tenant.simulator.control.change(tenant.access.tenantId, {
      do: 'drives.createFile',
      drive: driveId(),
      name: 'film.mp4',
      sizeBytes,
    });
    const itemId = made['id'] as string;
    tenant.simulator.control.setFaults([
      { match: { ...SHAREPOINT, nth: 1 }, do: 'truncate', share: 0.6 },
      { match: { ...SHAREPOINT, nth: 2 }, do: 'expireUrl' },
      { match: { ...SHAREPOINT, nth: 3 }, do: 'truncate', share: 0.5 },
    ]);
    const { client, sent, received } = watchedClient();
    const bytes = await collect(client.drives.content({ driveId: driveId(), itemId }).bytes, LIMIT);
    await client.close();
    expect(shaOf(bytes)).toBe((await truthOf(itemId))?.sha256);
    expect(received()).toBeLessThanOrEqual(sizeBytes * 1.01);
    const lines = sent.map(({ url }) =>
      url.pathname.includes('/content') ? 'locate' : url.pathname.includes('download.aspx') ? 'read' : 'sign-in',
    );
    expect(lines.filter((line) => line !== 'sign-in')).toEqual(['locate', 'read', 'read', 'locate', 'read', 'read']);
    const ranges = sent.map(({ headers }) => headers['range']).filter((range) => range !== undefined);
    expect(ranges).toHaveLength(3);
    expect(sent.filter(({ headers }) => headers['range'] !== undefined).every(({ headers }) => headers['if-match'] !== undefined)).toBe(
      true,
    );
  });
});

describe('an upload by fragments', () => {
  const bytes = Buffer.alloc(12_000_000, 'holdfast restores this. ');

  async function upload(client: GraphClient, name: string): Promise<string> {
    const root = await client.drives.root({ driveId: driveId() });
    const item = await client.drives.upload(
      { driveId: driveId() },
      { target: { parentId: root.id, name }, conflict: 'fail' },
      aSource(bytes),
    );
    return item.id;
  }

  it.each([
    ['lost before it arrived', { do: 'reset', when: 'before' }],
    ['stored although its answer was a failure', { do: 'applyThenFail' }],
    ['refused for a while', { do: 'throttle', seconds: 1.5, form: 'decimal' }],
  ] as const)('goes on after a fragment that was %s', async (name, fault) => {
    tenant.simulator.control.setFaults([{ match: { ...SHAREPOINT, method: 'PUT', nth: 1 }, ...fault, times: 1 }]);
    const { client } = watchedClient();
    const id = await upload(client, `${name}.bin`);
    await client.close();
    expect(await truthOf(id)).toMatchObject({ sha256: shaOf(bytes), sizeBytes: bytes.byteLength });
    expect(tenant.simulator.control.violations()).toMatchObject({ strayTokens: 0, early: [] });
  });

  it('is there once when its last fragment was stored and the answer was lost', async () => {
    const { client, sent } = watchedClient();
    const before = sent.length;
    const first = await upload(client, 'whole.bin');
    const fragments = sent.slice(before).filter(({ method }) => method === 'PUT').length;
    expect(fragments).toBeGreaterThan(1);
    tenant.simulator.control.setFaults([{ match: { ...SHAREPOINT, method: 'PUT', nth: fragments }, do: 'applyThenFail', times: 1 }]);
    const second = await upload(client, 'twice.bin');
    expect(second).not.toBe(first);
    const names: string[] = [];
    for await (const record of tenant.simulator.control.truth(tenant.access.tenantId, 'drives', driveId())) {
      if (record.path.includes('twice')) names.push(record.path);
    }
    expect(names).toEqual(['twice.bin']);
    expect((await truthOf(second))?.sha256).toBe(shaOf(bytes));
    await client.close();
  });
});

describe('two workers that share their budgets', () => {
  it.each(['integer', 'decimal', 'date'] as const)('both heed a Retry-After in the form of %s', async (form) => {
    const userId = tenant.simulator.control.owners(tenant.access.tenantId, 'mail')[0]?.owner ?? '';
    const [first, second] = [createGraphClient(tenant.options), createGraphClient(tenant.options)];
    const ids: string[] = [];
    for await (const message of tenant.client.exchange.mail.messages({ userId, folderId: 'inbox' })) ids.push(message.id);
    tenant.simulator.control.setFaults(
      [2, 4, 5, 9].map((nth) => ({ match: { path: '/users/{id}/messages/{id}/$value', nth }, do: 'throttle', seconds: 2, form, times: 1 })),
    );
    // One at a time: what was on its way when the service began to refuse can't be called back.
    for (const [turn, messageId] of ids.entries()) {
      const worker = turn % 2 === 0 ? first : second;
      expect((await collect(worker.exchange.mail.mime({ userId, messageId }).bytes, LIMIT)).byteLength).toBeGreaterThan(0);
    }
    await Promise.all([first.close(), second.close()]);
    expect(first.statistics().throttled + second.statistics().throttled).toBe(4);
    expect(tenant.simulator.control.violations()).toMatchObject({ early: [] });
  });
});
