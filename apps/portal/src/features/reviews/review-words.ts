import type { ReviewEstimate, ReviewSet } from '@holdfast/contract/review-values';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** How many contents a set has, copies counted once, and how many of them have been decided. */
export function readOf({ progress }: Pick<ReviewSet, 'progress'>): { readonly all: number; readonly done: number } {
  const done = progress.relevant + progress.notRelevant + progress.privileged;
  return { done, all: done + progress.unreviewed };
}

/** What a set was made of, and what its sample says of the whole, in words. */
export function useReviewWords() {
  const text = useText();
  const format = useFormat();
  const bounds = ({ low, high }: ReviewEstimate, population: number): readonly [string, string] => [
    format.count(Math.floor(low * population)),
    format.count(Math.ceil(high * population)),
  ];
  return {
    sample: ({ sample, population }: ReviewSet): string =>
      sample === null
        ? text('reviews.everything')
        : text('reviews.sampleOf', { size: format.count(sample.size), population: format.count(population), seed: sample.seed }),
    estimate: ({ estimate }: ReviewSet): string =>
      estimate === null ? '' : `${format.percent(estimate.share)} (${format.percent(estimate.low)}–${format.percent(estimate.high)})`,
    estimated: ({ estimate, population }: ReviewSet): string | null => {
      if (estimate === null) return null;
      const [low, high] = bounds(estimate, population);
      return text('reviews.estimated', { share: format.percent(estimate.share), low, high, population: format.count(population) });
    },
  };
}
