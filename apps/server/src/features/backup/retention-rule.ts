import type { RetentionRule } from '@holdfast/contract/jobs';

/** A restore point as retention sees it. */
export interface KeptPoint {
  readonly sequence: number;
  readonly at: Date;
}

const DAY_MS = 86_400_000;

/** The newest point of each of the `count` newest periods. */
function newestOfPeriods(points: readonly KeptPoint[], count: number, periodOf: (at: Date) => string): Set<number> {
  const kept = new Map<string, number>();
  for (const point of [...points].sort((a, b) => b.sequence - a.sequence)) {
    const period = periodOf(point.at);
    if (kept.has(period)) continue;
    if (kept.size >= count) break;
    kept.set(period, point.sequence);
  }
  return new Set(kept.values());
}

function isoDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The Monday of the week, which names it. */
function isoWeek(at: Date): string {
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return isoDay(new Date(at.getTime() - sinceMonday * DAY_MS));
}

function keptBy(points: readonly KeptPoint[], rule: RetentionRule, now: Date): (point: KeptPoint) => boolean {
  switch (rule.mode) {
    case 'all':
      return () => true;
    case 'days':
      return (point) => now.getTime() - point.at.getTime() <= rule.days * DAY_MS;
    case 'count': {
      const newest = new Set(
        [...points]
          .sort((a, b) => b.sequence - a.sequence)
          .slice(0, rule.count)
          .map((point) => point.sequence),
      );
      return (point) => newest.has(point.sequence);
    }
    case 'gfs': {
      const kept = [
        newestOfPeriods(points, rule.daily, isoDay),
        newestOfPeriods(points, rule.weekly, isoWeek),
        newestOfPeriods(points, rule.monthly, (at) => isoDay(at).slice(0, 7)),
        newestOfPeriods(points, rule.yearly, (at) => isoDay(at).slice(0, 4)),
      ];
      return (point) => kept.some((set) => set.has(point.sequence));
    }
  }
}

/** The points that a rule gives up, oldest first. The newest point of a source always stays. */
export function pointsToGiveUp(points: readonly KeptPoint[], rule: RetentionRule, now: Date): KeptPoint[] {
  const isKept = keptBy(points, rule, now);
  const newest = Math.max(...points.map((point) => point.sequence));
  return points.filter((point) => point.sequence !== newest && !isKept(point)).sort((a, b) => a.sequence - b.sequence);
}
