import { describe, expect, it } from 'vitest';
import { calendarWorkload } from '../calendar/calendar-workload.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { type JsonObject, textOf } from '../values/json.ts';
import { exportWorkload } from '../mailbox-export/export-workload.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { mailWorkload } from './mail-workload.ts';

const workloads = [directoryWorkload, mailWorkload, calendarWorkload, exportWorkload];
const PICTURE = Buffer.alloc(90_000, 'picture').toString('base64');

function start(recipe = 'tiny'): { readonly graph: InProcess; readonly user: string } {
  const graph = createInProcess({ workloads, recipe });
  return { graph, user: graph.tenant.directory.users()[0]?.id ?? '' };
}

async function mailboxOf(graph: InProcess, user: string): Promise<string> {
  const { json } = await graph.get(`/users/${user}/settings/exchange`);
  return `/admin/exchange/mailboxes/${textOf(json['primaryMailboxId'])}`;
}

/** The exported stream of one item, taken in by a tenant of its own that knows nothing of the first. */
async function moveToAnother(
  from: { graph: InProcess; user: string },
  id: string,
  type: string,
): Promise<{ graph: InProcess; id: string }> {
  const exported = await from.graph.ask('POST', `${await mailboxOf(from.graph, from.user)}/exportItems`, { body: { itemIds: [id] } });
  const { graph, user } = start();
  const base = await mailboxOf(graph, user);
  const folders = (await graph.all(`${base}/folders`)).entries;
  const folder = folders.find((entry) => textOf(entry['type']) === type && textOf(entry['displayName']) !== '');
  const session = await graph.ask('POST', `${base}/createImportSession`);
  const made = await graph.ask('POST', textOf(session.json['importUrl']), {
    body: {
      FolderId: textOf(folder?.['id']),
      Mode: 'create',
      Data: textOf((exported.json['value'] as JsonObject[])[0]?.['data']),
    },
  });
  expect(made.status).toBe(200);
  return { graph, id: `/users/${user}/${type === 'IPF.Note' ? 'messages' : 'events'}/${textOf(made.json['itemId'])}` };
}

describe('an exported stream', () => {
  it('carries the words and attachments of a message to a tenant that never received them', async () => {
    const from = start();
    const made = await from.graph.ask('POST', `/users/${from.user}/mailFolders/inbox/messages`, {
      body: {
        subject: 'Carried',
        body: { contentType: 'html', content: '<p>words of the body</p>' },
        attachments: [{ '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.png', contentType: 'image/png', contentBytes: PICTURE }],
      },
    });
    const to = await moveToAnother(from, textOf(made.json['id']), 'IPF.Note');
    expect((await to.graph.get(to.id)).json).toMatchObject({ subject: 'Carried', body: { content: '<p>words of the body</p>' } });
    const { entries } = await to.graph.all(`${to.id}/attachments`);
    expect(entries.map((entry) => [entry['name'], entry['contentBytes']])).toEqual([['a.png', PICTURE]]);
    to.graph.requireValid();
  });

  it('carries MIME byte for byte, and the attachments of an event', async () => {
    const from = start();
    const mime = Buffer.from(`From: a@example.com\r\nSubject: MIME\r\n\r\n${'line\r\n'.repeat(3000)}`);
    const made = await from.graph.ask('POST', `/users/${from.user}/mailFolders/inbox/messages`, {
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from(mime.toString('base64')),
    });
    const to = await moveToAnother(from, textOf(made.json['id']), 'IPF.Note');
    expect((await to.graph.get(`${to.id}/$value`)).bytes.equals(mime)).toBe(true);

    const [calendar] = (await from.graph.all(`/users/${from.user}/calendars`)).entries;
    const event = await from.graph.ask('POST', `/users/${from.user}/calendars/${textOf(calendar?.['id'])}/events`, {
      body: {
        subject: 'Meeting',
        start: { dateTime: '2026-11-02T09:00:00', timeZone: 'UTC' },
        end: { dateTime: '2026-11-02T10:00:00', timeZone: 'UTC' },
      },
    });
    const eventId = textOf(event.json['id']);
    await from.graph.ask('POST', `/users/${from.user}/events/${eventId}/attachments`, {
      body: { '@odata.type': '#microsoft.graph.fileAttachment', name: 'plan.png', contentBytes: PICTURE },
    });
    const moved = await moveToAnother(from, eventId, 'IPF.Appointment');
    const { entries } = await moved.graph.all(`${moved.id}/attachments`);
    expect(entries.map((entry) => entry['contentBytes'])).toEqual([PICTURE]);
  });
});

describe('a changed message', () => {
  it('keeps its words when something else changes, and loses them when its body is emptied', async () => {
    const { graph, user } = start();
    const made = await graph.ask('POST', `/users/${user}/mailFolders/drafts/messages`, {
      body: { subject: 'First', body: { contentType: 'text', content: 'the words' } },
    });
    const address = `/users/${user}/messages/${textOf(made.json['id'])}`;
    const bodyAfter = async (body: JsonObject): Promise<unknown> => {
      await graph.ask('PATCH', address, { body });
      return ((await graph.get(address)).json['body'] as JsonObject)['content'];
    };
    expect(await bodyAfter({ subject: 'Second' })).toBe('the words');
    expect(await bodyAfter({ body: { contentType: 'text', content: 'other words' } })).toBe('other words');
    expect(await bodyAfter({ body: { contentType: 'text', content: '' } })).toBe('');
    graph.requireValid();
  });
});

describe('a list of generated messages', () => {
  it('shows of each message what the message itself says, odd ones included', async () => {
    const { graph, user } = start('contoso');
    const select = '$select=subject,hasAttachments,internetMessageId,from,toRecipients';
    const { entries } = await graph.all(`/users/${user}/mailFolders/inbox/messages?$top=200&${select}`);
    expect(entries.length).toBeGreaterThan(20);
    let odd = 0;
    for (const entry of entries) {
      const { json } = await graph.get(`/users/${user}/messages/${textOf(entry['id'])}`);
      const { entries: attachments } = await graph.all(`/users/${user}/messages/${textOf(entry['id'])}/attachments?$select=isInline,name`);
      for (const name of ['subject', 'internetMessageId', 'from', 'toRecipients']) expect(json[name]).toEqual(entry[name]);
      expect(entry['hasAttachments']).toBe(attachments.some((attachment) => attachment['isInline'] !== true));
      if (attachments.some((attachment) => attachment['isInline'] === true || attachment['name'] === 'winmail.dat')) odd += 1;
    }
    expect(odd).toBeGreaterThan(0);
  });
});
