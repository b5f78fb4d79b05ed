import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, said, tenantParams } from './shared/values.ts';

export const tagColours = ['blue', 'green', 'yellow', 'red', 'purple', 'grey'] as const;
export type TagColour = (typeof tagColours)[number];

/** So many tags can be in a case. */
export const tagsMax = 50;

export const reviewTagBody = z.object({
  name: oneLine(said(60)),
  colour: z.enum(tagColours).default('blue'),
  /** Of the tags of a group an item has one at most; a tag without a group stands for itself. */
  group: oneLine(z.string().trim().max(60, { error: 'validation.tooLong' })).default(''),
});
export type ReviewTagBody = z.infer<typeof reviewTagBody>;

export const reviewTag = reviewTagBody.extend({
  tagId: id,
  /** How many contents of all review sets have it. */
  contents: z.number().int(),
});
export type ReviewTag = z.infer<typeof reviewTag>;

export const reviewNoteBody = z.object({ text: said(2_000) });

export const reviewNote = z.object({ noteId: id, text: z.string(), author: z.string(), at: instant, isOwn: z.boolean() });
export type ReviewNote = z.infer<typeof reviewNote>;

const caseParams = tenantParams.extend({ caseId: id });
const itemParams = caseParams.extend({ setId: id, position: z.coerce.number().int().min(1) });
const opening = ['cases.closed', 'cases.content-right-needed'] as const;
const item = '/api/:tenantId/archive/cases/:caseId/review/:setId/items/:position';
const tagged = z.object({ tags: z.array(id) });

/** Tags and notes that reviewers put on contents. Both belong to the case and go with it. */
export const reviewMarks = {
  tags: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/cases/:caseId/tags',
    action: 'cases.work',
    summary: 'The tags of a case and how many contents have each',
    params: caseParams,
    response: z.object({ items: z.array(reviewTag) }),
  }),
  addTag: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/cases/:caseId/tags',
    action: 'cases.work',
    summary: 'Add a tag to a case',
    params: caseParams,
    body: reviewTagBody,
    response: reviewTag,
    status: 201,
    errors: [...opening, 'reviews.tag-taken', 'reviews.tags-full'],
  }),
  removeTag: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/cases/:caseId/tags/:tagId',
    action: 'cases.work',
    summary: 'Remove a tag from a case and from every content that has it',
    params: caseParams.extend({ tagId: id }),
    response: 'empty',
    status: 204,
    errors: opening,
  }),
  tag: defineRoute({
    method: 'PUT',
    path: `${item}/tags/:tagId`,
    action: 'cases.work',
    summary: 'Tag a content and all of its copies; another tag of the same group goes',
    params: itemParams.extend({ tagId: id }),
    response: tagged,
    errors: opening,
  }),
  untag: defineRoute({
    method: 'DELETE',
    path: `${item}/tags/:tagId`,
    action: 'cases.work',
    summary: 'Take a tag from a content and all of its copies',
    params: itemParams.extend({ tagId: id }),
    response: tagged,
    errors: opening,
  }),
  notes: defineRoute({
    method: 'GET',
    path: `${item}/notes`,
    action: 'cases.work',
    summary: 'What reviewers noted about a content, the oldest first',
    params: itemParams,
    response: z.object({ items: z.array(reviewNote) }),
    errors: opening,
  }),
  addNote: defineRoute({
    method: 'POST',
    path: `${item}/notes`,
    action: 'cases.work',
    summary: 'Note something about a content and all of its copies',
    params: itemParams,
    body: reviewNoteBody,
    response: reviewNote,
    status: 201,
    errors: [...opening, 'reviews.notes-full'],
  }),
  removeNote: defineRoute({
    method: 'DELETE',
    path: `${item}/notes/:noteId`,
    action: 'cases.work',
    summary: 'Remove a note of my own',
    params: itemParams.extend({ noteId: id }),
    response: 'empty',
    status: 204,
    errors: opening,
  }),
};
