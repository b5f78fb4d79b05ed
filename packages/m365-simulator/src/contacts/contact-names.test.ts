import { describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { textField } from '../http/body-fields.ts';
import { createInProcess } from '../testing/in-process.ts';
import { todoWorkload } from '../todo/todo-workload.ts';
import { contactsWorkload } from './contacts-workload.ts';

function aMailbox() {
  const graph = createInProcess({ workloads: [directoryWorkload, contactsWorkload, todoWorkload], recipe: 'tiny' });
  return { graph, user: graph.tenant.directory.users()[0]?.id ?? '' };
}

describe('a contact', () => {
  it.each([
    [{ givenName: 'Ada', surname: 'Lovelace' }, 'Ada Lovelace'],
    [{ givenName: 'Ada', surname: 'Lovelace', displayName: 'Countess' }, 'Countess'],
    [{ emailAddresses: [{ address: 'ada@example.com' }] }, ''],
  ])('of %j is shown as "%s"', async (body, name) => {
    const { graph, user } = aMailbox();
    const { entries: folders } = await graph.all(`/users/${user}/contactFolders`);
    const folder = `/users/${user}/contactFolders/${textField(folders[0], 'id') ?? ''}`;
    const { status, json } = await graph.ask('POST', `${folder}/contacts`, { body });
    expect([status, textField(json, 'displayName')]).toEqual([201, name]);
    graph.requireValid();
  });
});

describe('a task', () => {
  it('is read by its id, with its parts when they are asked for', async () => {
    const { graph, user } = aMailbox();
    const { entries: lists } = await graph.all(`/users/${user}/todo/lists`);
    const list = `/users/${user}/todo/lists/${textField(lists[0], 'id') ?? ''}`;
    const made = await graph.ask('POST', `${list}/tasks`, { body: { title: 'Call Ben' } });
    const id = textField(made.json, 'id') ?? '';
    const found = await graph.get(`${list}/tasks/${id}?$expand=checklistItems`);
    expect([found.status, found.json['title'], found.json['checklistItems']]).toEqual([200, 'Call Ben', []]);
    expect((await graph.get(`${list}/tasks/${id.slice(0, -4)}AAAA`)).status).not.toBe(200);
    graph.requireValid();
  });
});
