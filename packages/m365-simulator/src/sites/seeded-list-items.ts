import type { Random } from '@holdfast/foundation/random';
import { firstNames, lastNames, partners } from '../values/names.ts';
import { sentence, subjectLine } from '../content/prose.ts';
import { between, chance, guidOf, pick, randomOf } from '../values/seeded.ts';
import type { JsonObject } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import type { ListItemRecord, ListRecord, ListVersion } from '../places/list-records.ts';

const DAY_MS = 86_400_000;

/** The number by which lists point at a person: the place in the list of users of the site. */
export function lookupIdOf(tenant: Tenant, userId: string): number {
  const { recipe, seed } = tenant;
  for (let index = 0; index < recipe.people.members; index += 1) if (guidOf(seed, 'member', index) === userId) return index + 1;
  const feed = tenant.directory.userFeed();
  for (let position = 0; position < feed.size; position += 1) if (feed.at(position)?.id === userId) return position + 1;
  return 0;
}

function personFields(tenant: Tenant, random: Random): JsonObject {
  const people = Math.max(1, tenant.recipe.people.members);
  const someone = (): number => 1 + random.below(people);
  const team = [someone(), someone()].map((id) => ({
    LookupId: id,
    LookupValue: tenant.directory.userFeed().at(id - 1)?.displayName ?? '',
  }));
  return { ResponsibleLookupId: String(someone()), Team: team };
}

function taskFields(tenant: Tenant, list: ListRecord, random: Random): JsonObject {
  const language = chance(random, 0.5) ? 'de' : 'en';
  const title = subjectLine(random, language);
  const status = pick(random, ['Open', 'In progress', 'Done'] as const);
  const due = new Date(tenant.epochMs + between(random, -200, 100) * DAY_MS).toISOString().slice(0, 10);
  return {
    Title: title,
    Notes: sentence(random, language),
    Effort: between(random, 1, 40),
    Budget: between(random, 100, 90_000) + 0.5,
    Approved: chance(random, 0.5),
    Due: `${due}T00:00:00Z`,
    Status: status,
    Topics: chance(random, 0.5) ? ['Sales', 'Technik'] : ['Recht'],
    ...personFields(tenant, random),
    ContactLookupId: String(1 + random.below(Math.max(1, list.seededItems))),
    Link: { Description: title, Url: 'https://www.example.com/case' },
    Keyword: { Label: status, TermGuid: guidOf(tenant.seed, 'term', status), WssId: 1 },
  };
}

function contactFields(random: Random): JsonObject {
  const language = chance(random, 0.5) ? ('de' as const) : ('en' as const);
  const [company, domain] = pick(random, partners);
  const name = `${pick(random, firstNames[language])} ${pick(random, lastNames[language])}`;
  return {
    Title: name,
    Company: company,
    EMail: `contact${random.below(1000)}@${domain}`,
    Phone: `+49 30 555${between(random, 1000, 9999)}`,
  };
}

function peopleFields(tenant: Tenant, index: number): JsonObject {
  const person = tenant.directory.userFeed().at(index - 1);
  return {
    Title: person?.displayName ?? '',
    EMail: person?.mail ?? '',
    UserName: person?.userPrincipalName ?? '',
    Name: `i:0#.f|membership|${person?.userPrincipalName ?? ''}`,
  };
}

function fieldsOf(tenant: Tenant, list: ListRecord, index: number, random: Random): JsonObject {
  if (list.seedKind === 'people') return peopleFields(tenant, index);
  return list.seedKind === 'contacts' ? contactFields(random) : taskFields(tenant, list, random);
}

/** Item number `index` of a list of the seed, counted from 1. */
export function seededListItem(tenant: Tenant, list: ListRecord, index: number): ListItemRecord {
  const random = randomOf({ seed: tenant.seed, kind: 'listItem', owner: list.id, index });
  const createdMs = list.createdMs + Math.floor(random.next() * Math.max(1, tenant.epochMs - list.createdMs - 30 * DAY_MS));
  const createdBy = { userId: guidOf(tenant.seed, 'member', random.below(Math.max(1, tenant.recipe.people.members))) };
  const fields = fieldsOf(tenant, list, index, random);
  const count = list.seedKind === 'tasks' && chance(random, 0.3) ? between(random, 2, 4) : 1;
  const versions = Array.from({ length: count }, (_, place): ListVersion => {
    const isLast = place === count - 1;
    return {
      id: `${place + 1}.0`,
      fields: isLast ? fields : { ...fields, Status: 'Open', Effort: place },
      modifiedMs: createdMs + place * DAY_MS,
      modifiedBy: createdBy,
    };
  });
  return {
    id: index,
    contentTypeId: list.contentTypeIds.at(index % 3 === 0 ? -1 : 0) ?? '0x01',
    createdMs,
    modifiedMs: versions.at(-1)?.modifiedMs ?? createdMs,
    createdBy,
    modifiedBy: createdBy,
    fields,
    revision: count,
    versions,
  };
}
