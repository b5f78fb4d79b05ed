import { reviews as contract } from '@holdfast/contract/reviews';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { caseAskingOf } from '../cases/index.ts';
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
