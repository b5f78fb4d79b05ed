import { attentionCodes, deviationsIn, type AttentionCode, type ReportFigures } from '@holdfast/contract/period-reports';
import { traitsOf } from '@holdfast/contract/jobs';

/** As many as somebody does. */
const THINGS_TO_DO = 3;

type Found = Omit<ReportFigures, 'attention'>;

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);

/** How often each thing is the case; zero for what needs nobody. */
function countsOf(found: Found): Readonly<Record<AttentionCode, number>> {
  const ran = (holds: (type: ReportFigures['runs'][number]['type']) => boolean): number =>
    sum(
      found.runs.filter(({ type }) => holds(type)),
      ({ successful, defective, failed }) => successful + defective + failed,
    );
  const drills = ran((type) => traitsOf(type).proves === true && traitsOf(type).putsBack === true);
  const verifications = ran((type) => traitsOf(type).proves === true && traitsOf(type).putsBack !== true);
  return {
    deviation: deviationsIn(found),
    failed: sum(found.runs, ({ failed }) => failed),
    unprotected: sum(found.protection, ({ unprotected }) => unprotected),
    unreadable: found.index.unreadable,
    noDrill: drills === 0 ? 1 : 0,
    noVerification: verifications === 0 ? 1 : 0,
    defective: sum(found.runs, ({ defective }) => defective),
  };
}

/** Three things to do, the gravest first. */
export function attentionOf(found: Found): ReportFigures['attention'] {
  const counts = countsOf(found);
  return attentionCodes
    .filter((code) => counts[code] > 0)
    .slice(0, THINGS_TO_DO)
    .map((code) => ({ code, count: counts[code] }));
}
