import type { DataRequestDetails } from '@holdfast/contract/data-requests';
import type { Paper, Section } from '@holdfast/contract/paper';
import { fill, type Language } from '../../http/language.ts';
import { reportWords, tableOf, type ReportOwner, type ReportWords } from '../period-reports/index.ts';

/** A request for access of which the data was collected. */
export interface AccessLetter {
  readonly owner: ReportOwner;
  readonly at: Date;
  readonly request: DataRequestDetails & { readonly collected: NonNullable<DataRequestDetails['collected']> };
}

/** A day has no zone: noon belongs to it wherever the organisation is. */
const dayText = (day: string, date: ReportWords['date']): string => date(`${day}T12:00:00.000Z`);

/** What is in the package. Mailboxes of others are counted together: whose they are may be nobody else's business. */
function enclosedSection({ request: { places } }: AccessLetter, { phrases, count }: ReportWords): Section {
  const { accessLetter: letter } = phrases;
  const own = places.filter(({ part }) => part === 'own');
  const mentions = places.filter(({ part }) => part === 'mention');
  const sum = (of: typeof places) => of.reduce((items, place) => items + place.items - place.leftOut, 0);
  const rows = [
    ...own.map(({ kind, name, items, leftOut }) => ({
      what: fill(letter.ownPlace, { kind: kind in letter.kinds ? letter.kinds[kind as keyof typeof letter.kinds] : kind, name }),
      items: items - leftOut,
    })),
    ...(mentions.length === 0 ? [] : [{ what: letter.mentions, items: sum(mentions) }]),
  ];
  return {
    title: letter.enclosed,
    blocks: [
      tableOf({ title: '', rows, empty: phrases.common.none }, [
        { title: letter.what, of: ({ what }) => what, width: 9 },
        { title: letter.items, of: ({ items }) => count(items), number: ({ items }) => items, width: 2 },
      ]),
    ],
  };
}

/** What is left out and why, and what could not be looked at. */
function leftOutSection({ request: { leftOut, collected } }: AccessLetter, { phrases, count }: ReportWords): Section[] {
  const { accessLetter: letter } = phrases;
  const notes = [
    ...(collected.notReached > 0 ? [fill(letter.notReached, { items: count(collected.notReached) })] : []),
    ...(collected.notSearched > 0 ? [fill(letter.notSearched, { items: count(collected.notSearched) })] : []),
  ];
  if (leftOut.length === 0 && notes.length === 0) return [];
  return [
    {
      title: letter.leftOut,
      blocks: [
        { kind: 'text', text: letter.leftOutText },
        ...(leftOut.length === 0
          ? []
          : [
              tableOf({ title: '', rows: leftOut, empty: phrases.common.none }, [
                { title: letter.why, of: ({ reason }) => reason, width: 9 },
                { title: letter.items, of: ({ items }) => count(items), number: ({ items }) => items, width: 2 },
              ]),
            ]),
        ...(notes.length === 0 ? [] : [{ kind: 'list' as const, items: notes.map((text) => ({ text })) }]),
      ],
    },
  ];
}

/** How the package can be read, and how anybody can check that it is whole. */
function packageSection({ request: { exported } }: AccessLetter, { phrases }: ReportWords): Section {
  const { accessLetter: letter } = phrases;
  const hash = exported?.manifestHash ?? null;
  const items = [letter.readable, letter.checkable, ...(hash === null ? [] : [fill(letter.hash, { hash })])];
  return { title: letter.package, blocks: [{ kind: 'list', items: items.map((text) => ({ text })) }] };
}

/** The letter to somebody who asked for access: what they get, what is left out and why, and what they can do. */
export function accessLetter(report: AccessLetter, language: Language): Paper {
  const { owner, at, request } = report;
  const words = reportWords(language, owner.timeZone);
  const { own, phrases, count, date } = words;
  const letter = phrases.accessLetter;
  const { person, collected, receivedOn, dueOn, extension, note } = request;
  const items = collected.own.items + collected.mention.items - collected.leftOut;
  const missing = collected.leftOut + collected.notReached;
  const facts = [letter.purpose, letter.categories, letter.source, letter.period, letter.automated];
  const isWhole = missing === 0 && collected.notSearched === 0;
  const verdict = isWhole ? letter.wholeText : missing > 0 ? letter.partlyText : letter.unreadText;
  return {
    language,
    title: letter.title,
    subtitle: [person.name, person.address].filter((text) => text !== '').join(', '),
    verdict: {
      ink: isWhole ? 'success' : 'warning',
      state: isWhole ? letter.whole : letter.partly,
      text: fill(verdict, { items: count(items), missing: count(missing) }),
    },
    facts: [
      { label: letter.from, value: owner.organisation },
      { label: letter.to, value: person.address === '' ? person.name : `${person.name} <${person.address}>` },
      { label: letter.reference, value: note },
      { label: letter.receivedOn, value: dayText(receivedOn, date) },
      { label: letter.dueOn, value: dayText(dueOn, date) },
      ...(extension === null ? [] : [{ label: letter.extension, value: extension.reason }]),
      { label: letter.collectedAt, value: date(collected.at) },
      { label: own.madeAt, value: date(at.toISOString()) },
    ],
    sections: [
      {
        title: letter.request,
        blocks: [{ kind: 'text', text: fill(letter.greeting, { name: person.name, organisation: owner.organisation }) }],
      },
      enclosedSection(report, words),
      ...leftOutSection(report, words),
      packageSection(report, words),
      { title: letter.processing, blocks: [{ kind: 'list', items: facts.map((text) => ({ text })) }] },
      { title: letter.rights, blocks: [{ kind: 'text', text: letter.rightsText }] },
    ],
  };
}
