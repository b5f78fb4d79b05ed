import { tagsMax, type ReviewNote, type ReviewTag, type ReviewTagBody } from '@holdfast/contract/review-marks';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { CaseAsking, CaseReviews } from '../cases/index.ts';
import {
  addNote,
  addTag,
  notesOn,
  readTag,
  removeNote,
  removeTag,
  tagContent,
  tagsOf,
  tagsOn,
  untagContent,
  type CaseTagRow,
} from './review-marks.store.ts';
import { readHead, readSet } from './review-sets.store.ts';

interface ItemPlace {
  readonly caseId: string;
  readonly setId: string;
  readonly position: number;
}

/** Tags of a case, and what reviewers put on contents. */
export interface ReviewMarksService {
  tags(asking: CaseAsking, caseId: string): Promise<{ items: ReviewTag[] }>;
  addTag(asking: CaseAsking, caseId: string, body: ReviewTagBody): Promise<ReviewTag>;
  removeTag(asking: CaseAsking, caseId: string, tagId: string): Promise<void>;
  tag(asking: CaseAsking, place: ItemPlace & { readonly tagId: string }): Promise<{ tags: string[] }>;
  untag(asking: CaseAsking, place: ItemPlace & { readonly tagId: string }): Promise<{ tags: string[] }>;
  notes(asking: CaseAsking, place: ItemPlace): Promise<{ items: ReviewNote[] }>;
  addNote(asking: CaseAsking, place: ItemPlace, text: string): Promise<ReviewNote>;
  removeNote(asking: CaseAsking, place: ItemPlace & { readonly noteId: string }): Promise<void>;
}

interface MarksParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly cases: CaseReviews;
}

/** As many notes as a page shows. */
const NOTES_MAX = 200;

/** Steps that everything shares: an open case that the asker may read, and the content in it. */
function createSteps({ cases }: MarksParts) {
  return {
    async content(tx: Tx, asking: CaseAsking, { caseId, setId, position }: ItemPlace) {
      const of = await cases.read(tx, asking, caseId);
      const set = await readSet(tx, caseId, setId);
      if (!set || !(await readHead(tx, setId, position))) throw new AppError('not-found');
      return { of, told: { name: set.name, item: position } };
    },
    async tag(tx: Tx, caseId: string, tagId: string): Promise<CaseTagRow> {
      const tag = await readTag(tx, caseId, tagId);
      if (!tag) throw new AppError('not-found');
      return tag;
    },
  };
}

function createTagging(parts: MarksParts): Omit<ReviewMarksService, 'notes' | 'addNote' | 'removeNote'> {
  const { database, clock, ids, cases } = parts;
  const steps = createSteps(parts);
  return {
    tags: (asking, caseId) =>
      database.within(asking.scope, async (tx) => {
        await cases.find(tx, asking, caseId);
        return { items: await tagsOf(tx, caseId) };
      }),
    addTag: (asking, caseId, body) =>
      database.within(asking.scope, async (tx) => {
        const of = await cases.change(tx, asking, caseId);
        const known = await tagsOf(tx, caseId);
        if (known.length >= tagsMax) throw new AppError('reviews.tags-full');
        if (known.some(({ name }) => name.toLowerCase() === body.name.toLowerCase())) {
          throw new AppError('reviews.tag-taken', { details: { field: 'name' } });
        }
        const tagId = ids.uuid();
        await addTag(tx, caseId, { ...body, tagId, at: now(clock) });
        await cases.note(tx, asking, { event: 'cases.tag-added', of, details: { tag: body.name } });
        return { ...body, tagId, contents: 0 };
      }),
    removeTag: (asking, caseId, tagId) =>
      database.within(asking.scope, async (tx) => {
        const of = await cases.change(tx, asking, caseId);
        const { name } = await steps.tag(tx, caseId, tagId);
        await removeTag(tx, tagId);
        await cases.note(tx, asking, { event: 'cases.tag-removed', of, details: { tag: name } });
      }),
    tag: (asking, { tagId, ...place }) =>
      database.within(asking.scope, async (tx) => {
        const { of, told } = await steps.content(tx, asking, place);
        const tag = await steps.tag(tx, place.caseId, tagId);
        const hadIt = await tagContent(tx, place, { tag, tagger: asking.actor.email, at: now(clock) });
        if (!hadIt) await cases.note(tx, asking, { event: 'cases.tagged', of, details: { ...told, tag: tag.name } });
        return { tags: await tagsOn(tx, place) };
      }),
    untag: (asking, { tagId, ...place }) =>
      database.within(asking.scope, async (tx) => {
        const { of, told } = await steps.content(tx, asking, place);
        const tag = await steps.tag(tx, place.caseId, tagId);
        const hadIt = await untagContent(tx, place, tagId);
        if (hadIt) await cases.note(tx, asking, { event: 'cases.untagged', of, details: { ...told, tag: tag.name } });
        return { tags: await tagsOn(tx, place) };
      }),
  };
}

export function createReviewMarksService(parts: MarksParts): ReviewMarksService {
  const { database, clock, ids, cases } = parts;
  const steps = createSteps(parts);
  return Object.freeze<ReviewMarksService>({
    ...createTagging(parts),
    notes: (asking, place) =>
      database.within(asking.scope, async (tx) => {
        await steps.content(tx, asking, place);
        return { items: await notesOn(tx, place, asking.actor.accountId) };
      }),
    addNote: (asking, place, text) =>
      database.within(asking.scope, async (tx) => {
        const { of, told } = await steps.content(tx, asking, place);
        const { accountId, email: author } = asking.actor;
        if ((await notesOn(tx, place, accountId)).length >= NOTES_MAX) throw new AppError('reviews.notes-full');
        const [noteId, at] = [ids.uuid(), now(clock)];
        await addNote(tx, { note_id: noteId, set_id: place.setId, position: place.position, text, author_id: accountId, author, at });
        // What it says stays in the case: the audit log outlives it.
        await cases.note(tx, asking, { event: 'cases.noted', of, details: told });
        return { noteId, text, author, at: at.toISOString(), isOwn: true };
      }),
    removeNote: (asking, { noteId, ...place }) =>
      database.within(asking.scope, async (tx) => {
        const { of, told } = await steps.content(tx, asking, place);
        if (!(await removeNote(tx, place, { noteId, authorId: asking.actor.accountId }))) throw new AppError('not-found');
        await cases.note(tx, asking, { event: 'cases.note-removed', of, details: told });
      }),
  });
}
