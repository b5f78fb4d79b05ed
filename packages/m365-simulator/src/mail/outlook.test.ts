import { describe, expect, it } from 'vitest';
import { calendarWorkload } from '../calendar/calendar-workload.ts';
import { contactsWorkload } from '../contacts/contacts-workload.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { type JsonObject, textOf } from '../values/json.ts';
import { exportWorkload } from '../mailbox-export/export-workload.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { todoWorkload } from '../todo/todo-workload.ts';
import { mailWorkload } from './mail-workload.ts';

const workloads = [directoryWorkload, mailWorkload, calendarWorkload, contactsWorkload, todoWorkload, exportWorkload];

function start(): { readonly graph: InProcess; readonly user: string } {
  const graph = createInProcess({ workloads, recipe: 'tiny' });
  const user = graph.tenant.directory.users()[0]?.id ?? '';
  return { graph, user };
}

async function firstMessage(graph: InProcess, user: string, folder = 'inbox'): Promise<JsonObject> {
  const { json } = await graph.get(`/users/${user}/mailFolders/${folder}/messages?$top=1`, { prefer: 'IdType="ImmutableId"' });
  return (json['value'] as JsonObject[])[0] ?? {};
}

describe('mail folders', () => {
  it('go to the deleted items with what is in them, under a name that is free there, and are gone when they are deleted again', async () => {
    const { graph, user } = start();
    const make = async (): Promise<string> => {
      const made = await graph.ask('POST', `/users/${user}/mailFolders`, { body: { displayName: 'Once' } });
      await graph.ask('POST', `/users/${user}/mailFolders/${textOf(made.json['id'])}/messages`, { body: { subject: 'Inside' } });
      return textOf(made.json['id']);
    };
    const bin = textOf((await graph.get(`/users/${user}/mailFolders/deleteditems`)).json['id']);
    const folders = [await make()];
    expect((await graph.ask('DELETE', `/users/${user}/mailFolders/${folders[0]}`)).status).toBe(204);
    folders.push(await make());
    await graph.ask('DELETE', `/users/${user}/mailFolders/${folders[1]}`);
    const found = await Promise.all(folders.map(async (id) => (await graph.get(`/users/${user}/mailFolders/${id}`)).json));
    expect(found.map(({ parentFolderId, displayName, totalItemCount }) => [parentFolderId, displayName, totalItemCount])).toEqual([
      [bin, 'Once', 1],
      [bin, 'Once 1', 1],
    ]);
    await graph.ask('DELETE', `/users/${user}/mailFolders/${folders[0]}`);
    expect((await graph.get(`/users/${user}/mailFolders/${folders[0]}`)).status).toBe(404);
    expect((await graph.ask('DELETE', `/users/${user}/mailFolders/inbox`)).status).toBe(403);
    graph.requireValid();
  });
});

