import { createHash } from 'node:crypto';
import { collect } from '@holdfast/foundation/streams';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSimulatedTenant, type SimulatedTenant } from '../testing/simulated-tenant.ts';
import type { DeltaCursor, DeltaStep } from './client/paging/paging-types.ts';
import { isGraphError } from './errors/errors.ts';

let tenant: SimulatedTenant;

beforeAll(async () => {
  tenant = await startSimulatedTenant({ recipes: ['tiny'], seed: 5 });
});
afterAll(async () => {
  await tenant.close();
});
afterEach(() => {
  tenant.simulator.control.setFaults([]);
});

const DAY_MS = 86_400_000;
const LIMIT = 64 * 1024 * 1024;

function ownerOf(kind: string): string {
  return tenant.simulator.control.owners(tenant.access.tenantId, kind)[0]?.owner ?? '';
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

async function codeOf(result: Promise<unknown>): Promise<string> {
  const error: unknown = await result.then(
    () => 'done',
    (reason: unknown) => reason,
  );
  return isGraphError(error) ? error.code : String(error);
}

function aSource(bytes: Buffer) {
  return {
    sizeBytes: bytes.byteLength,
    async *open(offset: number) {
      yield bytes.subarray(offset);
    },
  };
}

function shaOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function storedSha(id: string): Promise<string | undefined> {
  for await (const record of tenant.simulator.control.truth(tenant.access.tenantId, 'drives', ownerOf('drives')))
    if (record.id === id) return record.sha256;
  return undefined;
}

async function someFile(): Promise<{
  readonly driveId: string;
  readonly itemId: string;
  readonly sha256: string;
  readonly downloadUrl: string;
}> {
  const driveId = ownerOf('drives');
  for await (const step of tenant.client.drives.delta({ driveId })) {
    if (step.kind !== 'page') continue;
    for (const entry of step.entries) {
      const downloadUrl = entry.kind === 'present' ? entry.item['@microsoft.graph.downloadUrl'] : undefined;
      if (downloadUrl !== undefined) return { driveId, itemId: entry.id, sha256: (await storedSha(entry.id)) ?? '', downloadUrl };
    }
  }
  throw new Error('there is no file');
}

function lastCursor(steps: readonly DeltaStep<unknown>[]): DeltaCursor | undefined {
  const last = steps.at(-1);
  return last?.kind === 'page' ? last.cursor : undefined;
}

describe('a fault of the simulator', () => {
  it('is a refusal of this one thing when a role is revoked that the token still names', async () => {
    tenant.simulator.control.setFaults([
      { match: { path: '/users/{id}/mailFolders/{id}/messages' }, do: 'revokeRole' },
      { match: { path: '/drives/{id}/root' }, do: 'revokeRole' },
      { match: { path: '/groups' }, do: 'revokeRole' },
    ]);
    const { directory, drives, exchange } = tenant.client;
    expect(await codeOf(all(exchange.mail.messages({ userId: ownerOf('mail'), folderId: 'inbox' })))).toBe('graph.mailbox-closed');
    expect(await codeOf(drives.root({ driveId: ownerOf('drives') }))).toBe('graph.access-denied');
    expect(await codeOf(all(directory.groups()))).toBe('graph.access-denied');
  });

  it('is a mailbox or a OneDrive that is not there', async () => {
    const userId = ownerOf('mail');
    tenant.simulator.control.setFaults([
      { match: { path: '/users/{id}/mailFolders/{id}/messages' }, do: 'noMailbox' },
      { match: { path: '/users/{id}/drive' }, do: 'noDrive' },
    ]);
    expect(await codeOf(all(tenant.client.exchange.mail.messages({ userId, folderId: 'inbox' })))).toBe('graph.mailbox-missing');
    expect(await codeOf(tenant.client.drives.userDrive({ userId }))).toBe('graph.drive-missing');
  });

  it('is an attachment that the service can no longer open, and no other', async () => {
    const userId = ownerOf('mail');
    const { mail } = tenant.client.exchange;
    const made = await mail.createMessage({ userId, folderId: 'inbox' }, { subject: 'two files' });
    const ids: string[] = [];
    for (const name of ['first.txt', 'second.txt']) {
      const contentBytes = Buffer.from(name).toString('base64');
      await mail.addAttachment({ userId, messageId: made.id }, { '@odata.type': '#microsoft.graph.fileAttachment', name, contentBytes });
    }
    for (const attachment of await all(mail.attachments({ userId, messageId: made.id }))) ids.push(attachment.id);
    tenant.simulator.control.setFaults([{ match: { path: `*/${ids[0]}/$value` }, do: 'corruptAttachment' }]);
    const read = (attachmentId = ''): Promise<Buffer> =>
      collect(mail.attachmentContent({ userId, messageId: made.id, attachmentId }).bytes, LIMIT);
    expect(await codeOf(read(ids[0]))).toBe('graph.corrupt-item');
    expect((await read(ids[1])).toString()).toBe('second.txt');
  });

  it('is a file that somebody holds open, for writing alone', async () => {
    const { driveId, itemId, sha256 } = await someFile();
    tenant.simulator.control.setFaults([{ match: { path: '/drives/{id}/items/{id}' }, do: 'lock' }]);
    expect(await codeOf(tenant.client.drives.updateItem({ driveId, itemId }, { name: 'renamed.bin' }))).toBe('graph.locked');
    expect(shaOf(await collect(tenant.client.drives.content({ driveId, itemId }).bytes, LIMIT))).toBe(sha256);
  });

  it('is an Office file that is stored otherwise than it was sent', async () => {
    const drive = { driveId: ownerOf('drives') };
    const root = await tenant.client.drives.root(drive);
    const { itemId } = await someFile();
    const bytes = await collect(tenant.client.drives.content({ ...drive, itemId }).bytes, LIMIT);
    tenant.simulator.control.setFaults([{ match: { method: 'PUT' }, do: 'rewriteOffice' }]);
    const upload = { target: { parentId: root.id, name: 'report.docx' }, conflict: 'fail' } as const;
    const stored = await tenant.client.drives.upload(drive, upload, aSource(bytes));
    expect(stored.size).not.toBe(bytes.byteLength);
    expect(await storedSha(stored.id)).not.toBe(shaOf(bytes));
  });
});

describe('a knob of the tenant', () => {
  it('that answers 401 to a token on an address of its own is never met', async () => {
    tenant.simulator.control.setSwitches({ refuseBearerOnSignedHosts: true }, tenant.access.tenantId);
    const { driveId, itemId, sha256 } = await someFile();
    expect(shaOf(await collect(tenant.client.drives.content({ driveId, itemId }).bytes, LIMIT))).toBe(sha256);
    const bytes = Buffer.alloc(5_000_000, 'in fragments ');
    const root = await tenant.client.drives.root({ driveId });
    const target = { parentId: root.id, name: 'fragments.bin' };
    const stored = await tenant.client.drives.upload({ driveId }, { target, conflict: 'fail' }, aSource(bytes));
    expect(await storedSha(stored.id)).toBe(shaOf(bytes));
    expect(tenant.simulator.control.violations()).toMatchObject({ strayTokens: 0 });
    tenant.simulator.control.setSwitches({ refuseBearerOnSignedHosts: false }, tenant.access.tenantId);
  });

  it('that lets addresses expire costs a new address, not the file', async () => {
    const { driveId, itemId, sha256, downloadUrl } = await someFile();
    const { downloadUrlSeconds } = tenant.simulator.control.tenant(tenant.access.tenantId).switches;
    tenant.simulator.clock.advance(downloadUrlSeconds * 1000 + 1);
    const before = tenant.simulator.simulation.log.total;
    expect(shaOf(await collect(tenant.client.drives.content({ driveId, itemId, downloadUrl }).bytes, LIMIT))).toBe(sha256);
    const statuses = tenant.simulator.simulation.log.list({ after: before }).map(({ host, status }) => `${host} ${status}`);
    expect(statuses.filter((line) => line !== 'login 200')).toEqual(['sharepoint 401', 'graph 302', 'sharepoint 200']);
  });

  it('that ends a session under way makes the upload begin anew and end whole', async () => {
    const drive = { driveId: ownerOf('drives') };
    const root = await tenant.client.drives.root(drive);
    const bytes = Buffer.alloc(24_000_000, 'continued too late ');
    const { uploadSessionSeconds } = tenant.simulator.control.tenant(tenant.access.tenantId).switches;
    let fragments = 0;
    const onProgress = (): void => {
      fragments += 1;
      if (fragments === 2) tenant.simulator.clock.advance(uploadSessionSeconds * 1000 + 1);
    };
    const upload = { target: { parentId: root.id, name: 'late.bin' }, conflict: 'fail', onProgress } as const;
    const stored = await tenant.client.drives.upload(drive, upload, aSource(bytes));
    expect(await storedSha(stored.id)).toBe(shaOf(bytes));
    expect(fragments).toBeGreaterThan(3);
  });

  it('that forgets what changed in the directory after a week makes it be listed again', async () => {
    const first = await all(tenant.client.directory.userDelta());
    const { directoryTokenDays } = tenant.simulator.control.tenant(tenant.access.tenantId).switches;
    tenant.simulator.clock.advance((directoryTokenDays - 1) * DAY_MS);
    const second = await all(tenant.client.directory.userDelta(lastCursor(first)));
    expect(second.map((step) => step.kind === 'page' && !step.full)).toEqual([true]);
    tenant.simulator.clock.advance((directoryTokenDays + 1) * DAY_MS);
    const third = await all(tenant.client.directory.userDelta(lastCursor(second)));
    expect(third[0]).toEqual({ kind: 'reset', reason: 'expired' });
    expect(third.slice(1).every((step) => step.kind === 'page' && step.full)).toBe(true);
  });
});
