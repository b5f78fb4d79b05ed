import { describe, expect, it } from 'vitest';
import { randomOf } from '../values/seeded.ts';
import { placesOf } from '../places/places.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { allChannels } from '../places/team-records.ts';
import { workloads } from '../workloads.ts';
import { recipeNames } from './recipes.ts';

const DAYS = 10;
const DAY_MS = 86_400_000;
/** Of each kind: the largest recipes have tens of thousands. */
const SAMPLE = 2;
const LARGEST_INBOX = 1_000;

function playDay({ tenant, clock }: InProcess, day: number): void {
  clock.advance(DAY_MS);
  for (const workload of workloads) {
    workload.playDay?.(tenant, randomOf({ seed: tenant.seed, kind: 'day', owner: workload.name, index: day }));
  }
}

/** A few people with mailboxes, and no mailbox of a million. */
async function somePeople(world: InProcess): Promise<string[]> {
  const found: string[] = [];
  for (const { id, hasMailbox } of world.tenant.directory.users()) {
    if (found.length === SAMPLE) break;
    if (!hasMailbox) continue;
    const { json } = await world.get(`/users/${id}/mailFolders/inbox`);
    if (Number(json['totalItemCount']) <= LARGEST_INBOX) found.push(id);
  }
  return found;
}

async function idsAt(world: InProcess, address: string): Promise<string[]> {
  const { json } = await world.get(address);
  return (json['value'] as unknown as { id: string }[]).map(({ id }) => id);
}

async function deltasOfPerson(world: InProcess, id: string): Promise<string[]> {
  const person = `/users/${id}`;
  const [calendars, folders, lists] = await Promise.all(
    ['calendars', 'contactFolders', 'todo/lists'].map((name) => idsAt(world, `${person}/${name}`)),
  );
  const span = 'startDateTime=2020-01-01T00:00:00Z&endDateTime=2030-01-01T00:00:00Z';
  return [
    `${person}/mailFolders/delta`,
    `${person}/mailFolders/inbox/messages/delta?$top=1000`,
    ...(calendars ?? []).map((calendar) => `${person}/calendars/${calendar}/calendarView/delta?${span}`),
    ...(folders ?? []).map((folder) => `${person}/contactFolders/${folder}/contacts/delta`),
    ...(lists ?? []).map((list) => `${person}/todo/lists/${list}/tasks/delta`),
  ];
}

/** Where a backup asks what has changed, for a few of each kind. */
async function deltaAddresses(world: InProcess): Promise<string[]> {
  const { tenant } = world;
  const { libraries } = placesOf(tenant);
  const drives = [...libraries.slice(0, SAMPLE), ...libraries.filter((library) => library.driveType === 'documentLibrary').slice(-SAMPLE)];
  const addresses = ['/users/delta', '/groups/delta'];
  for (const id of await somePeople(world)) addresses.push(...(await deltasOfPerson(world, id)));
  for (const { driveId, siteId } of drives) {
    addresses.push(`/drives/${driveId}/root/delta`);
    for (const list of await idsAt(world, `/sites/${siteId}/lists`)) addresses.push(`/sites/${siteId}/lists/${list}/items/delta`);
  }
  for (const { teamId, id } of allChannels(tenant).slice(0, SAMPLE)) addresses.push(`/teams/${teamId}/channels/${id}/messages/delta`);
  return addresses;
}

async function linksOf(world: InProcess, addresses: readonly string[]): Promise<string[]> {
  const links: string[] = [];
  for (const address of addresses) links.push((await world.all(address)).deltaLink ?? address);
  return links;
}

/** Deletes one thing of each kind in a way that no recycle bin keeps. */
async function deleteForGood(world: InProcess): Promise<void> {
  const { tenant } = world;
  const [person = ''] = await somePeople(world);
  const { json: mail } = await world.get(`/users/${person}/mailFolders/inbox/messages?$top=1`);
  const [message] = mail['value'] as unknown as { id: string }[];
  const answers = [await world.ask('POST', `/users/${person}/messages/${message?.id}/permanentDelete`)];
  for (const { driveId } of placesOf(tenant).libraries.slice(0, SAMPLE)) {
    const { json } = await world.get(`/drives/${driveId}/root/children`);
    const items = json['value'] as unknown as { id: string; folder?: object }[];
    for (const item of [items.find(({ folder }) => folder), items.find(({ folder }) => !folder)]) {
      if (item) answers.push(await world.ask('POST', `/drives/${driveId}/items/${item.id}/permanentDelete`));
    }
  }
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
}

describe.each(recipeNames)('%s', (recipe) => {
  it('has one thing at each address, and every channel has its files', async () => {
    const world = createInProcess({ workloads, recipe });
    const { sites, libraries } = placesOf(world.tenant);
    expect(new Set(sites.map(({ hostName, path }) => `${hostName}${path}`.toLowerCase())).size).toBe(sites.length);
    expect(new Set(libraries.map(({ driveId }) => driveId)).size).toBe(libraries.length);
    for (const { teamId, id } of allChannels(world.tenant).slice(0, 40)) {
      expect((await world.get(`/teams/${teamId}/channels/${id}/filesFolder`)).status).toBe(200);
    }
  });

  it('is worked in for ten days, things are deleted for good, and every delta goes on', async () => {
    const world = createInProcess({ workloads, recipe });
    let links = await linksOf(world, await deltaAddresses(world));
    for (let day = 1; day <= DAYS; day += 1) {
      playDay(world, day);
      if (day === DAYS / 2) await deleteForGood(world);
      if (day % 5 === 0) links = await linksOf(world, links);
    }
    await linksOf(world, await deltaAddresses(world));
    world.requireValid();
  });
});
