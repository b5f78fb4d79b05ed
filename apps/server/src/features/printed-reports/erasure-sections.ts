import type { DeletionDetails, RemainingCopy } from '@holdfast/contract/deletions';
import type { Paper, Section } from '@holdfast/contract/paper';
import { fill } from '../../http/language.ts';
import { figure, tableOf, type ReportWords } from '../period-reports/index.ts';

/** What a deletion of archived messages came to. */
export type Erasure = Omit<DeletionDetails, 'approval'>;

export function erasureFacts({ query, basis, reason }: Erasure, { phrases }: ReportWords): Paper['facts'] {
  const { deletions: own } = phrases;
  return [
    { label: own.what, value: query },
    { label: own.basis, value: own.bases[basis] },
    { label: own.reason, value: reason },
  ];
}

export function erasureFigures({ listed, erased, kept, gone }: Erasure, { phrases, count, size }: ReportWords) {
  const { deletions: own } = phrases;
  return [
    figure(own.erasedCount, count(erased.messages)),
    figure(own.keptCount, count(kept.messages)),
    figure(own.messages, count(listed.messages)),
    figure(own.size, size(erased.bytes)),
    figure(own.gone, count(gone)),
  ];
}

function sentenceOf({ place, messages, locationName: location }: RemainingCopy, { phrases, count }: ReportWords): string {
  const { copies } = phrases.deletions;
  return fill(copies[`${place}_${messages === 1 ? 'one' : 'other'}`], { messages: count(messages), location });
}

/** Where copies remain, place by place, and until when. */
function remaining({ remains, sweptAt }: Erasure, words: ReportWords): string[] {
  const { deletions: own } = words.phrases;
  const { copies = [], sweepAt = null } = remains ?? {};
  const locked = new Map(
    copies.filter(({ lockedDays }) => lockedDays > 0).map(({ locationName, lockedDays }) => [locationName, lockedDays]),
  );
  return [
    ...(copies.length === 0 ? [own.remainsNone] : copies.map((copy) => sentenceOf(copy, words))),
    ...[...locked].map(([location, days]) => fill(own.locked, { location, days: words.count(days) })),
    ...(sweepAt === null ? [] : [fill(own.sweepAt, { at: words.moment(sweepAt) })]),
    ...(sweptAt === null ? [] : [fill(own.sweptAt, { at: words.moment(sweptAt) })]),
    own.journalNote,
  ];
}

/** What a certificate of deletion says besides: what was kept by what, and where copies remain. */
export function erasureSections(erasure: Erasure, words: ReportWords): Section[] {
  const { phrases, count, moment } = words;
  const { deletions: own } = phrases;
  const keepers = tableOf({ title: '', rows: erasure.keepers, empty: phrases.common.none }, [
    { title: own.keeper, of: ({ name }) => name, width: 4 },
    { title: own.keeperKind, of: ({ kind }) => own.keeperKinds[kind], width: 3 },
    { title: own.messages, of: ({ messages }) => count(messages), number: ({ messages }) => messages },
    {
      title: own.keptUntil,
      of: ({ kind, until }) => (until === null ? own[kind === 'hold' ? 'untilReleased' : 'untilEvent'] : moment(until)),
      width: 3,
    },
  ]);
  return [
    ...(erasure.keepers.length === 0 ? [] : [{ title: own.keepers, blocks: [keepers] }]),
    { title: own.remains, blocks: [{ kind: 'list', items: remaining(erasure, words).map((text) => ({ text })) }] },
  ];
}
