import { createHash } from 'node:crypto';
import { Secret } from '@holdfast/foundation/secrets';
import { collect } from '@holdfast/foundation/streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulatedTenant, type SimulatedTenant } from '../testing/simulated-tenant.ts';
import type { Bytes } from '@holdfast/foundation/streams';
import { createGraphClient } from './create-graph-client.ts';
import type { DeltaCursor, DeltaStep } from './client/paging/paging-types.ts';
import { isGraphError, type GraphErrorCode } from './errors/errors.ts';
import type { GraphClientOptions } from './graph-client.ts';

let tenant: SimulatedTenant;

beforeAll(async () => {
  tenant = await startSimulatedTenant({ recipes: ['tiny'] });
});
afterAll(async () => {
  await tenant.close();
});

const LIMIT = 1024 * 1024 * 1024;

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

async function shaOf(content: { readonly bytes: Bytes }): Promise<string> {
  return createHash('sha256')
    .update(await collect(content.bytes, LIMIT))
    .digest('hex');
}

async function codeOf(work: Promise<unknown>): Promise<GraphErrorCode | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined && !isGraphError(error)) throw error;
  return error?.code;
}

function ownerOf(kind: string, index = 0): string {
  return tenant.simulator.control.owners(tenant.access.tenantId, kind)[index]?.owner ?? '';
}

function idsOf<T>(steps: readonly DeltaStep<T>[]): string[] {
  return steps.flatMap((step) => (step.kind === 'page' ? step.entries.map((entry) => entry.id) : []));
}

function cursorOf<T>(steps: readonly DeltaStep<T>[]): DeltaCursor | undefined {
  const last = steps.at(-1);
  return last?.kind === 'page' ? last.cursor : undefined;
}

