import type { Database } from '@holdfast/database';
import { testIds as ids, type Ground } from '../../../testing/rows.ts';
import type { Sight } from '../../marks/index.ts';
import type { NaiveItem, NaiveMarks } from './naive.ts';

const at = new Date('2024-06-01T00:00:00.000Z');
const PERIOD = { from: '2024-01-01T00:00:00.000Z', to: '2024-03-01T00:00:00.000Z' };
/** The first of every seven items are in the review set; the second of them is a copy of the first. */
const isReviewed = (place: number): boolean => place % 7 === 0;
const headOf = (place: number): number => (place === 7 ? 0 : place);

const isIn = ({ folders }: NaiveItem, key: string): boolean => folders.some((folder) => folder.key === key);

/** What somebody who works on the case Falcon, and manages deletions, sees on the item at a place of the corpus. */
export function marksOn(item: NaiveItem, place: number): NaiveMarks {
  const some = (name: string, isThere: boolean): readonly string[] => (isThere ? [name] : []);
  const moment = item.words.at ?? '';
  const inCase = (moment >= PERIOD.from && moment <= PERIOD.to) || place === 5 || isIn(item, 'sent') || isReviewed(place);
  return {
    hold: [...some('Falcon litigation', isIn(item, 'offers') || place === 4), ...some('Change of control', place === 1 || place === 8)],
    policy: [...some('Letters of Anna', isIn(item, 'inbox')), 'Everything, and the cat'],
    case: inCase ? ['Falcon: the offer', 'F-2024/7'] : [],
    tag: isReviewed(place) ? [...some('Urgent', headOf(place) === 0), ...some('Vertrag checked', place === 14)] : [],
    note: isReviewed(place) ? [...some('Call Anna about the offer, and Müller', place === 21), ...some('cat', headOf(place) === 0)] : [],
  };
}

interface Marked {
  readonly database: Database;
  readonly ground: Ground;
  readonly resourceId: string;
  readonly sourceId: string;
  readonly fromPoint: number;
  readonly reviewed: number;
}

async function placeHolds({ database, ground: { scope, tenantId }, resourceId }: Marked): Promise<void> {
  const holds = [
    ['Falcon litigation', ['offers', 'm4'], null],
    ['Change of control', ['m1', 'm8'], null],
    ['Old vertrag', ['m2'], at],
  ] as const;
  await database.within(scope, async (tx) => {
    for (const [name, keys, released_at] of holds) {
      const hold_id = ids.uuid();
      const placed = { placed_by: ids.uuid(), placer: 'someone', placed_at: at };
      await tx
        .insertInto('holds')
        .values({ hold_id, tenant_id: tenantId, resource_id: resourceId, name, reason: 'Test', released_at, ...placed })
        .execute();
      const named = keys.map((item_key) => ({ hold_id, item_key, name: item_key, is_container: item_key === 'offers' }));
      await tx.insertInto('hold_items').values(named).execute();
    }
  });
}

async function makePolicies({ database, ground: { scope, tenantId }, resourceId }: Marked): Promise<void> {
  const policies = [
    ['Letters of Anna', 'inbox', at, null],
    ['Everything, and the cat', '', at, null],
    ['Ended control', '', at, at],
    ['Drafted offer', '', null, null],
  ] as const;
  const length = { anchor: 'received', amount: 6, unit: 'years', starts: 'day', fiscal_year_end: 12 } as const;
  await database.within(scope, async (tx) => {
    for (const [name, item_key, activated_at, ended_at] of policies) {
      const policy_id = ids.uuid();
      const made = { created_by: ids.uuid(), creator: 'someone', created_at: at, activated_at, ended_at };
      await tx
        .insertInto('retention_policies')
        .values({ policy_id, tenant_id: tenantId, name, about: 'files', is_everything: false, ...length, ...made })
        .execute();
      await tx
        .insertInto('retention_policy_places')
        .values({ policy_id, resource_id: resourceId, item_key, name: item_key, is_container: true })
        .execute();
    }
  });
}

