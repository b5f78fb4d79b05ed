import { z } from 'zod';

/** Colours by what they say; page and PDF each have their own shades. */
export const inks = ['brand', 'success', 'warning', 'danger', 'neutral', 'text', 'quiet', 'grid'] as const;
export type Ink = (typeof inks)[number];
const ink = z.enum(inks);

const shape = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rect'),
    x: z.number(),
    y: z.number(),
    width: z.number(),
    height: z.number(),
    ink,
    /** What it stands for, for readers who point at it. */
    hint: z.string().optional(),
  }),
  z.object({ kind: z.literal('line'), fromX: z.number(), fromY: z.number(), toX: z.number(), toY: z.number(), ink }),
  z.object({
    kind: z.literal('text'),
    x: z.number(),
    /** The baseline. */
    y: z.number(),
    text: z.string(),
    anchor: z.enum(['start', 'middle', 'end']),
    size: z.number(),
    ink,
  }),
]);
export type Shape = z.infer<typeof shape>;

/** A picture that anything can draw: the page as SVG, the PDF as paths. */
export const drawing = z.object({ width: z.number(), height: z.number(), shapes: z.array(shape) });
export type Drawing = z.infer<typeof drawing>;

/** An address within the portal. */
const link = z.string().optional();

const cells = z.object({
  cells: z.array(z.string()),
  /** The plain numbers behind the texts, for spreadsheets; null where a cell is no number. */
  values: z.array(z.number().nullable()).optional(),
  link,
  /** Where single cells lead, each to the list of what it counts; null for one that leads where its row does. */
  links: z.array(z.string().nullable()).optional(),
});

const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('figures'), figures: z.array(z.object({ label: z.string(), value: z.string(), link })) }),
  z.object({ kind: z.literal('list'), items: z.array(z.object({ text: z.string(), link })) }),
  /** The link of a chart leads to the list of what it draws. */
  z.object({ kind: z.literal('chart'), title: z.string(), drawing, link }),
  z.object({
    kind: z.literal('table'),
    title: z.string(),
    columns: z.array(z.object({ title: z.string(), width: z.number(), isNumber: z.boolean() })),
    rows: z.array(cells),
    /** Shown where there are no rows. */
    empty: z.string(),
    /** What the table leaves out. */
    more: z.string().optional(),
    /** The list of everything, where the table leaves something out. */
    moreLink: link,
  }),
]);
export type Block = z.infer<typeof block>;
export type TableBlock = Extract<Block, { kind: 'table' }>;

const section = z.object({ title: z.string(), blocks: z.array(block) });
export type Section = z.infer<typeof section>;

/** What a reader who reads nothing else should know: a state in a word or two, and one sentence. */
const verdict = z.object({
  ink: z.enum(['success', 'warning', 'danger', 'neutral']),
  state: z.string(),
  text: z.string(),
  /** The sentence in pieces, where numbers in it lead to the lists of what they count. */
  parts: z.array(z.object({ text: z.string(), link })).optional(),
});
export type Verdict = z.infer<typeof verdict>;

/** A document in one language, ready to be shown or printed. */
export const paper = z.object({
  language: z.enum(['en', 'de']),
  title: z.string(),
  subtitle: z.string(),
  verdict,
  /** Number, date, period and author, each with its label. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  sections: z.array(section),
});
export type Paper = z.infer<typeof paper>;
