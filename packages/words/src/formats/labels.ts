import { labelsOfDocument, labelsOfProperties, type LabelElement, type SensitivityLabel } from '@holdfast/foundation/sensitivity-labels';
import type { TextSink } from '../part/text-sink.ts';
import type { CompoundFile } from './compound-file.ts';
import { walkXml } from './xml.ts';
import type { ZipFile } from './zip-file.ts';

/** Where packages of Office keep their labels: the part of [MS-OI29500] 3.4.1.5, and their custom properties. */
const LABELS = 'docMetadata/LabelInfo.xml';
const PROPERTIES = 'docProps/custom.xml';
/** Where a package that needs a licence keeps them in the clear: [MS-OFFCRYPTO] 2.6.2. */
const CLEAR_LABELS = '\u0006DataSpaces/TransformInfo/LabelInfo';
const OLDER_PROPERTIES = '\u0005DocumentSummaryInformation';
const PREFIX = 'MSIP_Label_';

const isYes = (text: string | undefined): boolean => text === '1' || text === 'true';
const noText = { text: () => undefined };

function elementsOf(xml: Uint8Array | undefined): readonly LabelElement[] {
  const elements: LabelElement[] = [];
  if (!xml) return elements;
  walkXml(xml, noText, {
    open(name, { id = '', siteId = '', enabled = '1', removed }) {
      if (name === 'label') elements.push({ id, siteId, isRemoved: isYes(removed) || !isYes(enabled) });
    },
  });
  return elements;
}

function propertiesOf(xml: Uint8Array | undefined): readonly (readonly [string, string])[] {
  const properties: (readonly [string, string])[] = [];
  if (!xml) return properties;
  let name = '';
  let value = '';
  walkXml(xml, noText, {
    open(element, attributes) {
      if (element !== 'property') return;
      name = attributes['name'] ?? '';
      value = '';
    },
    text: (piece) => void (value += piece),
    close(element) {
      if (element === 'property') properties.push([name, value]);
    },
  });
  return properties;
}

/** What is read of a document is not lost because its labels are broken: nobody knows them then. */
async function tell(sink: TextSink, labels: () => Promise<readonly SensitivityLabel[]>): Promise<void> {
  sink.labels(await labels().catch(() => null));
}

/** The labels of a document of Office in its newer formats. */
export async function readPackageLabels(zip: ZipFile, sink: TextSink): Promise<void> {
  await tell(sink, async () => labelsOfDocument(elementsOf(await zip.read(LABELS)), propertiesOf(await zip.read(PROPERTIES))));
}

/** The labels of a document that needs a licence: unless they are written in the clear, nobody knows them. */
export async function readClearLabels(file: CompoundFile, sink: TextSink): Promise<void> {
  const xml = file.read(CLEAR_LABELS);
  if (!xml) sink.labels(null);
  else await tell(sink, async () => labelsOfDocument(elementsOf(xml), []));
}

/** Older formats keep labels among properties that are not taken apart: where there are any, nobody knows which. */
export function readOlderLabels(file: CompoundFile, sink: TextSink): void {
  const properties = file.read(OLDER_PROPERTIES) ?? Buffer.alloc(0);
  if (properties.includes(PREFIX) || properties.includes(PREFIX, 0, 'utf16le')) sink.labels(null);
}

/** The labels of a PDF, among the properties that its maker has added. */
export async function readPdfLabels(pdf: { getMetadata(): Promise<{ info: object }> }, sink: TextSink): Promise<void> {
  await tell(sink, async () => {
    const { info } = await pdf.getMetadata();
    const custom: unknown = 'Custom' in info ? info.Custom : undefined;
    if (typeof custom !== 'object' || custom === null) return [];
    return labelsOfProperties(Object.entries(custom).map(([name, value]) => [name, String(value)] as const));
  });
}