/** A case with its files, and a review set with tags and notes. */
async function makeCase(
  { database, ground: { scope, tenantId }, resourceId, sourceId, fromPoint, reviewed }: Marked,
  asked: { readonly matter: string; readonly reference: string; readonly memberId: string },
  given: { readonly tags: readonly (readonly [string, number])[]; readonly notes: readonly (readonly [string, number])[] },
): Promise<void> {
  const { matter, reference, memberId } = asked;
  const [case_id, set_id] = [ids.uuid(), ids.uuid()];
  await database.within(scope, async (tx) => {
    const made = { created_by: ids.uuid(), creator: 'someone', created_at: at };
    const period = { from_at: new Date(PERIOD.from), to_at: new Date(PERIOD.to) };
    await tx
      .insertInto('cases')
      .values({ case_id, tenant_id: tenantId, matter, reference, ...period, ...made })
      .execute();
    await tx.insertInto('case_members').values({ case_id, account_id: memberId, added_at: at, added_by: ids.uuid() }).execute();
    const person = { person_key: 'u:ann', name: 'Ann', address: '' };
    await tx
      .insertInto('case_custodians')
      .values({ case_id, custodian_id: ids.uuid(), ...person, added_at: at })
      .execute();
    for (const item_key of ['m5', 'sent']) {
      const file = { resource_id: resourceId, item_key, name: item_key, is_container: item_key === 'sent', note: '', adder: 'someone' };
      await tx
        .insertInto('case_files')
        .values({ case_id, file_id: ids.uuid(), ...file, added_at: at })
        .execute();
    }
    const size = { population: reviewed, items: reviewed, creator: 'someone', created_at: at };
    await tx
      .insertInto('review_sets')
      .values({ set_id, case_id, name: 'First', query: '', ...size })
      .execute();
    const places = Array.from({ length: reviewed }, (_, index) => index).filter(isReviewed);
    const item = { source_id: sourceId, resource_id: resourceId, from_point: fromPoint, at, size_bytes: 1 };
    const rows = places.map((place) => ({
      ...item,
      set_id,
      position: place + 1,
      copy_of: headOf(place) + 1,
      item_key: `m${place}`,
      content_hash: null,
      revision: 0,
      status: 'unreviewed' as const,
    }));
    await tx.insertInto('review_items').values(rows).execute();
    for (const [name, place] of given.tags) {
      const tag_id = ids.uuid();
      await tx.insertInto('case_tags').values({ case_id, tag_id, name, colour: 'red', tag_group: '', created_at: at }).execute();
      await tx
        .insertInto('review_tags')
        .values({ set_id, position: place + 1, tag_id, tagger: 'someone', tagged_at: at })
        .execute();
    }
    for (const [text, place] of given.notes) {
      const note = { note_id: ids.uuid(), text, author_id: ids.uuid(), author: 'someone', at };
      await tx
        .insertInto('review_notes')
        .values({ ...note, set_id, position: place + 1 })
        .execute();
    }
  });
}

/** Puts marks on the first items of a corpus; answers who sees them. A case of others has some of the same names. */
export async function markCorpus(marked: Marked): Promise<Sight> {
  const accountId = ids.uuid();
  await placeHolds(marked);
  await makePolicies(marked);
  const tags = [
    ['Urgent', 0],
    ['Vertrag checked', 14],
  ] as const;
  const notes = [
    ['Call Anna about the offer, and Müller', 21],
    ['cat', 0],
  ] as const;
  await makeCase(marked, { matter: 'Falcon: the offer', reference: 'F-2024/7', memberId: accountId }, { tags, notes });
  const theirs = { tags: [['Urgent control', 28]], notes: [['secret offer', 28]] } as const;
  await makeCase(marked, { matter: 'Eagle: the offer', reference: 'E-2024/7', memberId: ids.uuid() }, theirs);
  return { tenantId: marked.ground.tenantId, accountId, role: 'administrator' };
}
