import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock, type Clock } from '@holdfast/foundation/clock';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, expect, it } from 'vitest';
import { aPdf, aStream, FIRST_OBJECT } from '../testing/a-pdf.ts';
import { createPreviewer } from './create-previewer.ts';
import type { DrawnPage } from './drawing.ts';
import { MOST_BYTES, MOST_HEIGHT, MOST_PAGES, MOST_WAITING, MOST_WIDTH } from './limits.ts';

const previewer = createPreviewer({ clock: systemClock });
/** What a busy machine takes for a file says nothing of the file: here memory alone ends it. */
const PATIENT_MS = 240_000;
const patient = createPreviewer({ clock: systemClock, mostMs: PATIENT_MS });
const small = createPreviewer({ clock: systemClock, mostMs: PATIENT_MS, mostMb: 180 });
afterAll(() => Promise.all([previewer, patient, small].map((one) => one.close())));

const greeting = 'BT /F 48 Tf 60 700 Td (Guten Tag) Tj ET';

async function drawn(bytes: Uint8Array, page = 1): Promise<DrawnPage> {
  const drawing = await previewer.page({ bytes, page });
  if ('problem' in drawing) throw new Error(drawing.problem);
  return drawing.drawn;
}

/** The pixels of a page that are darker than grey. */
async function inkOf({ picture }: DrawnPage): Promise<number> {
  const image = await loadImage(Buffer.from(picture));
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let dark = 0;
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128) dark += 1;
  return dark;
}

it('draws a page, also in a font that the file does not carry, and says its words', async () => {
  const page = await drawn(aPdf({ content: greeting, pages: 3 }), 3);
  expect(page).toMatchObject({ pages: 3, width: MOST_WIDTH, height: 2_264, words: 'Guten Tag' });
  expect(await inkOf(page)).toBeGreaterThan(5_000);
  expect(await inkOf(await drawn(aPdf()))).toBe(0);
});

it.each([
  ['a page of a mile', [5_000_000, 5_000_000], [MOST_WIDTH, MOST_WIDTH]],
  ['a page like a ribbon', [10, 100_000], [1, MOST_HEIGHT]],
] as const)('a picture has no more pixels than it may: %s', async (_name, [width, height], [widest, highest]) => {
  const page = await drawn(aPdf({ size: [width, height] }));
  expect([page.width, page.height]).toEqual([widest, highest]);
});

it('nothing in a file acts: no script, no form, no file of this machine or of a network', async () => {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
  const outside = '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /F (/etc/hostname) /Length 0 >>\nstream\n\nendstream';
  const page = await drawn(
    aPdf({
      content: `${greeting} q 500 0 0 500 0 0 cm /X Do Q`,
      resources: `/XObject << /X ${FIRST_OBJECT} 0 R >>`,
      objects: [outside],
      catalog: `/OpenAction ${script} /AA << /WC ${script} >>`,
    }),
  );
  expect(page.words).toBe('Guten Tag');
});

/** A picture in PNG, with a black frame. */
function aPicture(width: number, height: number): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillRect(0, 0, width, height);
  context.clearRect(1, 1, width - 2, height - 2);
  return canvas.toBuffer('image/png');
}

it('draws a picture as large as it is, and never larger than a page', async () => {
  expect(await drawn(aPicture(40, 30))).toMatchObject({ pages: 1, width: 40, height: 30, words: '' });
  expect(await drawn(aPicture(3_200, 100))).toMatchObject({ width: MOST_WIDTH, height: 50 });
  expect(await previewer.page({ bytes: aPicture(40, 30), page: 2 })).toEqual({ problem: 'no-such-page' });
});

it('a thumbnail of a picture or of a page is as large as a tile shows it', async () => {
  const sizeOf = async (bytes: Uint8Array) => {
    const drawing = await previewer.page({ bytes, page: 1, size: 'thumbnail' });
    return 'drawn' in drawing ? [drawing.drawn.width, drawing.drawn.height] : drawing;
  };
  expect(await sizeOf(aPicture(1_000, 500))).toEqual([320, 160]);
  expect(await sizeOf(aPicture(40, 30))).toEqual([40, 30]);
  expect(await sizeOf(aPdf({ content: greeting }))).toEqual([169, 240]);
});

