import { describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { mailWorkload } from '../mail/mail-workload.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { type JsonObject, textOf } from '../values/json.ts';
import { exportWorkload } from './export-workload.ts';
import { joinMime, splitMime } from './mime-values.ts';

const workloads = [directoryWorkload, mailWorkload, exportWorkload];

interface Mailbox {
  readonly graph: InProcess;
  readonly user: string;
  readonly base: string;
  readonly folder: string;
  readonly ids: readonly string[];
}

async function open(): Promise<Mailbox> {
  const graph = createInProcess({ workloads });
  const user = graph.tenant.directory.users()[0]?.id ?? '';
  const base = `/admin/exchange/mailboxes/${textOf((await graph.get(`/users/${user}/settings/exchange`)).json['primaryMailboxId'])}`;
  const folder = textOf((await graph.get(`/users/${user}/mailFolders/inbox`)).json['id']);
  const { entries } = await graph.all(`${base}/folders/${folder}/items`);
  return { graph, user, base, folder, ids: entries.map(({ id }) => textOf(id)) };
}

async function exported({ graph, base }: Mailbox, itemIds: readonly string[]): Promise<readonly JsonObject[]> {
  const { json, status } = await graph.ask('POST', `${base}/exportItems`, { body: { itemIds: [...itemIds] } });
  expect(status).toBe(200);
  return json['value'] as JsonObject[];
}

async function imported({ graph, base, folder }: Mailbox, body: JsonObject) {
  const session = await graph.ask('POST', `${base}/createImportSession`);
  return graph.ask('POST', textOf(session.json['importUrl']), { body: { FolderId: folder, ...body } });
}

describe('exporting', () => {
  it('tells of each item by itself why it has no stream', async () => {
    const mailbox = await open();
    const [first, missing] = await exported(mailbox, [mailbox.ids[0] ?? '', 'no-id']);
    expect(textOf(first?.['data']).length).toBeGreaterThan(100);
    expect(missing).toMatchObject({ itemId: 'no-id', error: { code: 'ErrorItemNotFound' } });
  });

  it('refuses single items where the tenant is set so', async () => {
    const mailbox = await open();
    mailbox.graph.set({ exportRefusals: 1 });
    expect(await exported(mailbox, mailbox.ids.slice(0, 1))).toMatchObject([{ error: { code: 'ErrorCorruptData' } }]);
  });

  it('takes twenty ids and not one more', async () => {
    const { graph, base, ids } = await open();
    const many = Array.from({ length: 21 }, () => ids[0] ?? '');
    expect((await graph.ask('POST', `${base}/exportItems`, { body: { itemIds: many.slice(1) } })).status).toBe(200);
    expect((await graph.ask('POST', `${base}/exportItems`, { body: { itemIds: many } })).status).toBe(400);
  });
});

describe('importing', () => {
  it('refuses a stream of which one bit is another', async () => {
    const mailbox = await open();
    const [item] = await exported(mailbox, mailbox.ids.slice(0, 1));
    const bytes = Buffer.from(textOf(item?.['data']), 'base64');
    const place = Math.floor(bytes.byteLength / 2);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    const answer = await imported(mailbox, { Mode: 'create', Data: bytes.toString('base64') });
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code: 'ErrorCorruptData' } }]);
  });

  it('refuses a stream that another version of Exchange wrote', async () => {
    const mailbox = await open();
    const [item] = await exported(mailbox, mailbox.ids.slice(0, 1));
    mailbox.graph.set({ exchangeVersion: 16 });
    const answer = await imported(mailbox, { Mode: 'create', Data: textOf(item?.['data']) });
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code: 'ErrorCorruptData' } }]);
    const [again] = await exported(mailbox, mailbox.ids.slice(0, 1));
    expect((await imported(mailbox, { Mode: 'create', Data: textOf(again?.['data']) })).status).toBe(200);
  });

  it('takes no id to create, and for an update the id and the change key that the item has now', async () => {
    const mailbox = await open();
    const [item] = await exported(mailbox, mailbox.ids.slice(0, 1));
    const { data: Data, itemId: ItemId, changeKey: ChangeKey } = item as { data: string; itemId: string; changeKey: string };
    expect((await imported(mailbox, { Mode: 'create', Data, ItemId, ChangeKey })).status).toBe(400);
    expect((await imported(mailbox, { Mode: 'update', Data, ItemId })).status).toBe(400);
    expect((await imported(mailbox, { Mode: 'update', Data, ItemId, ChangeKey: 'CQAAAA==' })).status).toBe(412);
    const done = await imported(mailbox, { Mode: 'update', Data, ItemId, ChangeKey });
    expect(done.json['itemId']).toBe(ItemId);
    expect(done.json['changeKey']).not.toBe(ChangeKey);
    const elsewhere = textOf((await mailbox.graph.get(`/users/${mailbox.user}/mailFolders/drafts`)).json['id']);
    const moved = { Mode: 'update', Data, ItemId, ChangeKey: textOf(done.json['changeKey']), FolderId: elsewhere };
    expect((await imported(mailbox, moved)).status).toBe(404);
  });
});

describe('a message taken apart', () => {
  const attached = Buffer.alloc(3000, 'bytes of a file ');
  const lines = (text: string, width: number): string => (text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []).join('\r\n');
  const head = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Transfer-Encoding: base64\r\n\r\n';

  it('has its attachments as they are, and is the same when it is put together', () => {
    const mime = Buffer.from(`${head}${lines(attached.toString('base64'), 76)}\r\n--x--\r\n`);
    const values = splitMime(mime);
    expect(values.some(({ bytes }) => bytes.equals(attached))).toBe(true);
    expect(joinMime(values).equals(mime)).toBe(true);
  });

  it('is left whole where its lines are uneven or its end is missing', () => {
    for (const end of ['\r\nZZ\r\nZZZ\r\n--x--', '', '\r\n']) {
      const mime = Buffer.from(`${head}${lines(attached.toString('base64'), 60)}${end}`);
      expect(joinMime(splitMime(mime)).equals(mime)).toBe(true);
    }
  });
});