describe('messages', () => {
  it('are drafts of this moment when they come as MIME, and keep their bytes', async () => {
    const { graph, user } = start();
    const mime = 'From: a@example.com\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\nDate: Mon, 4 Feb 2019 19:58:10 +0000\r\n\r\nHallo';
    const made = await graph.ask('POST', `/users/${user}/mailFolders/inbox/messages`, {
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from(Buffer.from(mime).toString('base64')),
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ isDraft: true, subject: 'Grüße', bodyPreview: 'Hallo' });
    const value = await graph.get(`/users/${user}/messages/${textOf(made.json['id'])}/$value`);
    expect(value.bytes.toString()).toBe(mime);
    graph.requireValid();
  });

  it('are no drafts when their flags say so, and keep the times they are given', async () => {
    const { graph, user } = start();
    const made = await graph.ask('POST', `/users/${user}/mailFolders/inbox/messages`, {
      body: {
        subject: 'Restored',
        body: { contentType: 'html', content: '<p>x</p>' },
        from: { emailAddress: { name: 'A', address: 'a@example.com' } },
        internetMessageId: '<1@example.com>',
        isRead: false,
        flag: { flagStatus: 'flagged' },
        categories: ['Red category'],
        singleValueExtendedProperties: [
          { id: 'Integer 0x0E07', value: '1' },
          { id: 'SystemTime 0x0E06', value: '2019-02-04T19:58:15Z' },
          { id: 'SystemTime 0x0039', value: '2019-02-04T19:58:10Z' },
        ],
      },
    });
    expect(made.json).toMatchObject({
      isDraft: false,
      isRead: false,
      receivedDateTime: '2019-02-04T19:58:15Z',
      sentDateTime: '2019-02-04T19:58:10Z',
      internetMessageId: '<1@example.com>',
      categories: ['Red category'],
    });
    graph.requireValid();
  });

  it('change their id on a move unless ids are immutable', async () => {
    const { graph, user } = start();
    const list = await graph.get(`/users/${user}/mailFolders/inbox/messages?$top=1`);
    const plain = textOf((list.json['value'] as JsonObject[])[0]?.['id']);
    const fixed = textOf((await firstMessage(graph, user))['id']);
    graph.act('mail.move', { user, id: fixed, folder: 'archive' });
    expect((await graph.get(`/users/${user}/messages/${plain}`)).status).toBe(404);
    expect((await graph.get(`/users/${user}/messages/${fixed}`)).status).toBe(200);
    graph.requireValid();
  });

  it('refuse a change that is based on an older state', async () => {
    const { graph, user } = start();
    const message = await firstMessage(graph, user);
    const change = (etag: string): Promise<{ readonly status: number }> =>
      graph.ask('PATCH', `/users/${user}/messages/${textOf(message['id'])}`, { headers: { 'if-match': etag }, body: { isRead: true } });
    expect((await change(textOf(message['@odata.etag']))).status).toBe(200);
    expect((await change(textOf(message['@odata.etag']))).status).toBe(412);
  });

  it('hide body and attachments from an app that may only read the basics', async () => {
    const graph = createInProcess({ workloads, roles: ['Mail.ReadBasic.All'] });
    const user = graph.tenant.directory.users()[0]?.id ?? '';
    const message = await firstMessage(graph, user);
    expect(message).not.toHaveProperty('body');
    expect((await graph.get(`/users/${user}/messages/${textOf(message['id'])}/$value`)).status).toBe(403);
  });

  it.each([
    ['Mail.ReadWrite', [200, 403]],
    ['Mail-Advanced.ReadWrite.All', [200, 200]],
  ] as const)('let the words of what was sent be changed by %s until 2026-12-31, and after it: %j', async (role, statuses) => {
    const graph = createInProcess({ workloads, roles: [role] });
    const user = graph.tenant.directory.users()[0]?.id ?? '';
    const message = await firstMessage(graph, user, 'sentitems');
    const change = async (body: JsonObject): Promise<number> =>
      (await graph.ask('PATCH', `/users/${user}/messages/${textOf(message['id'])}`, { body })).status;
    const found: number[] = [];
    for (const day of [Date.UTC(2026, 11, 30), Date.UTC(2026, 11, 31)]) {
      graph.clock.setNow(day);
      found.push(await change({ subject: `Changed on ${day}` }));
    }
    expect(found).toEqual(statuses);
    expect(await change({ isRead: false })).toBe(200);
  });

  it('can be found by the ground truth after every change', async () => {
    const { graph, user } = start();
    const message = await firstMessage(graph, user);
    const before = await graph.truth('mail', user);
    graph.act('mail.purge', { user, id: textOf(message['id']) });
    expect((await graph.truth('mail', user)).length).toBe(before.length - 1);
    expect(await graph.truth('mail', user, 0)).toEqual(before);
  });

  it('come in a delta as removed and as new when they move', async () => {
    const { graph, user } = start();
    const prefer = { prefer: 'IdType="ImmutableId"' };
    const inbox = await graph.all(`/users/${user}/mailFolders/inbox/messages/delta?$select=isRead`, prefer);
    const archive = await graph.all(`/users/${user}/mailFolders/archive/messages/delta?$select=isRead`, prefer);
    const id = textOf(inbox.entries[0]?.['id']);
    graph.act('mail.move', { user, id, folder: 'archive' });
    const gone = await graph.all(inbox.deltaLink ?? '', prefer);
    const come = await graph.all(archive.deltaLink ?? '', prefer);
    expect(gone.entries).toEqual([{ '@odata.type': '#microsoft.graph.message', id, '@removed': { reason: 'deleted' } }]);
    expect(come.entries).toMatchObject([{ id, isRead: expect.any(Boolean) }]);
    expect((await graph.all(gone.deltaLink ?? '', prefer)).entries).toEqual([]);
    graph.requireValid();
  });
});

