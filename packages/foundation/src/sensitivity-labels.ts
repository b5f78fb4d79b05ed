/** A sensitivity label of Microsoft Purview, as a mail or a document carries it. */
export interface SensitivityLabel {
  /** Its GUID, in lower case. */
  readonly labelId: string;
  /** What it is called in its organisation; empty where only its GUID was written. */
  readonly name: string;
  /** When it was set. ISO 8601, UTC; null where nobody wrote it down. */
  readonly setAt: string | null;
}

/** What is written of a label: its attributes by their names in lower case. */
type Attributes = ReadonlyMap<string, string>;

const PROPERTY = /^MSIP_Label_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\w{1,40})$/iu;

/** A GUID between braces or without, in lower case; undefined for what is none. */
export function guidOf(text: string): string | undefined {
  const [, guid] = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/iu.exec(text.trim()) ?? [];
  return guid?.toLowerCase();
}

/** Only what says where it is in time: a moment in another spelling would depend on where it is read. */
function momentOf(text: string | undefined): string | null {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T[\d:.]{5,16}(?:Z|[+-]\d{2}:?\d{2})$/u.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function attributesOf(properties: Iterable<readonly [name: string, value: string]>): ReadonlyMap<string, Attributes> {
  const labels = new Map<string, Map<string, string>>();
  for (const [name, value] of properties) {
    const [, guid = '', attribute = ''] = PROPERTY.exec(name.trim()) ?? [];
    if (guid === '') continue;
    const known = labels.get(guid.toLowerCase()) ?? new Map<string, string>();
    labels.set(guid.toLowerCase(), known);
    known.set(attribute.toLowerCase(), value.trim());
  }
  return labels;
}

/** A label that was switched off stays written; whatever is not said to be off is taken to be on. */
const isOn = (attributes: Attributes): boolean => !['false', '0'].includes(attributes.get('enabled')?.toLowerCase() ?? 'true');

/** The labels among custom properties of a document: `MSIP_Label_<guid>_Name` and the like. */
export function labelsOfProperties(properties: Iterable<readonly [name: string, value: string]>): readonly SensitivityLabel[] {
  return [...attributesOf(properties)]
    .filter(([, attributes]) => isOn(attributes))
    .map(([labelId, attributes]) => ({ labelId, name: attributes.get('name') ?? '', setAt: momentOf(attributes.get('setdate')) }));
}

/** The labels of a mail by its header lines, decoded and unfolded: `msip_labels: MSIP_Label_<guid>_Enabled=true; …`. */
export function labelsOfHeaders(headers: Iterable<readonly [name: string, value: string]>): readonly SensitivityLabel[] {
  const properties: (readonly [string, string])[] = [];
  for (const [header, line] of headers) {
    if (header.toLowerCase() !== 'msip_labels') continue;
    // A name may have a semicolon in it: a property ends where the next one begins.
    for (const property of line.split(/;(?=\s*(?:MSIP_Label_|$))/iu)) {
      const at = property.indexOf('=');
      if (at > 0) properties.push([property.slice(0, at), property.slice(at + 1).replaceAll(/\s+/gu, ' ')]);
    }
  }
  return labelsOfProperties(properties);
}

/** An element of the part that newer documents keep their labels in. */
export interface LabelElement {
  readonly id: string;
  readonly siteId: string;
  readonly isRemoved: boolean;
}

/**
 * The labels of a document: those of its own part, which has the last word on the organisations that it names, with what its custom
 * properties add of them; of other organisations what the custom properties say.
 */
export function labelsOfDocument(
  elements: readonly LabelElement[],
  properties: readonly (readonly [name: string, value: string])[],
): readonly SensitivityLabel[] {
  const written = attributesOf(properties);
  const sites = new Set(elements.flatMap(({ siteId }) => guidOf(siteId) ?? []));
  const named = new Set(elements.flatMap(({ id }) => guidOf(id) ?? []));
  const own = elements.flatMap(({ id, isRemoved }) => {
    const labelId = isRemoved ? undefined : guidOf(id);
    if (labelId === undefined) return [];
    const attributes = written.get(labelId);
    return [{ labelId, name: attributes?.get('name') ?? '', setAt: momentOf(attributes?.get('setdate')) }];
  });
  const others = labelsOfProperties(properties).filter(
    ({ labelId }) => !named.has(labelId) && !sites.has(guidOf(written.get(labelId)?.get('siteid') ?? '') ?? ''),
  );
  return [...own, ...others];
}
