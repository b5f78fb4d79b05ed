import type { CaseDetails, CaseEvent } from '@holdfast/contract/case-values';
import type { Paper } from '@holdfast/contract/paper';
import { reviewStatuses } from '@holdfast/contract/review-values';
import { fill, type Language } from '../../http/language.ts';
import { figure, reportWords, tableOf, type ReportOwner, type ReportWords } from '../period-reports/index.ts';
import { eventWords } from './audit-paper.ts';

export interface PrintedCase {
  readonly owner: ReportOwner;
  readonly at: Date;
  readonly of: CaseDetails;
  readonly events: readonly CaseEvent[];
}

/** The name of an event's sentence: `holds.placed` is told by `hold-placed`. */
function sentenceName(event: string): string {
  const [area = '', what = ''] = event.split('.', 2);
  return area === 'cases' ? what : `${area.replace(/s$/, '')}-${what}`;
}

function valueOf(value: CaseEvent['details'][string], { count, phrases }: ReportWords): string {
  if (typeof value === 'number') return count(value);
  const status = reviewStatuses.find((one) => one === value);
  if (status !== undefined) return phrases.reviews.statuses[status];
  return Array.isArray(value) ? value.join(', ') : String(value ?? '–');
}

/** An event in one sentence, as the portal tells it. */
function told({ event, actor, subject, reason, details }: CaseEvent, words: ReportWords): string {
  const { cases } = words.phrases;
  const sentences: Readonly<Record<string, string>> = cases.log;
  const sentence = sentences[sentenceName(event)];
  const values = Object.fromEntries(Object.entries(details).map(([name, value]) => [name, valueOf(value, words)]));
  const text =
    sentence === undefined ? `${actor}: ${eventWords(words, event)}` : fill(sentence, { ...values, actor, subject: subject ?? '–' });
  return reason === null ? text : `${text} ${fill(cases.because, { reason })}`;
}

/** Everything that was done in a case, the oldest first. */
export function casePaper({ owner, at, of, events }: PrintedCase, language: Language): Paper {
  const words = reportWords(language, owner.timeZone);
  const { own, phrases, count, moment } = words;
  const { cases, audit } = phrases;
  return {
    language,
    title: own.caseTitle,
    subtitle: of.matter,
    verdict: {
      ink: 'neutral',
      state: of.status === 'open' ? cases.statusOpen : cases.statusClosed,
      text: fill(own.verdicts.case, { events: count(events.length), holds: count(of.holds.length) }),
    },
    facts: [
      { label: own.organisation, value: owner.organisation },
      { label: own.tenant, value: owner.tenant },
      { label: cases.reference, value: of.reference || '–' },
      { label: own.status, value: of.status === 'open' ? cases.statusOpen : cases.statusClosed },
      { label: own.madeAt, value: `${moment(at.toISOString())} (${owner.timeZone})` },
    ],
    sections: [
      {
        title: own.result,
        blocks: [
          {
            kind: 'figures',
            figures: [
              figure(cases.tabs.members, count(of.people.length)),
              figure(cases.tabs.custodians, count(of.custodians.length)),
              figure(cases.tabs.queries, count(of.queries.length)),
              figure(cases.tabs.holds, count(of.holds.length)),
            ],
          },
        ],
      },
      {
        title: cases.tabs.log,
        blocks: [
          tableOf({ title: '', rows: [...events].reverse(), empty: cases.noEvents }, [
            { title: audit.at, of: (event) => moment(event.at), width: 3 },
            { title: cases.tabs.log, of: (event) => told(event, words), width: 12 },
          ]),
        ],
      },
    ],
  };
}
