/** Lines on a page of A4, and the signs in one. */
const LINES = 48;
const WIDTH = 88;

/** A text of Latin letters as the string of a page: what is not in the encoding becomes a question mark. */
function pdfString(text: string): string {
  const latin = Array.from(text, (sign) =>
    sign === '€' ? '\u0080' : sign === '–' ? '\u0096' : (sign.codePointAt(0) ?? 0) > 0xff ? '?' : sign,
  ).join('');
  return `(${latin.replaceAll(/[\\()]/gu, (sign) => `\\${sign}`)})`;
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line, ''];
}

/** The objects of a page: the page itself, and what is written on it. */
function pageObjects(lines: readonly string[], number: number): readonly string[] {
  const shown = lines.map((line) => `${pdfString(line)} Tj T*`).join('\n');
  const content = `BT /F1 11 Tf 15 TL 60 780 Td\n${shown}\nET`;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number + 1} 0 R >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
}

/** A PDF file of these paragraphs, with a table of its objects: every reader opens it. */
export function pdfFile(paragraphs: readonly string[]): Buffer {
  const lines = paragraphs.flatMap(wrapped);
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / LINES)) }, (_, page) =>
    lines.slice(page * LINES, (page + 1) * LINES),
  );
  const first = 4;
  const kids = pages.map((_, page) => `${first + 2 * page} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => pageObjects(page, first + 2 * index)),
  ];
  let file = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n';
  const places: string[] = [];
  objects.forEach((object, index) => {
    places.push(`${String(file.length).padStart(10, '0')} 00000 n \n`);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  file += `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
