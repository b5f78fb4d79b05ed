import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import type { JsonObject } from '../values/json.ts';
import { recipeNamed } from '../recipes/recipes.ts';
import { createInProcess } from '../testing/in-process.ts';
import { mailWorkload } from './mail-workload.ts';

const NAMES = [
  'id',
  'changeKey',
  'isRead',
  'isDraft',
  'flag',
  'categories',
  'importance',
  'inferenceClassification',
  'hasAttachments',
  'parentFolderId',
  'internetMessageId',
  'createdDateTime',
  'lastModifiedDateTime',
  'receivedDateTime',
  'sentDateTime',
  'isReadReceiptRequested',
  'isDeliveryReceiptRequested',
];

const asked = fc.record({
  names: fc.shuffledSubarray(NAMES, { minLength: 1 }),
  folder: fc.constantFrom('inbox', 'sentitems', 'drafts', 'deleteditems'),
  member: fc.nat(24),
  size: fc.integer({ min: 1, max: 400 }),
  isImmutable: fc.boolean(),
});

describe('entries that are written in bytes', () => {
  it('are those that an object for each would give', async () => {
    const contoso = recipeNamed('contoso');
    const recipe = { ...contoso, mail: { ...contoso.mail, total: 20_000 } };
    const graph = createInProcess({ workloads: [directoryWorkload, mailWorkload], recipe, seed: 7 });
    const people = graph.tenant.directory.users().filter((person) => person.hasMailbox);
    const inboxes = await Promise.all(people.map(({ id }) => graph.get(`/users/${id}/mailFolders/inbox`)));
    const users = people.filter((_person, index) => inboxes[index]?.status === 200);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(asked, async ({ names, folder, member, size, isImmutable }) => {
        const prefer = `odata.maxpagesize=${size}${isImmutable ? ', IdType="ImmutableId"' : ''}`;
        const address = `/users/${users[member % users.length]?.id}/mailFolders/${folder}/messages/delta?$select=${names.join(',')}`;
        const written = await graph.get(address, { prefer });
        // A property that is never written in bytes: all others of the entry then come from its object.
        const rendered = await graph.get(`${address},webLink`, { prefer });
        const expected = (rendered.json['value'] as JsonObject[]).map(({ webLink: _unwritten, ...entry }) => JSON.stringify(entry));
        const found = (written.json['value'] as JsonObject[]).map((entry) => JSON.stringify(entry));
        expect(found).toEqual(expected);
        compared += found.length;
      }),
      { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(1000);
    graph.requireValid();
  });

  it('come in pages that end where the folder does', async () => {
    const graph = createInProcess({ workloads: [directoryWorkload, mailWorkload], recipe: 'contoso', seed: 7 });
    const user = graph.tenant.directory.users()[0]?.id ?? '';
    const address = `/users/${user}/mailFolders/inbox/messages/delta?$select=isRead`;
    const whole = await graph.all(address, { prefer: 'odata.maxpagesize=1000' });
    const parts = await graph.all(address, { prefer: 'odata.maxpagesize=7' });
    expect(parts.entries).toEqual(whole.entries);
    expect(parts.pages).toBe(Math.ceil(whole.entries.length / 7));
    expect(parts.deltaLink).toBeDefined();
  });
});
