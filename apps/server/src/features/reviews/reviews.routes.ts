import { reviewMarks } from '@holdfast/contract/review-marks';
import { reviews as contract } from '@holdfast/contract/reviews';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { caseAskingOf } from '../cases/index.ts';
import type { ReviewMarksService } from './review-marks.service.ts';
import type { ReviewsService } from './reviews.service.ts';

/** Mounts review sets over one realm. */
export function mountReviews(app: HttpApp, service: ReviewsService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => service.list(caseAskingOf(context), context.params.caseId),
      create: (context) => service.create(caseAskingOf(context), context.params.caseId, context.body),
      get: (context) => service.get(caseAskingOf(context), context.params),
      items: (context) => service.items(caseAskingOf(context), context.params, context.body),
      findThreads: (context) => service.findThreads(caseAskingOf(context), context.params),
      decide: (context) => service.decide(caseAskingOf(context), context.params, context.body),
    },
    { surface: 'main', realm },
  );
}

/** Mounts tags and notes over one realm. */
export function mountReviewMarks(app: HttpApp, service: ReviewMarksService, realm: Realm): void {
  mount(
    app,
    reviewMarks,
    {
      tags: (context) => service.tags(caseAskingOf(context), context.params.caseId),
      addTag: (context) => service.addTag(caseAskingOf(context), context.params.caseId, context.body),
      removeTag: (context) => service.removeTag(caseAskingOf(context), context.params.caseId, context.params.tagId),
      tag: (context) => service.tag(caseAskingOf(context), context.params),
      untag: (context) => service.untag(caseAskingOf(context), context.params),
      notes: (context) => service.notes(caseAskingOf(context), context.params),
      addNote: (context) => service.addNote(caseAskingOf(context), context.params, context.body.text),
      removeNote: (context) => service.removeNote(caseAskingOf(context), context.params),
    },
    { surface: 'main', realm },
  );
}
