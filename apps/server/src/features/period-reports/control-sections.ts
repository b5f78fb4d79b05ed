import type { Section } from '@holdfast/contract/paper';
import type { ReportFigures } from '@holdfast/contract/period-reports';
import type { ReportLists } from './report-lists.ts';
import { figure, tableOf, type ReportWords } from './report-words.ts';
import { deleting } from './period-runs.views.ts';

function indexSection({ index }: ReportFigures, { own, count }: ReportWords, { search, unreadable: byName }: ReportLists): Section {
  const { items, searched, unreadable } = index;
  const figures = [
    figure(own.indexItems, count(items), search),
    figure(own.indexSearched, count(searched), search),
    figure(own.indexUnreadable, count(unreadable), byName),
  ];
  return { title: own.index, blocks: [{ kind: 'figures', figures }] };
}

function holdsSection({ holds }: ReportFigures, { own, count, date }: ReportWords, lists: ReportLists): Section {
  return {
    title: own.holds,
    blocks: [
      {
        kind: 'figures',
        figures: [
          figure(own.holdsActive, count(holds.active), lists.holds('active')),
          figure(own.holdsPlaced, count(holds.placed), lists.holds('placed')),
          figure(own.holdsReleased, count(holds.released), lists.holds('released')),
        ],
      },
      tableOf({ title: '', rows: holds.items, empty: own.holdsNone, link: () => lists.holds() }, [
        { title: own.name, of: ({ name }) => name, width: 3 },
        { title: own.subject, of: ({ resource }) => resource ?? own.everything, width: 3 },
        { title: own.reason, of: ({ reason }) => reason, width: 4 },
        { title: own.placer, of: ({ placer }) => placer, width: 4 },
        { title: own.placedAt, of: ({ placedAt }) => date(placedAt), width: 3 },
        { title: own.releasedAt, of: ({ releasedAt }) => (releasedAt === null ? '' : date(releasedAt)), width: 3 },
      ]),
    ],
  };
}

function deletionsSection({ deletions }: ReportFigures, { own, phrases, count, moment }: ReportWords, lists: ReportLists): Section {
  return {
    title: own.deletions,
    blocks: [
      tableOf(
        {
          title: '',
          rows: deletions.items,
          total: deletions.total,
          empty: own.deletionsNone,
          more: own.more,
          moreLink: lists.runs({ type: deleting[0] }),
          link: ({ runId }) => lists.run(runId),
        },
        [
          { title: own.date, of: ({ at }) => moment(at), width: 2.8 },
          { title: own.job, of: ({ jobName }) => jobName, width: 2.8 },
          { title: own.status, of: ({ status }) => phrases.status[status], width: 3 },
          { title: own.removed, of: ({ items }) => count(items), number: ({ items }) => items, width: 5.2 },
          { title: own.requester, of: ({ requester }) => requester ?? '', width: 4.4 },
          { title: own.approver, of: ({ approver, mode }) => (mode === 'delay' ? own.byDelay : (approver ?? '')), width: 4.4 },
        ],
      ),
    ],
  };
}

function accessesSection({ accesses }: ReportFigures, { own, count }: ReportWords, lists: ReportLists): Section {
  const link = ({ ground }: ReportFigures['accesses'][number]): string =>
    lists.accesses(ground === 'download' ? { kind: 'downloaded' } : { kind: 'opened', ground });
  return {
    title: own.accesses,
    blocks: [
      tableOf({ title: '', rows: accesses, empty: own.accessesNone, link }, [
        { title: own.ground, of: ({ ground }) => own.grounds[ground], width: 4 },
        { title: own.openings, of: ({ openings }) => count(openings), number: ({ openings }) => openings },
        { title: own.people, of: ({ people }) => count(people), number: ({ people }) => people },
      ]),
    ],
  };
}

/** Who may find, look, keep and delete, and who did. */
export const controlSections = [indexSection, holdsSection, deletionsSection, accessesSection] as const;
