import type { Section } from '@holdfast/contract/paper';
import type { ReportFigures } from '@holdfast/contract/period-reports';
import { figure, tableOf, type ReportWords } from './report-words.ts';

const HOLDS = '/configuration/holds';

function holdsSection({ holds }: ReportFigures, { own, count, date }: ReportWords): Section {
  return {
    title: own.holds,
    blocks: [
      {
        kind: 'figures',
        figures: [
          figure(own.holdsActive, count(holds.active), HOLDS),
          figure(own.holdsPlaced, count(holds.placed), HOLDS),
          figure(own.holdsReleased, count(holds.released), HOLDS),
        ],
      },
      tableOf({ title: '', rows: holds.items, empty: own.holdsNone, link: () => HOLDS }, [
        { title: own.name, of: ({ name }) => name, width: 3 },
        { title: own.subject, of: ({ resource }) => resource ?? own.everything, width: 3 },
        { title: own.reason, of: ({ reason }) => reason, width: 4 },
        { title: own.placer, of: ({ placer }) => placer, width: 3 },
        { title: own.placedAt, of: ({ placedAt }) => date(placedAt) },
        { title: own.releasedAt, of: ({ releasedAt }) => (releasedAt === null ? '' : date(releasedAt)) },
      ]),
    ],
  };
}

function deletionsSection({ deletions }: ReportFigures, { own, phrases, count, moment }: ReportWords): Section {
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
          link: ({ runId }) => `/backup-and-restore/job-monitor/${runId}`,
        },
        [
          { title: own.date, of: ({ at }) => moment(at), width: 3 },
          { title: own.job, of: ({ jobName }) => jobName, width: 3 },
          { title: own.status, of: ({ status }) => phrases.status[status] },
          { title: own.removed, of: ({ items }) => count(items), number: ({ items }) => items },
          { title: own.requester, of: ({ requester }) => requester ?? '', width: 3 },
          { title: own.approver, of: ({ approver, mode }) => (mode === 'delay' ? own.byDelay : (approver ?? '')), width: 3 },
        ],
      ),
    ],
  };
}

/** Who may find, look, keep and delete, and who did. */
export function controlSections(found: ReportFigures, words: ReportWords): readonly Section[] {
  const { own, count } = words;
  const { items, searched, unreadable } = found.index;
  return [
    {
      title: own.index,
      blocks: [
        {
          kind: 'figures',
          figures: [
            figure(own.indexItems, count(items), '/search'),
            figure(own.indexSearched, count(searched), '/search'),
            figure(own.indexUnreadable, count(unreadable), '/search'),
          ],
        },
      ],
    },
    holdsSection(found, words),
    deletionsSection(found, words),
    {
      title: own.accesses,
      blocks: [
        tableOf({ title: '', rows: found.accesses, empty: own.accessesNone, link: () => '/configuration/audit-log?event=content' }, [
          { title: own.ground, of: ({ ground }) => own.grounds[ground], width: 4 },
          { title: own.openings, of: ({ openings }) => count(openings), number: ({ openings }) => openings },
          { title: own.people, of: ({ people }) => count(people), number: ({ people }) => people },
        ]),
      ],
    },
  ];
}
