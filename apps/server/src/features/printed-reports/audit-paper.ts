import type { Paper } from '@holdfast/contract/paper';
import { fill, phrasesOf, type Language } from '../../http/language.ts';
import type { AuditEventView, CoveredEvents } from '../audit/index.ts';
import { reportWords, tableOf, type ReportOwner, type ReportWords } from '../period-reports/index.ts';

export interface PrintedEvents {
  readonly owner: ReportOwner;
  readonly at: Date;
  readonly from: string;
  readonly to: string;
  readonly checkpoint: CoveredEvents['checkpoint'];
  readonly events: readonly AuditEventView[];
}

/** The words of an event; the name that the log itself has for one without. */
export function eventWords({ phrases }: Pick<ReportWords, 'phrases'>, event: string): string {
  const [feature = '', what = ''] = event.split('.', 2);
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = phrases.auditEvents;
  return words[feature]?.[what] ?? event;
}

/** The audit log of a period, the oldest event first, with the checkpoint by which anybody can prove it. */
export function auditPaper({ owner, at, from, to, checkpoint, events }: PrintedEvents, language: Language): Paper {
  const words = reportWords(language, owner.timeZone);
  const { own, count, moment } = words;
  const { audit } = phrasesOf(language);
  return {
    language,
    title: own.auditTitle,
    subtitle: `${moment(from)} – ${moment(to)}`,
    verdict: {
      ...(checkpoint.size > 0
        ? { ink: 'success' as const, state: own.verdicts.proven }
        : { ink: 'neutral' as const, state: own.verdicts.unproven }),
      text: fill(own.verdicts.audit, { events: count(events.length), size: count(checkpoint.size) }),
    },
    facts: [
      { label: own.organisation, value: owner.organisation },
      { label: own.span, value: `${moment(from)} – ${moment(to)} (${owner.timeZone})` },
      { label: own.events, value: count(events.length) },
      { label: own.checkpoint, value: `${count(checkpoint.size)} · ${checkpoint.rootHash}` },
      { label: own.madeAt, value: moment(at.toISOString()) },
    ],
    sections: [
      {
        title: own.events,
        blocks: [
          { kind: 'text', text: own.auditLead },
          tableOf({ title: '', rows: events, empty: audit.empty, link: ({ sequence }) => `/configuration/audit-log/${sequence}` }, [
            { title: audit.sequence, of: ({ sequence }) => String(sequence), number: ({ sequence }) => sequence },
            { title: audit.at, of: (event) => moment(event.at), width: 3 },
            { title: audit.event, of: ({ event }) => eventWords(words, event), width: 4 },
            { title: audit.actor, of: ({ actor }) => actor || own.erased, width: 4 },
            { title: audit.subject, of: ({ subjectName, subjectId }) => subjectName ?? subjectId ?? '', width: 4 },
            { title: audit.outcome, of: ({ outcome }) => audit[outcome], width: 3 },
            { title: audit.reason, of: ({ reason }) => reason ?? '', width: 4 },
          ]),
        ],
      },
    ],
  };
}
