import { describe, expect, it } from 'vitest';
import { contactsWorkload } from '../contacts/contacts-workload.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { type JsonObject, textOf } from '../values/json.ts';
import { mailWorkload } from '../mail/mail-workload.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { todoWorkload } from '../todo/todo-workload.ts';
import { exportWorkload } from './export-workload.ts';

const workloads = [directoryWorkload, mailWorkload, contactsWorkload, todoWorkload, exportWorkload];
const BYTES = Buffer.alloc(300_000, 'received');

interface Mailbox {
  readonly graph: InProcess;
  readonly user: string;
}

function start(): Mailbox {
  const graph = createInProcess({ workloads });
  return { graph, user: graph.tenant.directory.users()[0]?.id ?? '' };
}

async function firstId({ graph }: Mailbox, address: string): Promise<string> {
  return textOf((await graph.all(address)).entries[0]?.['id']);
}

/** A task with a file; its address. */
async function taskWithFile({ graph, user }: Mailbox): Promise<{ readonly id: string; readonly address: string }> {
  const list = `/users/${user}/todo/lists/${await firstId({ graph, user }, `/users/${user}/todo/lists`)}`;
  const id = textOf((await graph.ask('POST', `${list}/tasks`, { body: { title: 'Read the plan' } })).json['id']);
  const body = { '@odata.type': '#microsoft.graph.taskFileAttachment', name: 'plan.bin', contentBytes: BYTES.toString('base64') };
  const made = await graph.ask('POST', `${list}/tasks/${id}/attachments`, { body });
  expect(made.json).toMatchObject({ name: 'plan.bin', size: BYTES.byteLength });
  return { id, address: `${list}/tasks/${id}` };
}

/** A contact with a picture; its address. */
async function contactWithPicture({ graph, user }: Mailbox): Promise<{ readonly id: string; readonly address: string }> {
  const folder = await firstId({ graph, user }, `/users/${user}/contactFolders`);
  const made = await graph.ask('POST', `/users/${user}/contactFolders/${folder}/contacts`, { body: { givenName: 'Ada' } });
  const id = textOf(made.json['id']);
  const address = `/users/${user}/contacts/${id}`;
  expect((await graph.ask('PUT', `${address}/photo/$value`, { headers: { 'content-type': 'image/png' }, body: BYTES })).status).toBe(200);
  return { id, address };
}

/** Exports an item and imports it into the first folder of its type of another tenant; the id that it has there. */
async function carry(from: Mailbox, id: string, type: string, to: Mailbox): Promise<string> {
  const base = async ({ graph, user }: Mailbox): Promise<string> =>
    `/admin/exchange/mailboxes/${textOf((await graph.get(`/users/${user}/settings/exchange`)).json['primaryMailboxId'])}`;
  const exported = await from.graph.ask('POST', `${await base(from)}/exportItems`, { body: { itemIds: [id] } });
  const folders = (await to.graph.all(`${await base(to)}/folders`)).entries;
  const session = await to.graph.ask('POST', `${await base(to)}/createImportSession`);
  const body = {
    FolderId: textOf(folders.find((folder) => folder['type'] === type)?.['id']),
    Mode: 'create',
    Data: textOf((exported.json['value'] as JsonObject[])[0]?.['data']),
  };
  return textOf((await to.graph.ask('POST', textOf(session.json['importUrl']), { body })).json['itemId']);
}

describe('files of tasks and pictures', () => {
  it('lie with the other received bytes, not in the state', async () => {
    const mailbox = start();
    const { graph, user } = mailbox;
    const before = graph.tenant.store.save().byteLength;
    const { address: task } = await taskWithFile(mailbox);
    const { address: contact } = await contactWithPicture(mailbox);
    await graph.ask('PUT', `/users/${user}/photo/$value`, { headers: { 'content-type': 'image/png' }, body: BYTES });
    expect(graph.tenant.store.save().byteLength - before).toBeLessThan(BYTES.byteLength);
    const [file] = (await graph.all(`${task}/attachments`)).entries;
    expect(file, 'a list leaves the content out').not.toHaveProperty('contentBytes');
    expect((await graph.get(`${task}/attachments/${file?.['id'] as string}/$value`)).bytes.equals(BYTES)).toBe(true);
    expect((await graph.get(`${task}/attachments/none/$value`)).status).toBe(404);
    for (const address of [contact, `/users/${user}`]) expect((await graph.get(`${address}/photo/$value`)).bytes.equals(BYTES)).toBe(true);
    graph.requireValid();
  });

  it('travel with an exported stream to a tenant that never received them', async () => {
    const from = start();
    const to = start();
    const taskId = await carry(from, (await taskWithFile(from)).id, 'IPF.Task', to);
    const list = await firstId(to, `/users/${to.user}/todo/lists`);
    const files = `/users/${to.user}/todo/lists/${list}/tasks/${taskId}/attachments`;
    const [file] = (await to.graph.all(files)).entries;
    expect((await to.graph.get(`${files}/${file?.['id'] as string}/$value`)).bytes.equals(BYTES)).toBe(true);
    const contactId = await carry(from, (await contactWithPicture(from)).id, 'IPF.Contact', to);
    expect((await to.graph.get(`/users/${to.user}/contacts/${contactId}/photo/$value`)).bytes.equals(BYTES)).toBe(true);
    to.graph.requireValid();
  });
});
