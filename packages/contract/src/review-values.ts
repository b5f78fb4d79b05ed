import { z } from 'zod';
import { runStatuses } from './run-status.ts';
import { searchCoverage, searchHit } from './query/search.ts';
import { id, instant, oneLine, said } from './shared/values.ts';

const count = z.number().int();

/** What a reviewer decides about an item. `unreviewed` takes a decision back. */
export const reviewStatuses = ['unreviewed', 'relevant', 'notRelevant', 'privileged'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** So many items can be in a review set. */
export const reviewItemsMax = 100_000;
/** So many review sets can be in a case. */
export const reviewSetsMax = 200;
export const sampleSizeMax = 10_000;

/** What a set is made of: the hits of one query, those of all queries of the case, or what nobody has reviewed yet in another set. */
const reviewSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('query'), queryId: id }),
  z.object({ kind: z.literal('allQueries') }),
  z.object({ kind: z.literal('unreviewed'), setId: id }),
]);
export type ReviewSource = z.infer<typeof reviewSource>;

/** The same seed draws the same items from the same hits. */
const reviewSample = z.object({
  size: z.number({ error: 'validation.required' }).int().min(1).max(sampleSizeMax),
  seed: oneLine(said(100)),
});
export type ReviewSample = z.infer<typeof reviewSample>;

export const reviewBody = z.object({
  name: oneLine(said(100)),
  source: reviewSource,
  /** Everything when null. */
  sample: reviewSample.nullable().default(null),
});
export type ReviewBody = z.infer<typeof reviewBody>;

/** How much of the whole is relevant, from a sample that has been read to its end: an exact interval. */
export const reviewEstimate = z.object({ share: z.number(), low: z.number(), high: z.number(), confidence: z.number() });
export type ReviewEstimate = z.infer<typeof reviewEstimate>;

/** What a mail adds to its thread: see `reviewThread`. */
export const threadRoles = ['inclusive', 'inclusiveMinus', 'copy', 'none'] as const;

/** What is known of what the mail of a set repeats. */
export const reviewThreads = z.object({
  /** How far the last search for it has got. */
  status: z.enum(runStatuses),
  /** When what is known was found. */
  at: instant.nullable(),
  figures: z
    .object({
      mails: count,
      threads: count,
      /** Mails that say something that no later mail repeats, and those that could not be compared. */
      toRead: count,
      nearCopies: count,
      notCompared: count,
    })
    .nullable(),
});
export type ReviewThreads = z.infer<typeof reviewThreads>;

/** A frozen list of items. Copies of the same content are read once and decided together. */
export const reviewSet = z.object({
  setId: id,
  name: z.string(),
  /** The queries as they were read; empty for a set made from the rest of another one. */
  query: z.string(),
  sample: reviewSample.nullable(),
  /** How many items it was drawn from; without a sample all of them are in it. */
  population: count,
  items: count,
  creator: z.string(),
  createdAt: instant,
  /** What could be searched when it was made. */
  coverage: searchCoverage.nullable(),
  /** Contents by status, copies counted once: what has been and what has to be read. */
  progress: z.record(z.enum(reviewStatuses), count),
  estimate: reviewEstimate.nullable(),
  /** Null where nobody has looked for threads yet. */
  threads: reviewThreads.nullable(),
});
export type ReviewSet = z.infer<typeof reviewSet>;

/** `kept`: it can be read. `outside`: the case no longer includes it. `waiting`: the index has yet to read it. `gone`: no restore point has it. */
export const reviewPlaces = ['kept', 'outside', 'waiting', 'gone'] as const;

/** The place of a mail in its thread. Mails are numbered as in the set. */
export const reviewThread = z.object({
  /** The first mail of the thread. */
  first: count,
  mails: count,
  /**
   * `inclusive`: it has something that no later mail repeats. `inclusiveMinus`: it is repeated whole, but not an attachment of its own.
   * `copy`: the same mail again. `none`: another mail repeats all of it.
   */
  role: z.enum(threadRoles),
  /** The mail that says everything that this one says; itself where it is to be read. */
  shownBy: count,
});

/** The mail that one is nearly a copy of. */
export const nearCopy = z.object({ pivot: count, likeness: z.number() });

/** One content of a set with its decision. */
export const reviewItem = z.object({
  /** Its number in the set, which never changes. */
  position: count,
  status: z.enum(reviewStatuses),
  /** Rises with each decision: whoever decides names the one that they saw. */
  revision: count,
  reviewer: z.string().nullable(),
  reviewedAt: instant.nullable(),
  /** How many items have this content. */
  copies: count,
  place: z.enum(reviewPlaces),
  /** The first of the copies that can be read; null where none can. */
  hit: searchHit.nullable(),
  /** Null for what is no mail or was not compared. */
  thread: reviewThread.nullable(),
  nearCopy: nearCopy.nullable(),
  /** Tags of the case that it has, in the order in which they were given. */
  tags: z.array(id),
  /** How many notes there are about it. */
  notes: count,
});
export type ReviewItem = z.infer<typeof reviewItem>;

/** A mailbox, OneDrive or chat with contents of a set. */
export const reviewPerson = z.object({ resourceId: id, name: z.string(), address: z.string(), contents: count });
export type ReviewPerson = z.infer<typeof reviewPerson>;