async function withClient<T>(
  change: Partial<GraphClientOptions>,
  use: (client: ReturnType<typeof createGraphClient>) => Promise<T>,
): Promise<T> {
  const client = createGraphClient({ ...tenant.options, ...change });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

describe('sign-in to the simulator', () => {
  it('works by certificate', async () => {
    const [key = '', certificate = ''] = tenant.access.certificate.split(/(?=-----BEGIN CERTIFICATE-----)/);
    const credential = {
      kind: 'certificate',
      clientId: tenant.access.clientId,
      certificatePem: certificate,
      privateKeyPem: new Secret(key),
    } as const;
    // Assertions carry the time of the simulator, which is the client's own here.
    const diagnosis = await withClient({ credential }, (client) => client.diagnose());
    expect(diagnosis.canRestore).toEqual(diagnosis.canBackUp);
    expect(diagnosis.canBackUp).toContain('exchange');
  });

  it.each([
    ['a wrong secret', { clientSecret: new Secret('wrong') }, {}, 'graph.credentials-refused'],
    ['an unknown application', { clientId: '99999999-0000-4000-8000-000000000009' }, {}, 'graph.client-unknown'],
    ['an unknown tenant', {}, { tenantId: '99999999-0000-4000-8000-000000000009' }, 'graph.tenant-unknown'],
  ] as const)('names %s', async (...row) => {
    const [, wrong, change, code] = row;
    const { clientId, clientSecret } = tenant.access;
    const credential = { kind: 'secret', clientId, clientSecret: new Secret(clientSecret), ...wrong } as const;
    expect(await withClient({ credential, ...change }, (client) => codeOf(client.diagnose()))).toBe(code);
  });

  it('refuses a server that the authority does not vouch for', async () => {
    const { ca: _trusted, ...endpoints } = tenant.options.endpoints ?? {};
    expect(await withClient({ endpoints }, (client) => codeOf(client.diagnose()))).toBe('graph.network');
  }, 120_000);
});

describe('reading from the simulator', () => {
  it('lists organisation, licences, people, groups and reports', async () => {
    const { directory, reports } = tenant.client;
    expect((await directory.organization()).displayName).toBe('Tiny');
    expect((await directory.subscribedSkus()).length).toBeGreaterThan(0);
    const users = await all(directory.users());
    expect(users.length).toBeGreaterThanOrEqual(5);
    expect(idsOf(await all(directory.userDelta())).sort()).toEqual(users.map((user) => user.id).sort());
    expect(await all(directory.groups({ teamsOnly: true }))).toHaveLength(1);
    expect((await reports.usage('mailbox', 'D7')).length).toBeGreaterThan(0);
    expect(typeof (await reports.namesAreConcealed())).toBe('boolean');
  });

  it('gives every message of a mailbox byte for byte', async () => {
    const userId = ownerOf('mail');
    const truth = new Set(
      (await all(tenant.simulator.control.truth(tenant.access.tenantId, 'mail', userId) as AsyncIterable<{ sha256?: string }>)).map(
        (record) => record.sha256,
      ),
    );
    const { mail } = tenant.client.exchange;
    const read: string[] = [];
    for (const folderId of idsOf(await all(mail.folderDelta({ userId })))) {
      for (const messageId of idsOf(await all(mail.messageDelta({ userId, folderId }))))
        read.push(await shaOf(mail.mime({ userId, messageId })));
    }
    expect(read.length).toBeGreaterThan(10);
    expect(read.filter((sha) => !truth.has(sha))).toEqual([]);
  });

  it('gives every file of a drive byte for byte, by the address of delta and without it', async () => {
    const driveId = ownerOf('drives');
    const records = await all(
      tenant.simulator.control.truth(tenant.access.tenantId, 'drives', driveId) as AsyncIterable<{ id: string; sha256?: string }>,
    );
    const truth = new Map(records.map((record) => [record.id, record.sha256]));
    let files = 0;
    for (const step of await all(tenant.client.drives.delta({ driveId }))) {
      for (const entry of step.kind === 'page' ? step.entries : []) {
        if (entry.kind !== 'present' || !entry.item.file) continue;
        const url = entry.item['@microsoft.graph.downloadUrl'];
        const hint = files % 2 === 0 && url !== undefined ? { downloadUrl: url } : {};
        expect(await shaOf(tenant.client.drives.content({ driveId, itemId: entry.id, ...hint }))).toBe(truth.get(entry.id));
        files += 1;
      }
    }
    expect(files).toBeGreaterThan(3);
  });

  it('reads calendars, contacts and tasks', async () => {
    const userId = ownerOf('mail');
    const { calendar, contacts, todo } = tenant.client.exchange;
    const [first] = await all(calendar.calendars({ userId }));
    const events = await all(calendar.events({ userId, calendarId: first?.id ?? '' }));
    expect(events.length).toBeGreaterThan(0);
    expect((await calendar.event({ userId, eventId: events[0]?.id ?? '' })).iCalUId).toBeDefined();
    const folderId = (await contacts.defaultContactFolderId({ userId })) ?? '';
    expect(idsOf(await all(contacts.contactDelta({ userId, folderId }))).length).toBeGreaterThan(0);
    const lists = await all(todo.lists({ userId }));
    const tasks = await Promise.all(lists.map((list) => all(todo.tasks({ userId, listId: list.id }))));
    expect(tasks.flat().length).toBeGreaterThan(0);
  });

  it('reads teams, channels and chats', async () => {
    const team = { teamId: ownerOf('teams') };
    const channels = await all(tenant.client.teams.channels(team));
    expect(channels.length).toBeGreaterThan(0);
    const channel = { ...team, channelId: channels[0]?.id ?? '' };
    const roots = await all(tenant.client.teams.messages(channel));
    expect(roots.length).toBeGreaterThan(0);
    expect(idsOf(await all(tenant.client.teams.messageDelta(channel))).every((id) => roots.some((root) => root.id === id))).toBe(true);
    expect((await all(tenant.client.chats.chats({ userId: ownerOf('mail') }))).length).toBeGreaterThan(0);
  });

  it('reads sites with their lists, items, columns and pages', async () => {
    const { sites } = tenant.client;
    const found = await all(sites.allSites());
    expect(found.length).toBeGreaterThan(0);
    const [site] = found;
    const siteId = site?.id ?? '';
    expect((await sites.site({ siteId })).id).toBe(siteId);
    const url = new URL(site?.webUrl ?? '');
    expect((await sites.siteByPath(url.hostname, url.pathname)).id).toBe(siteId);
    const lists = (
      await Promise.all(
        found.map((one) => all(sites.lists({ siteId: one.id })).then((own) => own.map((list) => ({ siteId: one.id, listId: list.id })))),
      )
    ).flat();
    const items = await Promise.all(lists.map((list) => all(sites.itemDelta(list))));
    expect(items.flatMap(idsOf).length).toBeGreaterThan(0);
    expect((await all(sites.columns(lists[0] ?? { siteId, listId: '' }))).length).toBeGreaterThan(0);
    const pages = await Promise.all(
      found.map((one) => all(sites.pages({ siteId: one.id })).then((own) => own.map((page) => ({ siteId: one.id, pageId: page.id })))),
    );
    const [page] = pages.flat();
    expect((await sites.page(page ?? { siteId, pageId: '' })).canvasLayout).toBeDefined();
  });
});

describe('changes between two rounds', () => {
  it('arrive as changes only, and an expired token lists everything', async () => {
    const userId = ownerOf('mail');
    const { mail } = tenant.client.exchange;
    const inbox = { userId, folderId: 'inbox' };
    const before = await all(mail.messageDelta(inbox));
    const made = await mail.createMessage(inbox, { subject: 'later', body: { contentType: 'text', content: 'x' } });
    const changed = await all(mail.messageDelta(inbox, cursorOf(before)));
    expect(idsOf(changed)).toContain(made.id);
    expect(changed.every((step) => step.kind === 'page' && !step.full)).toBe(true);
    tenant.simulator.control.expireDeltaTokens(tenant.access.tenantId);
    const anew = await all(mail.messageDelta(inbox, cursorOf(changed)));
    expect(anew[0]).toEqual({ kind: 'reset', reason: 'expired' });
    expect(new Set(idsOf(anew))).toEqual(new Set([...idsOf(before), made.id]));
  });
});

describe('writing to the simulator', () => {
  const times = { createdDateTime: '2019-02-04T19:58:15Z', lastModifiedDateTime: '2020-02-04T19:58:15Z' };
  const source = (bytes: Buffer) => ({
    sizeBytes: bytes.byteLength,
    async *open(offset: number) {
      yield bytes.subarray(offset);
    },
  });

  it('stores files small and large, in place, with their times', async () => {
    const { drives } = tenant.client;
    const drive = { driveId: ownerOf('drives') };
    const root = await drives.root(drive);
    const large = Buffer.alloc(12_000_000, 'abc');
    for (const [name, bytes] of [
      ['small.bin', Buffer.from('hello')],
      ['large.bin', large],
    ] as const) {
      const item = await drives.upload(
        drive,
        { target: { parentId: root.id, name }, conflict: 'fail', fileSystemInfo: times },
        source(bytes),
      );
      expect(item.fileSystemInfo).toMatchObject(times);
      expect(await shaOf(drives.content({ ...drive, itemId: item.id }))).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
    const again = drives.upload(drive, { target: { parentId: root.id, name: 'large.bin' }, conflict: 'fail' }, source(large));
    expect(await codeOf(again)).toBe('graph.name-taken');
    const known = await drives.itemByPath(drive, 'large.bin');
    const replaced = await drives.upload(
      drive,
      { target: { itemId: known?.id ?? '' }, conflict: 'replace' },
      source(large.subarray(0, 6_000_000)),
    );
    expect([replaced.id, replaced.size]).toEqual([known?.id, 6_000_000]);
    expect(await all(drives.versions({ ...drive, itemId: replaced.id }))).toHaveLength(2);
  });

  it('makes messages that are no drafts, and many folders at once', async () => {
    const userId = ownerOf('mail');
    const { mail } = tenant.client.exchange;
    const properties = [
      { id: 'Integer 0x0E07', value: '1' },
      { id: 'SystemTime 0x0E06', value: '2019-02-04T19:58:15Z' },
    ];
    const made = await mail.createMessage(
      { userId, folderId: 'inbox' },
      { subject: 's', internetMessageId: '<a@b>', singleValueExtendedProperties: properties },
    );
    expect([made.isDraft, made.receivedDateTime]).toEqual([false, '2019-02-04T19:58:15Z']);
    expect(await all(mail.messages({ userId, folderId: 'inbox' }, { internetMessageId: '<a@b>' }))).toHaveLength(1);
    const folders = await mail.createFolders({ userId }, [
      { displayName: 'One' },
      { displayName: 'One' },
      { displayName: 'Two', isHidden: true },
    ]);
    expect(
      folders.map((result) => ('error' in result ? isGraphError(result.error, 'graph.name-taken') : result.folder.displayName)),
    ).toEqual(['One', true, 'Two']);
  });

  it('sends nothing to anyone', () => {
    expect([...tenant.simulator.simulation.tenants.values()].flatMap((known) => known.outbox.list())).toEqual([]);
  });
});

describe('what is missing', () => {
  it('is named by role and by reason', async () => {
    const userId = ownerOf('mail');
    tenant.simulator.control.withdraw(tenant.access.tenantId, ['Contacts.Read', 'Contacts.ReadWrite']);
    await withClient({}, async (client) => {
      const diagnosis = await client.diagnose();
      expect(diagnosis.roles.filter((role) => role.state === 'missing').map((role) => role.role)).toEqual([
        'Contacts.Read',
        'Contacts.ReadWrite',
      ]);
      expect(await codeOf(all(client.exchange.contacts.contactFolders({ userId })))).toBe('graph.permission-missing');
    });
    tenant.simulator.control.grant(tenant.access.tenantId, ['Contacts.Read', 'Contacts.ReadWrite']);
    const missing = { userId: '99999999-0000-4000-8000-000000000009' };
    expect(await codeOf(tenant.client.directory.user(missing))).toBe('graph.resource-gone');
  });
});

describe('the simulator, after all this,', () => {
  it('found nothing to object to in what the client sent', () => {
    const violations = tenant.simulator.control.violations();
    expect(violations).toMatchObject({ strayTokens: 0, early: [] });
    expect(Math.max(...Object.values(violations['peaks'] as Record<string, number>))).toBeLessThanOrEqual(4);
  });
});
