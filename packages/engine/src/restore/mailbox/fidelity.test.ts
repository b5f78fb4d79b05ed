import { existsSync } from 'node:fs';
import path from 'node:path';
import { graphError, type GraphClient } from '@holdfast/m365';
import { loadCorpus } from '@holdfast/m365-simulator';
import { describe, expect, it } from 'vitest';
import { differing, isTold } from '../../../testing/answered.ts';
import { answeredMessage, MESSAGE_TOLD_AS } from '../../../testing/answered-mail.ts';
import { differencesOf, ownedByService } from '../../../testing/restore-fidelity-page.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';

const CORPORA = path.join(import.meta.dirname, '..', '..', '..', '..', '..', '..', 'shared', 'corpora');
const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };

async function mailboxesOf(rig: Rig): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const user of rig.graph.directory.users())
    if ((await rig.truth('mail', user.id).catch(() => [])).length > 0) found.push(user.id);
  return found;
}

interface Compared {
  readonly untold: readonly string[];
  readonly told: ReadonlySet<string>;
  readonly restored: number;
  readonly failed: readonly string[];
}

/** Restores a mailbox beside itself and names every property that differs and that the report does not name. */
async function compareCopies(rig: Rig, userId: string, seenAs?: (graph: GraphClient) => GraphClient): Promise<Compared> {
  const mailbox = rig.resource('mailbox', userId);
  await rig.backup(mailbox, MAIL_ONLY);
  const target = { resource: mailbox, folder: 'Restored' };
  const { lines } = await rig.restore({ source: mailbox, selection: 'all', target, collisions: 'keepBoth' }, undefined, seenAs);
  const owned = ownedByService('message');
  const untold: string[] = [];
  const messages = lines.filter(({ kind }) => kind === 'message');
  for (const { key, targetId, path: place, differences } of messages) {
    if (targetId === undefined) continue;
    const [original, copy] = [await answeredMessage(rig, userId, key), await answeredMessage(rig, userId, targetId)];
    for (const name of differing(original, copy)) {
      if (owned.has(name) || isTold(name, differences, MESSAGE_TOLD_AS)) continue;
      untold.push(`${place}: ${name}: ${original.get(name) ?? ''} is ${copy.get(name) ?? ''}`.slice(0, 400));
    }
  }
  const failed = messages.filter(({ targetId }) => targetId === undefined).map(({ path: place, code }) => `${place} ${code ?? ''}`);
  const told = new Set(messages.flatMap(({ differences }) => differences.map((name) => name.split(' ')[0] ?? '')));
  return { untold, told, restored: messages.length - failed.length, failed };
}

function expectOnPage(told: ReadonlySet<string>): void {
  const named = differencesOf('Mail');
  expect([...told].filter((name) => !named.has(name))).toEqual([]);
}

/** A service that takes a message with its times and its state, and none with a header line. */
function refusingHeaders(graph: GraphClient): GraphClient {
  const { mail } = graph.exchange;
  const createMessage: typeof mail.createMessage = async (folder, body, options) => {
    const extended = (body['singleValueExtendedProperties'] ?? []) as readonly { readonly id: string }[];
    if (extended.some(({ id }) => id.startsWith('String '))) throw graphError('graph.bad-request');
    return mail.createMessage(folder, body, options);
  };
  return { ...graph, exchange: { ...graph.exchange, mail: { ...mail, createMessage } } };
}

describe('the copy of a message says what the original says, or the report names the property', () => {
  it('for generated mail', async () => {
    const rig = await createRig({ recipes: ['tiny'] });
    try {
      for (const userId of await mailboxesOf(rig)) {
        const { untold, told, failed } = await compareCopies(rig, userId);
        expect(untold).toEqual([]);
        expect(failed).toEqual([]);
        expectOnPage(told);
      }
    } finally {
      await rig.close();
    }
  });

  it('when the service refuses header lines, of which each is named then', async () => {
    const rig = await createRig({ recipes: ['tiny'] });
    try {
      const [userId = ''] = await mailboxesOf(rig);
      const { untold, told, failed, restored } = await compareCopies(rig, userId, refusingHeaders);
      expect({ untold, failed }).toEqual({ untold: [], failed: [] });
      expect(restored).toBeGreaterThan(5);
      expect(told.has('header')).toBe(true);
      expect(told.has('isDraft')).toBe(false);
    } finally {
      await rig.close();
    }
  });

  it('for real mail of many senders and programs', { timeout: 300_000 }, async ({ skip }) => {
    if (!existsSync(CORPORA)) skip('the corpora are not on this machine');
    const rig = await createRig({ recipes: ['tiny'], prepare: (tenant) => void loadCorpus(tenant, CORPORA) });
    try {
      let restored = 0;
      const untold: string[] = [];
      for (const userId of await mailboxesOf(rig)) {
        const compared = await compareCopies(rig, userId);
        untold.push(...compared.untold);
        restored += compared.restored;
        expectOnPage(compared.told);
      }
      expect(untold).toEqual([]);
      expect(restored).toBeGreaterThan(900);
    } finally {
      await rig.close();
    }
  });
});
