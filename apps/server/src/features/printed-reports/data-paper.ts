import type { DataManagementAccount, DataManagementReport, AgeBucket } from '@holdfast/contract/compliance-values';
import type { Paper } from '@holdfast/contract/paper';
import { fill, type Language } from '../../http/language.ts';
import { figure, reportWords, tableOf, type ReportOwner } from '../period-reports/index.ts';

export interface DataReport {
  readonly owner: ReportOwner;
  readonly at: Date;
  readonly report: DataManagementReport;
  readonly ages: readonly { readonly age: AgeBucket; readonly files: number; readonly bytes: number }[];
  readonly sites: readonly DataManagementAccount[];
}

const address = (tab: string): string => `/compliance/reporting?tab=${tab}`;

/** What sites and OneDrives held when a scan ended, those that waste most first. */
export function dataPaper({ owner, at, report, ages, sites }: DataReport, language: Language): Paper {
  const { own, phrases, count, size, moment } = reportWords(language, owner.timeZone);
  const words = phrases.compliance;
  const { counts } = report;
  return {
    language,
    title: phrases.compliance.reportTitle,
    subtitle: moment(report.reportDate),
    verdict: {
      ...(counts.exposed > 0
        ? { ink: 'warning' as const, state: own.verdicts.attention }
        : { ink: 'success' as const, state: own.verdicts.well }),
      text: fill(own.verdicts.data, { files: count(counts.files), size: size(counts.bytes), exposed: count(counts.exposed) }),
    },
    facts: [
      { label: own.organisation, value: owner.organisation },
      { label: own.tenant, value: owner.tenant },
      { label: own.number, value: String(report.reportNumber) },
      { label: words.kind, value: words.scanKinds[report.kind] },
      { label: own.madeAt, value: `${moment(at.toISOString())} (${owner.timeZone})` },
    ],
    sections: [
      {
        title: words.sites,
        blocks: [
          {
            kind: 'figures',
            figures: [
              figure(words.sites, count(counts.sites), '/compliance'),
              figure(words.files, count(counts.files), '/compliance'),
              figure(words.size, size(counts.bytes), '/compliance'),
              figure(words.versionBytes, size(counts.versionBytes), address('waste')),
              figure(words.duplicates, `${count(counts.duplicates)} (${size(counts.duplicateBytes)})`, address('duplicates')),
              figure(words.exposed, count(counts.exposed), address('exposure')),
              figure(words.deleted, count(counts.deleted), '/compliance'),
            ],
          },
          tableOf({ title: '', rows: sites, empty: words.noAccounts }, [
            { title: phrases.common.name, of: ({ name }) => name, width: 4 },
            { title: words.files, of: ({ items }) => count(items), number: ({ items }) => items },
            { title: words.size, of: ({ bytes }) => size(bytes), number: ({ bytes }) => bytes },
            { title: words.versionBytes, of: ({ versionBytes }) => size(versionBytes), number: ({ versionBytes }) => versionBytes },
            { title: words.duplicates, of: ({ duplicates }) => count(duplicates), number: ({ duplicates }) => duplicates },
            { title: words.exposed, of: ({ exposed }) => count(exposed), number: ({ exposed }) => exposed },
          ]),
        ],
      },
      {
        title: words.bucketsTitle,
        blocks: [
          tableOf({ title: '', rows: ages, empty: words.noAccounts }, [
            { title: words.age, of: ({ age }) => words.buckets[age], width: 3 },
            { title: words.files, of: ({ files }) => count(files), number: ({ files }) => files },
            { title: words.size, of: ({ bytes }) => size(bytes), number: ({ bytes }) => bytes },
          ]),
        ],
      },
    ],
  };
}
