import type { ReviewEstimate } from '@holdfast/contract/review-values';

const CONFIDENCE = 0.95;
/** Halvings of the interval: more than a double can tell apart. */
const STEPS = 60;

/** The probability of at most `most` successes in `tries`, summed from logarithms so that large samples do not underflow. */
function atMost(most: number, tries: number, share: number): number {
  if (most < 0) return 0;
  if (most >= tries || share <= 0) return 1;
  if (share >= 1) return 0;
  const step = Math.log(share) - Math.log1p(-share);
  let log = tries * Math.log1p(-share);
  let sum = Math.exp(log);
  for (let at = 1; at <= most; at += 1) {
    log += Math.log(tries - at + 1) - Math.log(at) + step;
    sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

/** The share at which a falling function passes a value. */
function where(falling: (share: number) => number, value: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (falling(middle) > value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The exact interval of Clopper and Pearson: the shares under which as many hits as were found, or as few, are no rarer than
 * one time in forty. It holds the truth at least 19 times in 20, however small the sample.
 */
export function estimateOf(found: number, sampled: number): ReviewEstimate | null {
  if (sampled === 0) return null;
  const tail = (1 - CONFIDENCE) / 2;
  return {
    share: found / sampled,
    low: found === 0 ? 0 : where((share) => atMost(found - 1, sampled, share), 1 - tail),
    high: found === sampled ? 1 : where((share) => atMost(found, sampled, share), tail),
    confidence: CONFIDENCE,
  };
}
