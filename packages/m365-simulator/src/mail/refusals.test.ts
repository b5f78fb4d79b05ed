import { describe, expect, it } from 'vitest';
import { calendarWorkload } from '../calendar/calendar-workload.ts';
import { chatsWorkload } from '../chats/chats-workload.ts';
import { contactsWorkload } from '../contacts/contacts-workload.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import { type JsonObject, textOf } from '../values/json.ts';
import { allChannels } from '../places/team-records.ts';
import { teamsWorkload } from '../teams/teams-workload.ts';
import { createInProcess } from '../testing/in-process.ts';
import { todoWorkload } from '../todo/todo-workload.ts';
import { mailWorkload } from './mail-workload.ts';

const OUTLOOK = [directoryWorkload, mailWorkload, calendarWorkload, contactsWorkload, todoWorkload];

function aMailbox() {
  const graph = createInProcess({ workloads: OUTLOOK, recipe: 'tiny' });
  return { graph, user: graph.tenant.directory.users()[0]?.id ?? '' };
}

const codeOf = (json: Readonly<Record<string, unknown>>): string => textOf((json['error'] as JsonObject)['code']);

describe('what Exchange refuses', () => {
  it.each(['messages/x', 'mailFolders/x', 'events/x', 'contacts/x', 'contactFolders/x/contacts', 'todo/lists/x/tasks'])(
    'an id without the form of an id: %s',
    async (path) => {
      const { graph, user } = aMailbox();
      const { status, json } = await graph.get(`/users/${user}/${path}`);
      expect([status, codeOf(json)]).toEqual([400, 'ErrorInvalidIdMalformed']);
      graph.requireValid();
    },
  );

  it('pages of more than a thousand messages', async () => {
    const { graph, user } = aMailbox();
    for (const path of ['messages', 'messages/delta']) {
      expect((await graph.get(`/users/${user}/mailFolders/inbox/${path}?$top=1000`)).status).toBe(200);
      expect((await graph.get(`/users/${user}/mailFolders/inbox/${path}?$top=1001`)).status).toBe(400);
    }
  });

  it('MIME whose base64 is more than 4 MB', async () => {
    const { graph, user } = aMailbox();
    const post = async (bytes: number): Promise<number> => {
      const mime = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(bytes, 'x')]);
      const headers = { 'content-type': 'text/plain' };
      return (await graph.ask('POST', `/users/${user}/mailFolders/inbox/messages`, { headers, body: mime.toString('base64') })).status;
    };
    expect(await post(3_000_000)).toBe(201);
    expect(await post(3_500_000)).toBe(413);
  });

  it('extended properties with a malformed id', async () => {
    const { graph, user } = aMailbox();
    const post = async (id: string) => {
      const body = { subject: 'x', singleValueExtendedProperties: [{ id, value: '1' }] };
      return graph.ask('POST', `/users/${user}/mailFolders/inbox/messages`, { headers: { 'content-type': 'application/json' }, body });
    };
    for (const id of ['Integer 0x0E07', 'String {00020329-0000-0000-C000-000000000046} Name Colour', 'SystemTime 0x0039'])
      expect((await post(id)).status).toBe(201);
    for (const id of ['0x0E07', 'Number 0x0E07', 'String Name Colour', '']) {
      const { status, json } = await post(id);
      expect([status, codeOf(json)]).toEqual([400, 'ErrorInvalidExtendedProperty']);
    }
  });

  it('delta tokens that are too old, with 410', async () => {
    const { graph, user } = aMailbox();
    const { deltaLink = '' } = await graph.all(`/users/${user}/mailFolders/inbox/messages/delta`);
    graph.expireDeltaTokens();
    const { status, json } = await graph.get(deltaLink);
    expect([status, codeOf(json)]).toEqual([410, 'SyncStateNotFound']);
  });
});

describe('contacts', () => {
  it('are tracked in the default folder without naming it, as in any folder by its id', async () => {
    const { graph, user } = aMailbox();
    const whole = await graph.all(`/users/${user}/contacts/delta`);
    expect(whole.entries.length).toBeGreaterThan(0);
    const folder = textOf(whole.entries[0]?.['parentFolderId']);
    const named = await graph.all(`/users/${user}/contactFolders/${folder}/contacts/delta`);
    expect(named.entries.map(({ id }) => id)).toEqual(whole.entries.map(({ id }) => id));
    expect((await graph.all(whole.deltaLink ?? '')).entries).toEqual([]);
    graph.requireValid();
  });
});

describe('what Teams refuses', () => {
  it('pages of more than fifty messages or chats, and names of channels with forbidden characters', async () => {
    const graph = createInProcess({ workloads: [directoryWorkload, drivesWorkload, teamsWorkload, chatsWorkload], recipe: 'contoso' });
    const [channel] = allChannels(graph.tenant);
    const team = `/teams/${channel?.teamId ?? ''}`;
    const user = graph.tenant.directory.users()[0]?.id ?? '';
    for (const path of [
      `${team}/channels/${channel?.id ?? ''}/messages`,
      `${team}/channels/${channel?.id ?? ''}/messages/delta`,
      `/users/${user}/chats`,
    ]) {
      expect((await graph.get(`${path}?$top=50`)).status).toBe(200);
      expect((await graph.get(`${path}?$top=51`)).status).toBe(400);
    }
    const create = async (displayName: string): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      return (await graph.ask('POST', `${team}/channels`, { headers, body: { displayName, membershipType: 'standard' } })).status;
    };
    for (const name of ['Plans: 2026', 'a/b', 'What?', '_vti_x', 'forms', 'COM1', '.hidden', 'ends.']) expect(await create(name)).toBe(400);
    expect(await create('Plans 2026')).toBe(201);
  });
});
