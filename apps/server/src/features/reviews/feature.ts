import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RunsStore } from '../../runs/index.ts';
import type { CaseReviews } from '../cases/index.ts';
import { createReviewExports, type ReviewExports } from './review-exports.ts';
import { createReviewsService } from './reviews.service.ts';
import { createReviewMarksService } from './review-marks.service.ts';
import { mountReviewMarks, mountReviews } from './reviews.routes.ts';

interface ReviewsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly caseReviews: CaseReviews;
  readonly runs: Pick<RunsStore, 'enqueue'>;
}

interface ReviewsFeature extends Feature {
  readonly reviewExports: ReviewExports;
}

export function createReviewsFeature(ports: ReviewsPorts): ReviewsFeature {
  const parts = { ...ports, cases: ports.caseReviews };
  const service = createReviewsService(parts);
  const marks = createReviewMarksService(parts);
  return Object.freeze<ReviewsFeature>({
    reviewExports: createReviewExports(ports.caseReviews),
    mount: (app) =>
      inEachRealm((realm) => {
        mountReviews(app, service, realm);
        mountReviewMarks(app, marks, realm);
      }),
  });
}
