import type { DeletionKeeper } from '@holdfast/contract/deletions';
import type { Paper, Section } from '@holdfast/contract/paper';
import { fill, type Language } from '../../http/language.ts';
import { reportWords, tableOf, type ReportOwner, type ReportWords } from '../period-reports/index.ts';
import type { Erasure } from './erasure-sections.ts';

/** A deletion that has run, of everything of a person. */
export interface ErasureLetter {
  readonly owner: ReportOwner;
  readonly at: Date;
  readonly erasure: Erasure & { readonly person: NonNullable<Erasure['person']>; readonly endedAt: string };
}

/** What was erased, place by place. */
function erasedSection({ erasure: { mailboxes } }: ErasureLetter, { phrases, count, size }: ReportWords): Section {
  const { deletions: own, erasureLetter: letter } = phrases;
  return {
    title: letter.erased,
    blocks: [
      tableOf({ title: '', rows: mailboxes, empty: phrases.common.none }, [
        { title: own.place, of: ({ kind }) => own.placeKinds[kind], width: 4 },
        { title: own.location, of: ({ locationName }) => locationName, width: 3 },
        { title: own.erasedCount, of: ({ erased }) => count(erased.messages), number: ({ erased }) => erased.messages },
        { title: own.size, of: ({ erased }) => size(erased.bytes), number: ({ erased }) => erased.bytes },
        { title: own.keptCount, of: ({ kept }) => count(kept.messages), number: ({ kept }) => kept.messages },
      ]),
    ],
  };
}

/** Why and until when the rest is kept. A hold is not named: what it is about may be nobody else's business. */
function keptSection({ erasure: { keepers } }: ErasureLetter, { phrases, count, date }: ReportWords): Section[] {
  const { deletions: own, erasureLetter: letter } = phrases;
  if (keepers.length === 0) return [];
  const why = ({ kind, name }: DeletionKeeper): string => (kind === 'hold' ? letter.byHold : fill(letter.byMinimum, { name }));
  const until = ({ kind, until: end }: DeletionKeeper): string => {
    if (end !== null) return date(end);
    return kind === 'hold' ? letter.untilReleased : letter.untilEvent;
  };
  return [
    {
      title: letter.kept,
      blocks: [
        { kind: 'text', text: letter.keptText },
        tableOf({ title: '', rows: keepers, empty: phrases.common.none }, [
          { title: letter.why, of: why, width: 6 },
          { title: own.keptUntil, of: until, width: 5 },
          { title: letter.items, of: ({ messages }) => count(messages), number: ({ messages }) => messages },
        ]),
      ],
    },
  ];
}

/** What the erasure does not reach, and until when encrypted remains are stored. */
function limitsSection({ erasure: { remains, mailboxes } }: ErasureLetter, { phrases, count }: ReportWords): Section {
  const { deletions: own, erasureLetter: letter } = phrases;
  const copies = remains?.copies ?? [];
  const locked = new Map(
    copies.filter(({ lockedDays }) => lockedDays > 0).map(({ locationName, lockedDays }) => [locationName, lockedDays]),
  );
  const vault = copies.some(({ place }) => place === 'vault') ? [letter.swept] : [];
  const journals = copies.some(({ place }) => place === 'journals') ? [letter.journals] : [];
  const locks = [...locked].map(([location, days]) => fill(own.locked, { location, days: count(days) }));
  const mentions = mailboxes.reduce((items, { isMention, erased }) => items + (isMention ? erased.messages : 0), 0);
  const others = mentions > 0 ? fill(letter.othersErased, { erased: count(mentions) }) : letter.others;
  return {
    title: letter.limits,
    blocks: [
      {
        kind: 'list',
        items: [others, letter.source, ...journals, ...vault, ...locks, letter.names, letter.staysErased].map((text) => ({ text })),
      },
    ],
  };
}

/** The answer to somebody who asked for erasure: what was erased, what is kept, why and until when, and what they can do. */
export function erasureLetter(report: ErasureLetter, language: Language): Paper {
  const { owner, at, erasure } = report;
  const words = reportWords(language, owner.timeZone);
  const { own, phrases, count, date } = words;
  const letter = phrases.erasureLetter;
  const { person, erased, kept, endedAt, reason } = erasure;
  const figures = { erased: count(erased.messages), kept: count(kept.messages) };
  const isWhole = kept.messages === 0;
  return {
    language,
    title: letter.title,
    subtitle: `${person.name}, ${person.address}`,
    verdict: {
      ink: isWhole ? 'success' : 'warning',
      state: isWhole ? letter.whole : letter.partly,
      text: fill(isWhole ? letter.wholeText : letter.partlyText, figures),
    },
    facts: [
      { label: letter.from, value: owner.organisation },
      { label: letter.to, value: `${person.name} <${person.address}>` },
      { label: letter.reference, value: reason },
      { label: letter.erasedOn, value: date(endedAt) },
      { label: own.madeAt, value: date(at.toISOString()) },
    ],
    sections: [
      {
        title: letter.request,
        blocks: [{ kind: 'text', text: fill(letter.greeting, { name: person.name, organisation: owner.organisation }) }],
      },
      erasedSection(report, words),
      ...keptSection(report, words),
      limitsSection(report, words),
      { title: letter.rights, blocks: [{ kind: 'text', text: letter.rightsText }] },
    ],
  };
}
