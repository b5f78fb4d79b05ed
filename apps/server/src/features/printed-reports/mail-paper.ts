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
  const { exports: own, restore, archive } = phrases;
  const hash = item.contents.find(({ role }) => role === 'mime')?.ref.sha256;
  return {
    language,
    title: preview.title === '' ? archive.noSubject : preview.title,
    subtitle: preview.from ?? '',
    verdict: {
      ink: isVerified ? 'neutral' : 'warning',
      state: own.viewOfMail,
      text: hash === undefined ? own.viewWithoutOriginal : fill(isVerified ? own.viewText : own.viewUnverified, { hash }),
    },
    facts: filled([
      [restore.to, preview.to.join(', ')],
      [restore.cc, preview.cc.join(', ')],
      [restore.date, preview.at === null ? '' : `${moment(preview.at)} (${owner.timeZone})`],
      [own.size, size(item.sizeBytes)],
    ]),
    sections: [
      { title: own.text, blocks: [...textBlocks(preview.text ?? '')] },
      {
        title: restore.attachments,
        blocks: [
          tableOf({ title: '', rows: [...preview.attachments], empty: own.noAttachments }, [
            { title: own.attachmentName, of: ({ name }) => name, width: 10 },
            { title: own.size, of: ({ sizeBytes }) => size(sizeBytes), width: 3 },
          ]),
        ],
      },
      {
        title: own.header,
        blocks: [
          tableOf({ title: '', rows: headers.map(([name, value]) => ({ name, value })), empty: '–' }, [
            { title: own.headerName, of: ({ name }) => name, width: 4 },
            { title: own.headerValue, of: ({ value }) => value.slice(0, 2_000), width: 11 },
          ]),
        ],
      },
    ],
  };
}
