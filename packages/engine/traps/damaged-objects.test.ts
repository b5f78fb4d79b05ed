import { createMemoryBlobStore, type BlobStore } from '@holdfast/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromJournal } from '../src/pipeline/journal-entry.ts';
import type { ItemVersion, Resource } from '../src/ports/item.ts';
import { createRig, type Rig } from '../testing/rig.ts';

/** What a backup does that comes after something in its vault was damaged: it goes on, and reads nothing again that it knows. */
const WAYS = ['flip', 'cut', 'delete', 'swap', 'older copy', 'empty'] as const;
type Way = (typeof WAYS)[number];
type Found = readonly [name: string, peer: string];

const SMALL = { items: 5, bytes: 1024 * 1024 };
const store: BlobStore = createMemoryBlobStore();
const older = new Map<string, Buffer>();
let rig: Rig;
let mailbox: Resource;
let delivered = 0;
/** The pack that alone has the full state of the mailbox. */
let fullState = '';

/** Lets a commit be away with its copy while the next run states everything again, and puts it back. */
async function restate(): Promise<string> {
  const packs = await names('packs/');
  const lost = (await segments())[1] ?? '';
  const both = [lost, lost.replace('journal/', 'copies/')];
  const kept = await Promise.all(both.map((name) => store.get(name)));
  for (const name of both) await store.delete(name);
  // The lease of the first rig would count on, and those of the others begin anew.
  const next = await createRig({ store, catalog: rig.catalog, shared: rig.simulator });
  await next.backup(mailbox);
  await next.close();
  for (const [at, name] of both.entries()) await store.put(name, [kept[at] ?? Buffer.alloc(0)]);
  const states = await names('packs/', (name) => !packs.includes(name));
  expect(states).toHaveLength(1);
  return states[0] ?? '';
}

beforeAll(async () => {
  rig = await createRig({ store });
  for (const name of ['vault.json', 'vault.copy.json']) older.set(name, await store.get(name));
  await rig.vault.maintenance.rotateMasterKey();
  for await (const { id, userType } of rig.graph.directory.users()) {
    if (userType === 'Member') mailbox ??= rig.resource('mailbox', id);
  }
  await rig.backup(mailbox, { checkpoint: SMALL });
  fullState = await restate();
  for (let round = 0; round < 2; round += 1) await rig.vault.maintenance.verify({ depth: 'data' });
});
afterAll(() => rig.close());

async function names(prefix: string, isWanted: (name: string) => boolean = () => true): Promise<string[]> {
  return (await Array.fromAsync(store.list(prefix))).map(({ name }) => name).filter(isWanted);
}
const segments = (): Promise<string[]> => names('journal/', (name) => !name.endsWith('.marker'));
const markers = (): Promise<string[]> => names('journal/', (name) => name.endsWith('.marker'));
const pair = (list: readonly string[], one: number, other: number): Found => [list.at(one) ?? '', list.at(other) ?? ''];

const objects: Readonly<Record<string, () => Promise<Found>>> = {
  'the first segment': async () => pair(await segments(), 0, 1),
  'a segment in the middle': async () => pair(await segments(), 2, 1),
  'the newest segment': async () => pair(await segments(), -1, -2),
  'the copy of the newest segment': async () => pair(await names('copies/'), -1, -2),
  'a marker': async () => pair(await markers(), 2, 1),
  'the newest marker': async () => pair(await markers(), -1, -2),
  'the header': async () => ['vault.json', 'vault.copy.json'],
  'the copy of the header': async () => ['vault.copy.json', 'vault.json'],
  'the first evidence': async () => pair(await names('evidence/'), 0, 1),
  'the newest evidence': async () => pair(await names('evidence/'), -1, 0),
  'a full state': async () => [fullState, (await names('packs/')).find((name) => name !== fullState) ?? ''],
  'a pack': async () => pair(await names('packs/', (name) => name !== fullState), 0, 1),
  'the index of a pack': async () => pair(await names('packs/'), 0, 1),
};

function flipped(data: Buffer, at: number): Buffer {
  const copy = Buffer.from(data);
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
}

/** How much of a pack's end stands for its index. */
const INDEX = 60;

/** What is there instead of an object; of what is written once, the older copy is that of another one. */
const instead: Readonly<Record<Way, (name: string, data: Buffer, other: Buffer) => Buffer | undefined>> = {
  flip: (_name, data) => flipped(data, Math.floor(data.byteLength * 0.4)),
  cut: (_name, data) => data.subarray(0, -9),
  delete: () => undefined,
  swap: (_name, _data, other) => other,
  'older copy': (name, _data, other) => older.get(name) ?? other,
  empty: () => Buffer.alloc(0),
};

async function damage(kind: string, [name, peer]: Found, way: Way): Promise<void> {
  const [data, other] = [await store.get(name), await store.get(peer)];
  if (kind === 'the index of a pack') {
    const index = instead[way](name, data.subarray(-INDEX), other.subarray(-INDEX));
    return store.put(name, [data.subarray(0, -INDEX), index ?? Buffer.alloc(0)]);
  }
  const now = instead[way](name, data, other);
  await (now ? store.put(name, [now]) : store.delete(name));
  if (way === 'swap') await store.put(peer, [data]);
}

/** What is damaged stays so for one backup; then it is as it was. */
async function undone([name, peer]: Found, work: () => Promise<void>): Promise<void> {
  const before = [await store.get(name), await store.get(peer)] as const;
  try {
    await work();
  } finally {
    await store.put(name, [before[0]]);
    await store.put(peer, [before[1]]);
  }
}

async function textOf(seen: Rig, { contents }: ItemVersion): Promise<string> {
  const mime = contents.find(({ role }) => role === 'mime');
  return mime ? (await seen.vault.reader().readAll(mime.ref)).toString('latin1') : '';
}

describe('the next backup after one object was damaged', () => {
  it.each(Object.keys(objects))('%s: it takes what is new, and reads nothing again', async (kind) => {
    expect((await segments()).length).toBeGreaterThan(3);
    for (const way of WAYS) {
      const found = (await objects[kind]?.()) ?? (['', ''] as const);
      const known = (await rig.items(mailbox)).length;
      await undone(found, async () => {
        await damage(kind, found, way);
        const next = await createRig({ store, catalog: rig.catalog, shared: rig.simulator });
        delivered += 1;
        const subject = `After damage ${delivered}`;
        rig.act('mail.deliver', { user: mailbox.graphId, subject });
        const { status, code, counts } = await next.backup(mailbox, { checkpoint: SMALL });
        expect([status, code, counts.added, counts.failed], `${kind}, ${way}`).toEqual(['successful', undefined, 1, 0]);
        const state = (await Array.fromAsync(next.vault.journal(mailbox.id).stateAt())).map(fromJournal);
        expect(state, `${kind}, ${way}`).toHaveLength(known + 1);
        const message = state.find((item) => item.name === subject);
        expect(message && (await textOf(next, message)), `${kind}, ${way}`).toContain(subject);
        await next.close();
      });
    }
    expect(await rig.vault.maintenance.verify({ depth: 'data' })).toMatchObject({ damages: [], affectedItemCount: 0 });
  });
});
