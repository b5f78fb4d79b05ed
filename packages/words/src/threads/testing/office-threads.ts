import type { ThreadMail } from '../group-threads.ts';
import { hashSentences } from '../sentences.ts';

/** A mail as it was written, before anything is compared. */
export interface WrittenMail {
  readonly id: string;
  readonly answers: WrittenMail | null;
  readonly text: string;
  readonly sentMs: number;
  readonly attachments: readonly string[];
}

/** How an answer repeats the mail that it answers. */
export const quotings = ['marks', 'outlook', 'gmail', 'rewrapped', 'between', 'edited', 'trimmed', 'none'] as const;
export type Quoting = (typeof quotings)[number];

const START_MS = Date.UTC(2024, 4, 3, 8);

function broken(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}(?:\\s|$)|\\S+`, 'gu')) ?? [''])
    .map((line) => line.trimEnd())
    .join('\n');
}

const marked = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');

/** The text of an answer: its own words and what it repeats. */
export function answerTo(before: string, own: string, quoting: Quoting): string {
  const head = 'On Fri, 3 May 2024 at 10:02, Anna Schmidt <anna@contoso.com> wrote:';
  switch (quoting) {
    case 'marks':
      return `${own}\n\n${head}\n${marked(before)}`;
    case 'rewrapped':
      return `${own}\n\n${head}\n${marked(broken(before, 40))}`;
    case 'gmail':
      return `${own}\n\n${head}\n\n${before}`;
    case 'outlook':
      return `${own}\n\nVon: Anna Schmidt <anna@contoso.com>\nGesendet: Freitag, 3. Mai 2024 10:02\nAn: Ben Roth\nBetreff: Angebot\n\n${before}`;
    case 'between': {
      const [first = '', ...rest] = marked(before).split('\n');
      return `${head}\n${first}\n\n${own}\n\n${rest.join('\n')}`;
    }
    case 'edited':
      return `${own}\n\n${head}\n${marked(before.replace(/\p{L}+/u, 'never'))}`;
    case 'trimmed':
      return `${own}\n\n${head}\n${marked(before.split('\n').slice(0, 1).join('\n'))}`;
    case 'none':
      return own;
  }
}

/** One mail more in a thread, a minute after the last. */
export function written(
  place: number,
  answers: WrittenMail | null,
  own: string,
  { quoting, attachments = [] }: { readonly quoting: Quoting; readonly attachments?: readonly string[] },
): WrittenMail {
  const text = answers ? answerTo(answers.text, own, quoting) : own;
  return { id: `mail-${place}@contoso.com`, answers, text, sentMs: START_MS + place * 60_000, attachments };
}

export function asThreadMail(mail: WrittenMail): ThreadMail {
  return {
    ...hashSentences(mail.text),
    messageId: mail.id,
    references: mail.answers ? [mail.answers.id] : [],
    subject: mail.answers ? 'AW: Angebot' : 'Angebot',
    sentMs: mail.sentMs,
    attachments: mail.attachments,
  };
}
