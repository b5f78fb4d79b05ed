import { graphError } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { JsonObject } from '../../ports/item.ts';
import type { CollisionPolicy } from '../request.ts';
import type { RestoreContext } from '../restorer.ts';
import { createSettingsRestorer } from './settings.ts';

async function* listed(...names: readonly string[]) {
  for (const displayName of names) yield { id: displayName, displayName };
}

/** How a restore is asked for. */
interface AskedFor {
  readonly automaticReplies?: boolean;
  readonly isTaken?: boolean;
  readonly collisions?: CollisionPolicy;
  readonly folder?: string;
}

/** A mailbox that has one rule and one category, and writes down what is asked of it. */
function aMailbox({ automaticReplies, isTaken = false, collisions = 'replace', folder }: AskedFor = {}) {
  const asked: unknown[] = [];
  const note = async (_user: unknown, body: unknown) => {
    asked.push(body);
    return { id: 'made' };
  };
  const settings = {
    rules: () => listed('Old rule'),
    categories: () => listed('Old category'),
    createRule: note,
    updateSettings: note,
    createCategory: isTaken ? () => Promise.reject(graphError('graph.name-taken')) : note,
  };
  const options = automaticReplies === undefined ? {} : { options: { automaticReplies } };
  const target = { resource: { graphId: 'u' }, ...(folder === undefined ? {} : { folder }) };
  const context = { request: { target, collisions, ...options }, graph: { exchange: { settings } } };
  const restorer = createSettingsRestorer(context as unknown as RestoreContext, (key) => (key === 'inbox-then' ? 'inbox-now' : undefined));
  return { asked, restorer };
}

const aRule = (name: string, properties: JsonObject = {}) => anItem(name, { kind: 'rule', properties });

describe('rules that come back', () => {
  it('are made with the folders of the target, without what the service sets itself', async () => {
    const { restorer, asked } = aMailbox();
    const actions = { moveToFolder: 'inbox-then', copyToFolder: 'elsewhere', markAsRead: true };
    expect(await restorer.restore(aRule('New', { id: 'r', isReadOnly: false, hasError: false, sequence: 1, actions }))).toEqual({
      outcome: 'restored',
      targetId: 'made',
    });
    expect(asked).toEqual([{ sequence: 1, actions: { moveToFolder: 'inbox-now', copyToFolder: 'elsewhere', markAsRead: true } }]);
    await restorer.restore(aRule('Without actions', { sequence: 2 }));
    expect(asked[1]).toEqual({ sequence: 2 });
  });

  it('stay out when one of the name is there, and when nobody could make them', async () => {
    const { restorer, asked } = aMailbox();
    expect(await restorer.restore(aRule('OLD rule'))).toMatchObject({ outcome: 'skipped', code: 'restore.exists' });
    expect(await restorer.restore(aRule('New', { isReadOnly: true }))).toMatchObject({ code: 'restore.rule-read-only' });
    expect(await restorer.restore(aRule('New', { hasError: true }))).toMatchObject({ code: 'restore.rule-has-error' });
    expect(asked).toEqual([]);
  });
});

it('categories come back with their colour, once, also when somebody makes one of the name meanwhile', async () => {
  const { restorer, asked } = aMailbox();
  await restorer.restore(anItem('Blue', { kind: 'category', properties: { color: 'preset7' } }));
  await restorer.restore(anItem('Plain', { kind: 'category' }));
  expect(asked).toEqual([
    { displayName: 'Blue', color: 'preset7' },
    { displayName: 'Plain', color: 'none' },
  ]);
  const skipped = { outcome: 'skipped', code: 'restore.exists' };
  expect(await restorer.restore(anItem('old category', { kind: 'category' }))).toEqual(skipped);
  expect(await aMailbox({ isTaken: true }).restorer.restore(anItem('Blue', { kind: 'category' }))).toEqual(skipped);
});

describe('settings of a mailbox', () => {
  const replies = { status: 'alwaysEnabled', internalReplyMessage: 'Away' };
  const item = anItem('settings', { kind: 'mailboxSettings', properties: { timeZone: 'UTC', automaticRepliesSetting: replies } });

  it('come back with automatic replies turned off, and say so', async () => {
    const { restorer, asked } = aMailbox();
    expect(await restorer.restore(item)).toEqual({ outcome: 'replaced', differences: ['automaticRepliesSetting.status'] });
    expect(asked).toEqual([{ timeZone: 'UTC', automaticRepliesSetting: { ...replies, status: 'disabled' } }]);
  });

  it('come back as they were when that is asked for', async () => {
    const { restorer, asked } = aMailbox({ automaticReplies: true });
    expect(await restorer.restore(item)).toEqual({ outcome: 'replaced', differences: [] });
    expect(asked).toEqual([{ timeZone: 'UTC', automaticRepliesSetting: replies }]);
  });

  it.each(['skip', 'keepBoth', 'newerWins'] as const)('stay as they are in a mailbox, which always has some (%s)', async (collisions) => {
    const { restorer, asked } = aMailbox({ collisions });
    expect(await restorer.restore(item)).toEqual({ outcome: 'skipped', code: 'restore.exists' });
    expect(asked).toEqual([]);
  });

  it('hold for all of a mailbox, as rules and categories do: they come to nothing beside what is there', async () => {
    const { restorer, asked } = aMailbox({ folder: 'Looked at' });
    const told = { outcome: 'notPossible', code: 'restore.whole-mailbox' };
    expect(await restorer.restore(item)).toEqual(told);
    expect(await restorer.restore(aRule('Forwards'))).toEqual(told);
    expect(await restorer.restore(anItem('Blue', { kind: 'category' }))).toEqual(told);
    expect(asked).toEqual([]);
  });

  it('leave automatic replies alone that were never recorded', async () => {
    const { restorer, asked } = aMailbox();
    expect(await restorer.restore({ ...item, properties: { language: { locale: 'de-DE' } } })).toEqual({
      outcome: 'replaced',
      differences: [],
    });
    expect(asked).toEqual([{ language: { locale: 'de-DE' } }]);
  });
});