describe('the calendar', () => {
  it('writes every invitation, update and cancellation down that the service would send', async () => {
    const { graph, user } = start();
    const calendars = await graph.get(`/users/${user}/calendars`);
    const id = textOf((calendars.json['value'] as JsonObject[])[0]?.['id']);
    const time = (hour: number): JsonObject => ({ dateTime: `2026-11-02T${hour}:00:00`, timeZone: 'W. Europe Standard Time' });
    const made = await graph.ask('POST', `/users/${user}/calendars/${id}/events`, {
      body: {
        subject: 'Meeting',
        start: time(10),
        end: time(11),
        attendees: [{ type: 'required', emailAddress: { name: 'G', address: 'g@example.com' } }],
      },
    });
    expect(made.json['start']).toEqual({ dateTime: '2026-11-02T09:00:00.0000000', timeZone: 'UTC' });
    await graph.ask('PATCH', `/users/${user}/events/${textOf(made.json['id'])}`, { body: { subject: 'Moved' } });
    await graph.ask('DELETE', `/users/${user}/events/${textOf(made.json['id'])}`);
    expect(graph.tenant.outbox.list().map((sent) => [sent.kind, sent.recipient])).toEqual([
      ['invitation', 'g@example.com'],
      ['update', 'g@example.com'],
      ['cancellation', 'g@example.com'],
    ]);
    graph.requireValid();
  });

  it('keeps the local time of a series across a clock change', async () => {
    const { graph, user } = start();
    const calendars = await graph.get(`/users/${user}/calendars`);
    const id = textOf((calendars.json['value'] as JsonObject[])[0]?.['id']);
    const made = await graph.ask('POST', `/users/${user}/calendars/${id}/events`, {
      body: {
        subject: 'Series',
        start: { dateTime: '2026-10-19T09:00:00', timeZone: 'W. Europe Standard Time' },
        end: { dateTime: '2026-10-19T10:00:00', timeZone: 'W. Europe Standard Time' },
        recurrence: {
          pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] },
          range: { type: 'numbered', startDate: '2026-10-19', numberOfOccurrences: 3 },
        },
      },
    });
    const instances = await graph.get(
      `/users/${user}/events/${textOf(made.json['id'])}/instances?startDateTime=2026-10-01T00:00:00Z&endDateTime=2026-12-01T00:00:00Z`,
    );
    const starts = (instances.json['value'] as JsonObject[]).map((entry) => (entry['start'] as JsonObject)['dateTime']);
    expect(starts).toEqual(['2026-10-19T07:00:00.0000000', '2026-10-26T08:00:00.0000000', '2026-11-02T08:00:00.0000000']);
    graph.requireValid();
  });

  it('shows masters, occurrences and exceptions, and asks for a window', async () => {
    const { graph, user } = start();
    const calendars = await graph.get(`/users/${user}/calendars`);
    const id = textOf((calendars.json['value'] as JsonObject[])[0]?.['id']);
    const events = await graph.all(`/users/${user}/calendars/${id}/events?$top=3`);
    const master = events.entries.find((event) => event['type'] === 'seriesMaster');
    const full = await graph.get(`/users/${user}/events/${textOf(master?.['id'])}?$expand=exceptionOccurrences`);
    expect((full.json['exceptionOccurrences'] as JsonObject[]).length).toBeGreaterThan(0);
    expect((await graph.get(`/users/${user}/calendars/${id}/calendarView/delta`)).status).toBe(400);
    const view = await graph.all(
      `/users/${user}/calendars/${id}/calendarView/delta?startDateTime=2024-01-01T00:00:00Z&endDateTime=2027-12-31T00:00:00Z`,
    );
    expect(new Set(view.entries.map((event) => event['type']))).toEqual(
      new Set(['seriesMaster', 'occurrence', 'exception', 'singleInstance']),
    );
    graph.requireValid();
  });
});

describe('contacts and tasks', () => {
  it('leave the default folder out of the list and tell its id through a contact', async () => {
    const { graph, user } = start();
    const folders = await graph.all(`/users/${user}/contactFolders`);
    const first = await graph.get(`/users/${user}/contacts?$top=1&$select=parentFolderId`);
    const folder = textOf((first.json['value'] as JsonObject[])[0]?.['parentFolderId']);
    expect(folders.entries.map((entry) => entry['id'])).not.toContain(folder);
    const all = await graph.all(`/users/${user}/contactFolders/${folder}/contacts/delta`);
    expect(all.entries.length).toBeGreaterThan(0);
    const made = await graph.ask('POST', `/users/${user}/contactFolders/${folder}/contacts`, {
      body: { givenName: 'New', emailAddresses: [{ address: 'n@example.com', name: 'N' }] },
    });
    expect((await graph.all(all.deltaLink ?? '')).entries).toMatchObject([{ id: made.json['id'], givenName: 'New' }]);
    graph.requireValid();
  });

  it('hold steps, links and files of a task', async () => {
    const { graph, user } = start();
    const lists = await graph.all(`/users/${user}/todo/lists`);
    const base = `/users/${user}/todo/lists/${textOf(lists.entries[0]?.['id'])}/tasks`;
    const task = await graph.ask('POST', base, { body: { title: 'Task' } });
    const id = textOf(task.json['id']);
    expect((await graph.ask('POST', `${base}/${id}/checklistItems`, { body: { displayName: 'Step' } })).status).toBe(201);
    expect(
      (
        await graph.ask('POST', `${base}/${id}/linkedResources`, {
          body: { webUrl: 'https://example.com', applicationName: 'X', displayName: 'Y' },
        })
      ).status,
    ).toBe(201);
    const file = {
      '@odata.type': '#microsoft.graph.taskFileAttachment',
      name: 'a.txt',
      contentBytes: 'YQ==',
      contentType: 'text/plain',
      size: 1,
    };
    expect((await graph.ask('POST', `${base}/${id}/attachments`, { body: file })).status).toBe(201);
    const all = await graph.all(`${base}?$expand=checklistItems,linkedResources`);
    expect(all.entries.at(-1)).toMatchObject({ title: 'Task', hasAttachments: true, checklistItems: [{ displayName: 'Step' }] });
    graph.requireValid();
  });
});

