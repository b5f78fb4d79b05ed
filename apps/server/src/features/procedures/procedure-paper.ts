import { describedParts, type ProcedureContent, type ProcedureEntry, type ProcedureVersion } from '@holdfast/contract/procedures';
import type { Paper, Section } from '@holdfast/contract/paper';
import { fill, phrasesOf, type Language } from '../../http/language.ts';
import { reportWords, tableOf } from '../period-reports/index.ts';
import { fieldWord, settingWords } from './setting-words.ts';

type Say = ReturnType<typeof settingWords>;

/** The settings in the order in which the phrases name them: a database keeps no order of its own. */
function settingsOf({ part, values }: ProcedureEntry, language: Language, say: Say): string {
  const order = Object.keys(phrasesOf(language).procedures.fields);
  return Object.entries(values)
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b) || (a < b ? -1 : 1))
    .map(([field, value]) => `${fieldWord(language, field)}: ${say(part, field, value)}`)
    .join(' · ');
}

function partSection(part: ProcedureEntry['part'], { entries, timeZone }: ProcedureContent, language: Language): Section {
  const { procedures, common } = phrasesOf(language);
  const say = settingWords(language, timeZone);
  return {
    title: procedures.parts[part],
    blocks: [
      { kind: 'text', text: procedures.leads[part] },
      tableOf({ title: '', rows: entries.filter((entry) => entry.part === part), empty: procedures.none }, [
        { title: common.name, of: ({ name }) => name, width: 3 },
        { title: procedures.setting, of: (entry) => settingsOf(entry, language, say), width: 8 },
      ]),
    ],
  };
}

function changesSection({ number }: ProcedureVersion, { changes, timeZone }: ProcedureContent, language: Language): Section {
  const { procedures } = phrasesOf(language);
  const { moment } = reportWords(language, timeZone);
  const say = settingWords(language, timeZone);
  const wordOf = (part: ProcedureContent['changes'][number]['part']): string =>
    part === 'sections' ? procedures.ownSections : procedures.parts[part];
  const details = ({ part, fields }: ProcedureContent['changes'][number]): string =>
    fields
      .map(({ field, before, after }) =>
        fill(procedures.became, { field: fieldWord(language, field), before: say(part, field, before), after: say(part, field, after) }),
      )
      .join(' · ');
  return {
    title: fill(procedures.changes, { number: number - 1 }),
    blocks: [
      tableOf({ title: '', rows: changes, empty: procedures.noChanges }, [
        { title: procedures.what, of: ({ part, name }) => `${wordOf(part)}: ${name}`, width: 4 },
        { title: procedures.change, of: ({ kind }) => procedures.kinds[kind], width: 2 },
        { title: procedures.details, of: details, width: 5 },
        { title: procedures.who, of: ({ actor }) => actor ?? '', width: 3 },
        { title: procedures.when, of: ({ at }) => (at === null ? '' : moment(at)), width: 3 },
      ]),
    ],
  };
}

type Proofs = NonNullable<ProcedureContent['proofs']>;

function integritySection({ checkpoint, verifiedAt, proofs, timeZone }: ProcedureContent, language: Language): Section {
  const { procedures, status } = phrasesOf(language);
  const { count, moment } = reportWords(language, timeZone);
  const newest = checkpoint === null ? procedures.never : `${count(checkpoint.size)} · ${checkpoint.rootHash} · ${moment(checkpoint.at)}`;
  const proved = (proof: Proofs['verification']): string =>
    proof === null ? procedures.never : `${moment(proof.at)} · ${status[proof.status]}`;
  return {
    title: procedures.integrity,
    blocks: [
      { kind: 'text', text: procedures.integrityLead },
      { kind: 'text', text: `${procedures.checkpoint}: ${newest}` },
      { kind: 'text', text: `${procedures.verified}: ${verifiedAt === null ? procedures.never : moment(verifiedAt)}` },
      ...(proofs === undefined
        ? []
        : [
            { kind: 'text' as const, text: `${procedures.vaultVerified}: ${proved(proofs.verification)}` },
            { kind: 'text' as const, text: `${procedures.drilled}: ${proved(proofs.drill)}` },
          ]),
    ],
  };
}

/** A version as a document: the same content makes the same paper. */
export function procedurePaper(version: ProcedureVersion, content: ProcedureContent, language: Language): Paper {
  const { procedures, periodReports } = phrasesOf(language);
  const { moment } = reportWords(language, content.timeZone);
  return {
    language,
    title: procedures.title,
    subtitle: fill(procedures.versionOf, { number: version.number }),
    verdict: {
      ink: 'neutral',
      state: fill(procedures.versionOf, { number: version.number }),
      text: fill(version.number > 1 ? procedures.verdict : procedures.verdictFirst, {
        entries: content.entries.length,
        changes: content.changes.length,
      }),
    },
    facts: [
      { label: periodReports.organisation, value: content.organisation },
      { label: periodReports.tenant, value: content.tenant },
      { label: procedures.version, value: String(version.number) },
      { label: periodReports.madeAt, value: `${moment(version.madeAt)} (${content.timeZone})` },
      { label: periodReports.maker, value: version.maker },
      { label: procedures.program, value: content.program },
      { label: procedures.hash, value: version.hash },
    ],
    sections: [
      ...(version.number > 1 ? [changesSection(version, content, language)] : []),
      ...describedParts(content).map((part) => partSection(part, content, language)),
      integritySection(content, language),
      ...content.sections.map(({ title, text }): Section => ({
        title,
        blocks: text.split(/\n{2,}/).map((paragraph) => ({ kind: 'text', text: paragraph })),
      })),
      { title: procedures.title, blocks: [{ kind: 'text', text: procedures.legal }] },
    ],
  };
}