it.each([
  ['a picture that ends after its first bytes', Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')],
  [
    'a drawing that is a program',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
  ],
])('is no picture: %s', async (_name, bytes) => {
  expect(await previewer.page({ bytes, page: 1 })).toEqual({ problem: 'unreadable' });
});

it.each([
  ['no PDF file', Buffer.from('<html>'), 1, 'unreadable'],
  ['nothing at all', Buffer.alloc(0), 1, 'unreadable'],
  ['a page after the last', aPdf(), 2, 'no-such-page'],
  ['more pages than are drawn', aPdf({ pages: MOST_PAGES + 1 }), 1, 'too-large'],
  ['more bytes than are read', Buffer.alloc(MOST_BYTES + 1), 1, 'too-large'],
])('says why there is no picture: %s', async (_name, bytes, page, problem) => {
  expect(await previewer.page({ bytes, page })).toEqual({ problem });
});

/** Each form draws the one below ten times. */
function laughs(depth: number): Buffer {
  const forms = Array.from({ length: depth }, (_, at) =>
    aStream(
      at === 0 ? '0 0 1 1 re f' : '/X Do '.repeat(10),
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${FIRST_OBJECT + at - 1} 0 R >> >>`,
    ),
  );
  return aPdf({ content: '/X Do', resources: `/XObject << /X ${FIRST_OBJECT + depth - 1} 0 R >>`, objects: forms });
}

/** Groups inside of groups, each with pixels of its own for the whole page. */
function glass(depth: number): Buffer {
  const groups = Array.from({ length: depth }, (_, at) =>
    aStream(
      at === 0 ? '0 0 595 842 re f' : '/G gs /X Do',
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency /I true /K true >> /Resources << /ExtGState << /G << /ca 0.5 /BM /Multiply >> >> /XObject << /X ${FIRST_OBJECT + at - 1} 0 R >> >>`,
    ),
  );
  return aPdf({
    content: '/G gs /X Do',
    resources: `/ExtGState << /G << /ca 0.5 /BM /Multiply >> >> /XObject << /X ${FIRST_OBJECT + depth - 1} 0 R >>`,
    objects: groups,
  });
}

it('a file that takes too long is given up in the middle of it, and the next one is drawn', async () => {
  let isHurried = false;
  const clock: Clock = { ...systemClock, after: (ms, run) => systemClock.after(isHurried ? 50 : ms, run) };
  const hurried = createPreviewer({ clock });
  try {
    expect(await hurried.page({ bytes: aPdf(), page: 1 })).toHaveProperty('drawn');
    isHurried = true;
    expect(await hurried.page({ bytes: laughs(9), page: 1 })).toEqual({ problem: 'too-slow' });
    isHurried = false;
    expect(await hurried.page({ bytes: aPdf(), page: 1 })).toHaveProperty('drawn');
  } finally {
    await hurried.close();
  }
});

it(
  'a file whose pixels take too much memory is given up, and the next one is drawn',
  async () => {
    expect(await small.page({ bytes: glass(30), page: 1 })).toEqual({ problem: 'too-much-memory' });
    expect(await small.page({ bytes: aPdf({ content: greeting }), page: 1 })).toHaveProperty('drawn.words', 'Guten Tag');
  },
  PATIENT_MS,
);

it(
  'a page whose picture is too large is not shown without it',
  async () => {
    const look = '/Type /XObject /Subtype /Image /Width 5000 /Height 4000 /BitsPerComponent 1 /ColorSpace /DeviceGray';
    const bytes = aPdf({
      content: 'q 595 0 0 842 0 0 cm /X Do Q',
      resources: `/XObject << /X ${FIRST_OBJECT} 0 R >>`,
      objects: [aStream('\0'.repeat(2_500_000), look)],
    });
    expect(await small.page({ bytes, page: 1 })).toEqual({ problem: 'too-much-memory' });
  },
  PATIENT_MS,
);

it(
  'turns away what would wait too long, and answers the others',
  async () => {
    const asked = Array.from({ length: MOST_WAITING + 1 }, () => patient.page({ bytes: aPdf(), page: 1 }));
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => 'drawn' in answer)).toHaveLength(MOST_WAITING);
    expect(answers.at(-1)).toEqual({ problem: 'busy' });
  },
  PATIENT_MS,
);

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpora');

/** PDF files of others, by their paths in the corpora; none where those are not there. */
function filesOfOthers(): readonly string[] {
  if (!existsSync(corpus)) return [];
  return readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.toLowerCase().endsWith('.pdf'));
}

it('of PDF files of others, each is drawn or says why not, within the limits', async ({ skip }) => {
  const names = filesOfOthers();
  if (names.length === 0) skip('the corpora are not on this machine');
  const problems: Record<string, string> = {};
  let widest = 0;
  for (const name of names) {
    const drawing = await patient.page({ bytes: readFileSync(path.join(corpus, name)), page: 1 });
    if ('problem' in drawing) problems[path.basename(name)] = drawing.problem;
    else widest = Math.max(widest, drawing.drawn.width);
  }
  expect(widest).toBe(MOST_WIDTH);
  expect(Object.keys(problems).length).toBeLessThan(names.length / 5);
  // Scans in JPEG 2000 take more than there is when they are large.
  const tooLarge = Object.keys(problems).filter((name) => problems[name] === 'too-much-memory');
  expect(tooLarge.filter((name) => !/jpeg2000|angles/.test(name))).toEqual([]);
}, 300_000);