describe('the mailbox export', () => {
  it('gives streams that come back as the same items, sending nothing', async () => {
    const { graph, user } = start();
    const settings = await graph.get(`/users/${user}/settings/exchange`);
    const base = `/admin/exchange/mailboxes/${textOf(settings.json['primaryMailboxId'])}`;
    const folders = await graph.all(`${base}/folders`);
    const inbox = folders.entries.find((folder) => folder['type'] === 'IPF.Note' && Number(folder['totalItemCount']) > 2);
    const calendar = folders.entries.find((folder) => folder['type'] === 'IPF.Appointment');
    for (const folder of [inbox, calendar]) {
      const items = await graph.all(`${base}/folders/${textOf(folder?.['id'])}/items?$top=5`);
      const exported = await graph.ask('POST', `${base}/exportItems`, { body: { itemIds: [textOf(items.entries[0]?.['id'])] } });
      const { data } = (exported.json['value'] as JsonObject[])[0] ?? {};
      const session = await graph.ask('POST', `${base}/createImportSession`);
      const made = await graph.ask('POST', textOf(session.json['importUrl']), {
        body: { FolderId: textOf(folder?.['id']), Mode: 'create', Data: textOf(data) },
      });
      expect(made.status).toBe(200);
      expect((await graph.all(`${base}/folders/${textOf(folder?.['id'])}/items`)).entries.length).toBe(items.entries.length + 1);
    }
    expect(graph.tenant.outbox.list()).toEqual([]);
    graph.requireValid();
  });
});

describe('lists', () => {
  it('show what came last first, or last when they are asked to', async () => {
    const { graph, user } = start();
    graph.act('mail.deliver', { user, subject: 'Latest' });
    const made = await graph.ask('POST', `/users/${user}/mailFolders/inbox/messages`, {
      body: { subject: 'Old', singleValueExtendedProperties: [{ id: 'SystemTime 0x0E06', value: '2026-03-01T00:00:00Z' }] },
    });
    const read = async (order: string): Promise<string[]> => {
      const { entries } = await graph.all(
        `/users/${user}/mailFolders/inbox/messages?$top=4&$select=receivedDateTime&$orderby=receivedDateTime ${order}`,
      );
      expect(entries.map((entry) => entry['id'])).toContain(made.json['id']);
      return entries.map((entry) => textOf(entry['receivedDateTime']));
    };
    const newest = await read('desc');
    expect(newest).toEqual([...newest].sort().reverse());
    expect(await read('asc')).toEqual([...newest].reverse());
    expect((await graph.get(`/users/${user}/mailFolders/inbox/messages?$orderby=subject`)).status).toBe(400);
  });

  it('refuse an option that they do not know', async () => {
    const { graph, user } = start();
    const answer = await graph.get(`/users/${user}/mailFolders/inbox/messages?$apply=x`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: 'ErrorInvalidRequest' } });
  });

  it('sort users by a property, and find them by a filter', async () => {
    const { graph } = start();
    const { entries } = await graph.all('/users?$orderby=displayName desc&$select=displayName');
    const names = entries.map((entry) => textOf(entry['displayName']).toLowerCase());
    expect(names).toEqual([...names].sort().reverse());
    const filter = "$filter=userType eq 'Guest' and not startswith(mail,'zz')&$count=true";
    const guests = await graph.all(`/users?${filter}`, { consistencylevel: 'eventual' });
    expect(guests.entries.length).toBeLessThan(names.length);
  });
});
