import type { Language } from '../state/directory.ts';
import { documentName, opening, paragraph, phraseBook, sentence } from './prose.ts';
import { between, logNormal, pick, type Place, randomOf } from '../values/seeded.ts';

/** The own words of one mail, before what it quotes. */
export interface Letter {
  readonly paragraphs: readonly string[];
  readonly signature: readonly string[];
}

export interface Writer {
  readonly name: string;
  readonly title: string;
  readonly company: string;
  readonly city: string;
}

/** What somebody wrote at `place`: a pure function of it. */
export function writeLetter(place: Place, language: Language, writer: Writer): Letter {
  const random = randomOf(place);
  const count = Math.max(1, Math.min(12, Math.round(logNormal(random, 2.6, 0.7))));
  const paragraphs = [opening(random, language)];
  for (let index = 0; index < count; index += 1) paragraphs.push(paragraph(random, language, between(random, 1, 5)));
  if (random.next() < 0.08) paragraphs.push(Array.from({ length: 4 }, () => `- ${sentence(random, language)}`).join('\n'));
  if (random.next() < 0.05) paragraphs.push(`${documentName(random, language)}: https://intranet.example/${between(random, 1000, 9999)}`);
  const phone = `+49 30 ${between(random, 100_000, 999_999)}`;
  const signature = [
    pick(random, phraseBook(language).closings),
    '',
    writer.name,
    writer.title,
    `${writer.company} | ${writer.city}`,
    `T ${phone}`,
  ];
  return { paragraphs, signature };
}

export interface Quoted {
  readonly from: string;
  readonly sent: string;
  readonly to: string;
  readonly subject: string;
  readonly letter: Letter;
}

function quoteHead(language: Language, quoted: Quoted): string[] {
  const names = phraseBook(language).quoteHeader;
  return [quoted.from, quoted.sent, quoted.to, quoted.subject].map((value, index) => `${names[index] ?? ''}: ${value}`);
}

/** The mail as plain text with CRLF. */
export function letterText(letter: Letter, language: Language, quotes: readonly Quoted[]): string {
  const own = [...letter.paragraphs, letter.signature.join('\r\n')].join('\r\n\r\n');
  const below = quotes.map((quoted) => {
    const head = quoteHead(language, quoted).join('\r\n');
    return `\r\n\r\n________________________________\r\n${head}\r\n\r\n${quoted.letter.paragraphs.join('\r\n\r\n')}\r\n\r\n${quoted.letter.signature.join('\r\n')}`;
  });
  return `${own}${below.join('')}\r\n\r\n${phraseBook(language).disclaimer}\r\n`.replaceAll(/(?<!\r)\n/gu, '\r\n');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>\r\n');
}

const STYLE = [
  ['@font-face', 'font-family:"Cambria Math";panose-1:2 4 5 3 5 4 6 3 2 4'],
  ['@font-face', 'font-family:Calibri;panose-1:2 15 5 2 2 2 4 3 2 4'],
  ['@font-face', 'font-family:Aptos;panose-1:2 11 0 4 2 2 2 2 2 4'],
  ['p.MsoNormal, li.MsoNormal, div.MsoNormal', 'margin:0cm;font-size:11.0pt;font-family:"Calibri",sans-serif;mso-fareast-language:EN-US'],
  ['a:link, span.MsoHyperlink', 'mso-style-priority:99;color:#0563C1;text-decoration:underline'],
  ['p.MsoListParagraph', 'mso-style-priority:34;margin:0cm 0cm 0cm 36.0pt;font-size:11.0pt;font-family:"Calibri",sans-serif'],
  ['span.EmailStyle20', 'mso-style-type:personal-reply;font-family:"Calibri",sans-serif;color:windowtext'],
  ['.MsoChpDefault', 'mso-style-type:export-only;font-size:10.0pt;mso-ligatures:none'],
  ['@page WordSection1', 'size:612.0pt 792.0pt;margin:70.85pt 70.85pt 2.0cm 70.85pt'],
  ['div.WordSection1', 'page:WordSection1'],
]
  .map(([selector, rules]) => `${selector}\r\n\t{${(rules ?? '').split(';').join(';\r\n\t')};}`)
  .join('\r\n');

function htmlHead(language: Language): string {
  const root =
    '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">';
  const meta =
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\r\n<meta name="Generator" content="Microsoft Word 15 (filtered medium)">';
  const code = language === 'de' ? 'DE' : 'EN-GB';
  return `${root}\r\n<head>\r\n${meta}\r\n<style><!--\r\n${STYLE}\r\n--></style>\r\n</head>\r\n<body lang="${code}" link="#0563C1" vlink="#954F72" style="word-wrap:break-word">\r\n<div class="WordSection1">\r\n`;
}

const HEADS: Readonly<Record<Language, string>> = { en: htmlHead('en'), de: htmlHead('de') };

function htmlParagraphs(paragraphs: readonly string[], lang: string): string {
  return paragraphs
    .map(
      (text) =>
        `<p class="MsoNormal"><span lang="${lang}" style="mso-fareast-language:EN-US">${escapeHtml(text)}<o:p></o:p></span></p>\r\n<p class="MsoNormal"><o:p>&nbsp;</o:p></p>\r\n`,
    )
    .join('');
}

/** The mail as the HTML that Outlook writes. */
export function letterHtml(letter: Letter, language: Language, quotes: readonly Quoted[]): string {
  const lang = language === 'de' ? 'DE' : 'EN-US';
  let text = HEADS[language] + htmlParagraphs([...letter.paragraphs, letter.signature.join('\n')], lang);
  for (const quoted of quotes) {
    const head = quoteHead(language, quoted).map(
      (line) => `<b>${escapeHtml(line.slice(0, line.indexOf(':') + 1))}</b>${escapeHtml(line.slice(line.indexOf(':') + 1))}`,
    );
    text += `<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">\r\n<p class="MsoNormal">${head.join('<br>\r\n')}<o:p></o:p></p>\r\n</div>\r\n`;
    text += htmlParagraphs([...quoted.letter.paragraphs, quoted.letter.signature.join('\n')], lang);
  }
  return `${text}<p style="font-size:8.0pt;color:gray">${escapeHtml(phraseBook(language).disclaimer)}</p>\r\n</div>\r\n</body>\r\n</html>\r\n`;
}
