import type { Paper } from '@holdfast/contract/paper';
import { reportsAddress } from '@holdfast/contract/reporting';
import { fill, type Language } from '../../http/language.ts';
import { figure, reportWords, tableOf, type ReportOwner } from '../period-reports/index.ts';
import type { ProtectedResource, ProtectionCounts } from '../reporting/index.ts';

export interface ProtectionOfAll {
  readonly owner: ReportOwner;
  readonly at: Date;
  readonly counts: readonly ProtectionCounts[];
  readonly rows: readonly ProtectedResource[];
}

/** How well everybody is protected, those who are not at all first. */
export function protectionPaper({ owner, at, counts, rows }: ProtectionOfAll, language: Language): Paper {
  const { own, phrases, count, moment, reason } = reportWords(language, owner.timeZone);
  const states = ['unprotected', 'partly', 'excluded', 'protected'] as const;
  const sum = (name: (typeof states)[number]): number => counts.reduce((total, row) => total + row[name], 0);
  const sections = states.map((state) => ({
    title: phrases.status[state],
    blocks: [
      tableOf({ title: '', rows: rows.filter((row) => row.state === state), empty: phrases.common.none }, [
        { title: own.name, of: ({ name }) => name, width: 3 },
        { title: own.address, of: ({ address }) => address, width: 4 },
        { title: phrases.common.workload, of: ({ workload }) => phrases.common[workload] },
        { title: own.newestPoint, of: ({ newestPointAt }) => (newestPointAt === null ? '' : moment(newestPointAt)), width: 3 },
        { title: own.reason, of: (row) => reason(row.reason), width: 5 },
      ]),
    ],
  }));
  return {
    language,
    title: own.protectionTitle,
    subtitle: moment(at.toISOString()),
    verdict: {
      ...(sum('unprotected') + sum('partly') === 0
        ? { ink: 'success' as const, state: own.verdicts.well }
        : { ink: 'warning' as const, state: own.verdicts.attention }),
      text: fill(own.verdicts.protection, {
        protected: count(sum('protected')),
        all: count(sum('protected') + sum('partly') + sum('unprotected')),
        excluded: count(sum('excluded')),
      }),
    },
    facts: [
      { label: own.organisation, value: owner.organisation },
      { label: own.tenant, value: owner.tenant },
      { label: own.madeAt, value: `${moment(at.toISOString())} (${owner.timeZone})` },
    ],
    sections: [
      {
        title: own.protection,
        blocks: [
          { kind: 'figures', figures: states.map((state) => figure(phrases.status[state], count(sum(state)), reportsAddress('coverage'))) },
        ],
      },
      ...sections,
    ],
  };
}
