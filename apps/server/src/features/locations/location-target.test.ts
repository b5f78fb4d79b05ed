import { Secret } from '@holdfast/foundation/secrets';
import { createS3BlobStore } from '@holdfast/vault';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '@holdfast/foundation/errors';
import { publicLookup } from '../../platform/outgoing-hosts.ts';
import { checkHost, lookupFor } from './location-target.ts';

const refused = (): AppError => new AppError('locations.host-refused');
const rules = { roots: [], allowedHosts: ['minio.example:9000'] };

/** A server on this machine that must not be reached, and a store whose host name leads to it. */
async function storeAt(addresses: readonly string[]) {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const asked: string[] = [];
  const store = createS3BlobStore({
    endpoint: `http://rebound.example:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    bucket: 'backups',
    accessKeyId: 'id',
    secretAccessKey: new Secret('secret'),
    requestTimeoutMs: 2_000,
    lookup: publicLookup(refused, (host) => {
      asked.push(host);
      return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    }),
  });
  onTestFinished(async () => {
    await store.close();
    server.close();
  });
  return { store, asked, requests: () => requests };
}

test.each([
  ['a private address', ['127.0.0.1']],
  ['a public address and a private one', ['127.0.0.1', '93.184.216.34']],
  ['this machine by IPv6', ['::1']],
  ['an IPv4 address written as IPv6', ['::ffff:127.0.0.1']],
  ['nothing', []],
] as const)('a host that resolves to %s when it is dialled is not connected to', async (_what, found) => {
  const { store, asked, requests } = await storeAt(found);
  await expect(store.get('packs/a')).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
  expect(requests()).toBe(0);
  expect(new Set(asked)).toEqual(new Set(['rebound.example']));
});

test('the connection gets the addresses that were checked, from one resolution', async () => {
  let resolutions = 0;
  const found = { address: '93.184.216.34', family: 4 };
  const lookup = publicLookup(refused, () => {
    resolutions += 1;
    return Promise.resolve([found]);
  });
  const resolved = (all: boolean) =>
    new Promise((resolve) => {
      lookup('public.example', { all }, (_error, address, family) => resolve([address, family]));
    });
  expect(await resolved(false)).toEqual([found.address, 4]);
  expect(await resolved(true)).toEqual([[found], undefined]);
  expect(resolutions).toBe(2);
});

test('endpoints that the operator did not allow are guarded', async () => {
  expect(lookupFor('', rules)).toBeUndefined();
  expect(lookupFor('http://minio.example:9000', rules)).toBeUndefined();
  expect(lookupFor('http://minio.example:9001', rules)).toBeDefined();
  await expect(checkHost('http://minio.example:9000', rules)).resolves.toBeUndefined();
  for (const endpoint of ['https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'http://example.com', 'https://localhost']) {
    await expect(checkHost(endpoint, rules)).rejects.toMatchObject({ code: 'locations.host-refused' });
  }
});
