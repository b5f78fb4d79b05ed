import type { Block, Paper } from '@holdfast/contract/paper';
import { fill, type Language } from '../../http/language.ts';
import type { ReadMessage } from '../content/index.ts';
import { reportWords, tableOf, type ReportOwner } from '../period-reports/index.ts';

export interface PrintedMail {
  readonly owner: ReportOwner;
  readonly message: ReadMessage;
}

/** Lines that stand together on a page. */
const LINES_A_BLOCK = 30;

function textBlocks(text: string): readonly Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += LINES_A_BLOCK) {
    blocks.push({ kind: 'text', text: lines.slice(at, at + LINES_A_BLOCK).join('\n') });
  }
  return blocks;
}

const filled = (facts: readonly (readonly [string, string])[]) =>
  facts.flatMap(([label, value]) => (value === '' ? [] : [{ label, value }]));

/** A mail on pages. It says that it is a view, and what the hash of the original is. */
export function mailPaper({ owner, message: { preview, headers, item, isVerified } }: PrintedMail, language: Language): Paper {
  const words = reportWords(language, owner.timeZone);
  const { phrases, moment, size } = words;
  const { restore, archive } = phrases;
  const hash = item.contents.find(({ role }) => role === 'mime')?.ref.sha256;
  return {
    language,
    title: preview.title === '' ? archive.noSubject : preview.title,
    subtitle: preview.from ?? '',
    verdict: {
      ink: isVerified ? 'neutral' : 'warning',
      state: phrases.exports.viewOfMail,
      text:
        hash === undefined
          ? phrases.exports.viewWithoutOriginal
          : fill(isVerified ? phrases.exports.viewText : phrases.exports.viewUnverified, { hash }),
    },
    facts: filled([
      [restore.to, preview.to.join(', ')],
      [restore.cc, preview.cc.join(', ')],
      [restore.date, preview.at === null ? '' : `${moment(preview.at)} (${owner.timeZone})`],
      [phrases.exports.size, size(item.sizeBytes)],
    ]),
    sections: [
      { title: phrases.exports.text, blocks: [...textBlocks(preview.text ?? '')] },
      {
        title: restore.attachments,
        blocks: [
          tableOf({ title: '', rows: [...preview.attachments], empty: phrases.exports.noAttachments }, [
            { title: phrases.exports.attachmentName, of: ({ name }) => name, width: 10 },
            { title: phrases.exports.size, of: ({ sizeBytes }) => size(sizeBytes), width: 3 },
          ]),
        ],
      },
      {
        title: phrases.exports.header,
        blocks: [
          tableOf({ title: '', rows: headers.map(([name, value]) => ({ name, value })), empty: '–' }, [
            { title: phrases.exports.headerName, of: ({ name }) => name, width: 4 },
            { title: phrases.exports.headerValue, of: ({ value }) => value.slice(0, 2_000), width: 11 },
          ]),
        ],
      },
    ],
  };
}
