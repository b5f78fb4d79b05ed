export interface PdfContent {
  /** What is drawn on the page. */
  readonly content?: string;
  readonly pages?: number;
  readonly size?: readonly [number, number];
  /** Added to the resources of each page. */
  readonly resources?: string;
  /** Further objects, from the number `FIRST_OBJECT` on. */
  readonly objects?: readonly string[];
  readonly catalog?: string;
}

/** The number of the first of `objects`. */
export const FIRST_OBJECT = 10;

export function aStream(text: string, dictionary = ''): string {
  return `<< ${dictionary} /Length ${text.length} >>\nstream\n${text}\nendstream`;
}

/** A PDF file whose pages all look the same. Without a table of its objects: readers find them. */
export function aPdf({ content = '', pages = 1, size = [595, 842], resources = '', objects = [], catalog = '' }: PdfContent = {}): Buffer {
  const last = FIRST_OBJECT + objects.length;
  const kids = Array.from({ length: pages }, (_, at) => last + at);
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.join(' ')}] /Contents 3 0 R /Resources << /Font << /F 4 0 R >> ${resources} >> >>`;
  const numbered: readonly (readonly [number, string])[] = [
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${pages} >>`],
    [3, aStream(content)],
    [4, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    ...objects.map((object, at) => [FIRST_OBJECT + at, object] as const),
    ...kids.map((kid) => [kid, page] as const),
  ];
  const body = numbered.map(([number, object]) => `${number} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer << /Root 1 0 R >>\n%%EOF\n`, 'latin1');
}
